const msPerMinute = 60_000;

/**
 * Each disturbance, and how slowly it changes. Different seeds give unrelated values. A stored plant goes on alike only if no seed changes.
 */
const disturbances = {
	demandDrift: { seed: 1, scaleMinutes: 20 },
	demandJitter: { seed: 2, scaleMinutes: 1 },
	distributionFlow: { seed: 3, scaleMinutes: 1 },
	intakeFlow: { seed: 4, scaleMinutes: 1 },
	rain: { seed: 5, scaleMinutes: 480 },
	rawTurbidityDrift: { seed: 6, scaleMinutes: 60 },
	rawTurbidityJitter: { seed: 7, scaleMinutes: 1 },
	filteredTurbidity: { seed: 8, scaleMinutes: 1 },
	chlorine: { seed: 9, scaleMinutes: 1 },
	dischargePressure: { seed: 10, scaleMinutes: 1 },
	networkPressure: { seed: 11, scaleMinutes: 1 },
	chlorineStock: { seed: 12, scaleMinutes: 720 },
} as const;

/**
 * Returns smooth noise that depends on the time alone: random values at every multiple of the disturbance's scale, blended in between.
 * @param disturbance what the noise is for; each has noise of its own
 * @param timeMs epoch milliseconds
 * @returns from -1 to 1
 */
export function noise(disturbance: keyof typeof disturbances, timeMs: number): number {
	const { seed, scaleMinutes } = disturbances[disturbance];
	const position = timeMs / (scaleMinutes * msPerMinute);
	const index = Math.floor(position);
	const fraction = position - index;
	// A curve from 0 to 1 that is flat at both ends, so that the noise has no corners.
	const blend = fraction * fraction * (3 - 2 * fraction);
	const blended = hashOf(seed, index) * (1 - blend) + hashOf(seed, index + 1) * blend;
	return 2 * blended - 1;
}

/**
 * Returns a pseudo-random number from 0 to 1, always the same for the same integers. It is a usual hash of 32 bits: multiplications by odd
 * constants and shifts spread every bit over all the others. `| 0` cuts an integer to 32 bits, and `>>> 0` removes the sign.
 */
function hashOf(seed: number, index: number): number {
	let hash = Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(seed | 0, 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
	return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
