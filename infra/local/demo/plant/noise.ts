const msPerMinute = 60_000;

/**
 * Returns smooth noise that depends on the time alone: random values at every multiple of `scaleMinutes`, blended in between.
 * @param seed selects the noise; different seeds give unrelated values
 * @param timeMs epoch milliseconds
 * @param scaleMinutes how slowly the value changes
 * @returns from -1 to 1
 */
export function noise(seed: number, timeMs: number, scaleMinutes: number): number {
	const position = timeMs / (scaleMinutes * msPerMinute);
	const index = Math.floor(position);
	const part = position - index;
	const blend = part * part * (3 - 2 * part);
	return 2 * (hashOf(seed, index) * (1 - blend) + hashOf(seed, index + 1) * blend) - 1;
}

/** Returns a pseudo-random number from 0 to 1, always the same for the same 32-bit integers. */
function hashOf(seed: number, index: number): number {
	let hash = Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(seed | 0, 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
	return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
