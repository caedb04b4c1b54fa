const msPerMinute = 60_000;

/** The seed of each disturbance. Different seeds give unrelated values. A stored plant goes on alike only if no seed changes. */
const seeds = {
	demandDrift: 1,
	demandJitter: 2,
	distributionFlow: 3,
	intakeFlow: 4,
	rain: 5,
	rawTurbidityDrift: 6,
	rawTurbidityJitter: 7,
	filteredTurbidity: 8,
	chlorine: 9,
	dischargePressure: 10,
	networkPressure: 11,
	chlorineStock: 12,
} as const;

/**
 * Returns smooth noise that depends on the time alone: random values at every multiple of `scaleMinutes`, blended in between.
 * @param disturbance what the noise is for; each has noise of its own
 * @param timeMs epoch milliseconds
 * @param scaleMinutes how slowly the value changes
 * @returns from -1 to 1
 */
export function noise(disturbance: keyof typeof seeds, timeMs: number, scaleMinutes: number): number {
	const seed = seeds[disturbance];
	const position = timeMs / (scaleMinutes * msPerMinute);
	const index = Math.floor(position);
	const part = position - index;
	// A curve from 0 to 1 that is flat at both ends, so that the noise has no corners.
	const blend = part * part * (3 - 2 * part);
	return 2 * (hashOf(seed, index) * (1 - blend) + hashOf(seed, index + 1) * blend) - 1;
}

/** Returns a pseudo-random number from 0 to 1, always the same for the same 32-bit integers. The odd numbers mix the bits. */
function hashOf(seed: number, index: number): number {
	let hash = Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(seed | 0, 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
	return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
