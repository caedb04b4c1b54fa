/** A value of MessagePack that a cell can hold. Integers are bigint and floats are number, so that 3 and 3.0 stay apart. */
export type Cell = null | boolean | string | bigint | number;

/**
 * Reads MessagePack value by value, in the formats that InfluxDB writes (https://github.com/msgpack/msgpack/blob/master/spec.md): no
 * extensions, whose type of time `epoch=ns` replaces. Every method throws RangeError when the next value is of another kind, or is cut.
 */
export class MsgpackReader {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	isAtEnd(): boolean {
		return this.#at >= this.#bytes.length;
	}

	/** Reads a map: `read` is called with each key, and has to read its value. */
	entries(read: (key: string) => void): void {
		for (let left = this.#length(0x80, 0xde); left > 0; left -= 1) read(this.text());
	}

	/** Reads an array: `read` is called for each item, and has to read it. */
	items(read: (index: number) => void): void {
		const length = this.#length(0x90, 0xdc);
		for (let index = 0; index < length; index += 1) read(index);
	}

	text(): string {
		const cell = this.cell();
		if (typeof cell !== 'string') throw unexpected('no text');
		return cell;
	}

	cell(): Cell {
		const format = this.#byte();
		if (format < 0x80) return BigInt(format);
		if (format >= 0xe0) return BigInt(format - 0x100);
		if (format >= 0xa0 && format < 0xc0) return this.#string(format - 0xa0);
		const read = formats[format];
		if (read === undefined) throw unexpected(`format ${format}`);
		const [bytes, cellOf] = read;
		this.#at += bytes;
		const cell = cellOf(this.#view, this.#at - bytes);
		return typeof cell === 'object' && cell !== null ? this.#string(cell.textBytes) : cell;
	}

	/** Skips the next value, with all that is in it. */
	skip(): void {
		const format = this.#view.getUint8(this.#at);
		if ((format >= 0x80 && format < 0x90) || format === 0xde || format === 0xdf) this.entries(() => this.skip());
		else if ((format >= 0x90 && format < 0xa0) || format === 0xdc || format === 0xdd) this.items(() => this.skip());
		else this.cell();
	}

	#byte(): number {
		this.#at += 1;
		return this.#view.getUint8(this.#at - 1);
	}

	/** Reads the length of a map or an array. @param fix the first of the 16 formats of short ones @param long the format with two bytes of length */
	#length(fix: number, long: number): number {
		const format = this.#byte();
		if (format >= fix && format < fix + 16) return format - fix;
		if (format !== long && format !== long + 1) throw unexpected(`format ${format}`);
		const bytes = format === long ? 2 : 4;
		this.#at += bytes;
		return bytes === 2 ? this.#view.getUint16(this.#at - bytes) : this.#view.getUint32(this.#at - bytes);
	}

	#string(bytes: number): string {
		const start = this.#at;
		this.#at += bytes;
		if (this.#at > this.#bytes.length) throw unexpected('a text that is cut');
		return decoder.decode(this.#bytes.subarray(start, this.#at));
	}
}

const decoder = new TextDecoder();

const unexpected = (what: string): RangeError => new RangeError(`MessagePack has ${what} where a value was expected.`);

/** How the value of a format is read: its bytes, and what they hold. Of a text they hold its length. */
type Format = readonly [bytes: number, cellOf: (view: DataView, at: number) => Cell | { readonly textBytes: number }];

/** The formats whose first byte says no more than the format. */
const formats: Readonly<Record<number, Format>> = {
	192: [0, () => null],
	194: [0, () => false],
	195: [0, () => true],
	202: [4, (view, at) => view.getFloat32(at)],
	203: [8, (view, at) => view.getFloat64(at)],
	204: [1, (view, at) => BigInt(view.getUint8(at))],
	205: [2, (view, at) => BigInt(view.getUint16(at))],
	206: [4, (view, at) => BigInt(view.getUint32(at))],
	207: [8, (view, at) => view.getBigUint64(at)],
	208: [1, (view, at) => BigInt(view.getInt8(at))],
	209: [2, (view, at) => BigInt(view.getInt16(at))],
	210: [4, (view, at) => BigInt(view.getInt32(at))],
	211: [8, (view, at) => view.getBigInt64(at)],
	217: [1, (view, at) => ({ textBytes: view.getUint8(at) })],
	218: [2, (view, at) => ({ textBytes: view.getUint16(at) })],
	219: [4, (view, at) => ({ textBytes: view.getUint32(at) })],
};
