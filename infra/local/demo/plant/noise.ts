/**
 * Smooth noise of time, the same at every run: values scattered at every multiple of `scaleMs`, blended in between.
 * @param lane which noise: two lanes have nothing to do with each other
 * @param timeMs epoch milliseconds
 * @param scaleMs how fast it wanders; at least 1000
 * @returns from -1 to 1
 */
export function noise(lane: number, timeMs: number, scaleMs: number): number {
	const position = timeMs / scaleMs;
	const index = Math.floor(position);
	const part = position - index;
	const blend = part * part * (3 - 2 * part);
	return 2 * (scatter(lane, index) * (1 - blend) + scatter(lane, index + 1) * blend) - 1;
}

/** A number from 0 to 1 that looks random, and is always the same for the same `lane` and `index` (32-bit integers). */
function scatter(lane: number, index: number): number {
	let hash = Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(lane | 0, 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
	return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
