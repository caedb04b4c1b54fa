import { exp, ln, log10, power } from '#domain/equation/elementary.ts';

/** How many inputs the checksum has. */
export const bitInputs = 200_000;

/**
 * The checksum of what the product's own exp, logarithms and powers give, as Node 20, Node 24 and Chromium computed it. Another one means that
 * numbers of sealed days change.
 */
export const recordedBits = 'd02f4ae';

/** Returns the checksum (FNV-1a) of all bits of the results for pseudo-random inputs. It runs in every engine. */
export function checksumOfBits(): string {
	const view = new DataView(new ArrayBuffer(8));
	let state = 1;
	/** Returns 32 pseudo-random bits (xorshift). */
	const next = (): number => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return state >>> 0;
	};
	let hash = 0x81_1c_9d_c5;
	const add = (value: number): void => {
		view.setFloat64(0, value);
		// The bits of NaN are those of the engine.
		const isNumber = !Number.isNaN(value);
		for (const half of [view.getUint32(0), view.getUint32(4)]) hash = Math.imul(hash ^ (isNumber ? half : 1), 0x01_00_01_93);
	};
	for (let index = 0; index < bitInputs; index += 1) {
		// Any positive number, and one near those of plants.
		view.setUint32(0, next() >>> 1);
		view.setUint32(4, next());
		const any = view.getFloat64(0);
		const usual = next() / 0x1_00_00_00;
		for (const x of [any, usual]) {
			for (const result of [exp(x), exp(-x), ln(x), log10(x)]) add(result);
			for (const exponent of [7, 64, 1.5, -2.5, 0.3, -2.7, 70]) add(power(x, exponent));
		}
		add(exp(usual * 2.8));
	}
	return (hash >>> 0).toString(16);
}
