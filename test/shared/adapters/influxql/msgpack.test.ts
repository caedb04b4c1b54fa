import { expect, test } from 'vitest';
import { MsgpackReader } from '#adapters/influxql/msgpack.ts';

const cellOf = (...bytes: readonly number[]) => new MsgpackReader(Uint8Array.from(bytes)).cell();

/** A number of the given method of DataView, after its format. */
const wide = (format: number, bytes: number, write: (view: DataView) => void): readonly number[] => {
	const view = new DataView(new ArrayBuffer(bytes));
	write(view);
	return [format, ...new Uint8Array(view.buffer)];
};

test.each([
	['nil', [0xc0], null],
	['false', [0xc2], false],
	['true', [0xc3], true],
	['3', [0x03], 3n],
	['127', [0x7f], 127n],
	['-1', [0xff], -1n],
	['-32', [0xe0], -32n],
	['an unsigned byte', [0xcc, 200], 200n],
	['two unsigned bytes', [0xcd, 0xff, 0xfe], 65_534n],
	['four unsigned bytes', [0xce, 0xff, 0xff, 0xff, 0xff], 4_294_967_295n],
	['2^64 - 1', wide(0xcf, 8, (view) => view.setBigUint64(0, 2n ** 64n - 1n)), 2n ** 64n - 1n],
	['a signed byte', [0xd0, 0x80], -128n],
	['two signed bytes', [0xd1, 0x80, 0], -32_768n],
	['four signed bytes', [0xd2, 0x80, 0, 0, 0], -2_147_483_648n],
	['-2^63', wide(0xd3, 8, (view) => view.setBigInt64(0, -(2n ** 63n))), -(2n ** 63n)],
	['3.0, which is no integer', wide(0xcb, 8, (view) => view.setFloat64(0, 3)), 3],
	['infinity', wide(0xcb, 8, (view) => view.setFloat64(0, Number.POSITIVE_INFINITY)), Number.POSITIVE_INFINITY],
	['a short float', wide(0xca, 4, (view) => view.setFloat32(0, 0.5)), 0.5],
	['a short text', [0xa2, 0xc3, 0xb1], 'ñ'],
	['a text with a byte of length', [0xd9, 1, 0x61], 'a'],
	['a text with two bytes of length', [0xda, 0, 1, 0x61], 'a'],
	['a text with four bytes of length', [0xdb, 0, 0, 0, 1, 0x61], 'a'],
])('reads %s', (_, bytes, expected) => {
	expect(cellOf(...bytes)).toBe(expected);
});

test('reads maps and arrays of every length, and skips what is not asked for', () => {
	const long = [0xdc, 0, 2, 0x01, 0x02];
	const longer = [0xdd, 0, 0, 0, 1, 0x93, 1, 2, 3];
	const reader = new MsgpackReader(
		Uint8Array.from([0x82, 0xa1, 0x61, ...long, 0xa1, 0x62, ...longer, 0xde, 0, 1, 0xa1, 0x63, 0xc0]),
	);
	const read: unknown[] = [];
	reader.entries((key) => {
		if (key === 'a') reader.items(() => read.push(reader.cell()));
		else reader.skip();
	});
	expect(read).toEqual([1n, 2n]);
	expect(reader.isAtEnd()).toBe(false);
	reader.skip();
	expect(reader.isAtEnd()).toBe(true);
});

test.each([
	['a cut integer', [0xd3, 1, 2]],
	['a cut text', [0xa5, 0x61]],
	['a map', [0x80]],
	['a binary', [0xc4, 0]],
	['an extension', [0xd6, 5, 0, 0, 0, 0]],
	['nothing', []],
])('refuses %s in place of a cell', (_, bytes) => {
	expect(() => cellOf(...bytes)).toThrow(RangeError);
});
