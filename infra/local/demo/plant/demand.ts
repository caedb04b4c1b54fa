import { noise } from './noise.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The demand at night. Each peak adds a bell curve around its hour (UTC). */
const nightM3h = 125;
const peaks = [
	{ hour: 7.5, widthHours: 1.5, addedM3h: 205 },
	{ hour: 13.5, widthHours: 2.5, addedM3h: 70 },
	{ hour: 20, widthHours: 1.9, addedM3h: 185 },
] as const;

/** A mean takes one point every 15 minutes, and at most 96 points: enough for a day. */
const pointEveryMs = hourMs / 4;
const maxPoints = 96;

/**
 * Returns the water that the town draws from the network: a morning peak, a small one at lunch, an evening peak and some noise.
 * @param timeMs start of the interval, epoch milliseconds
 * @param dtMs length of the interval in milliseconds, above 0
 * @returns the mean over the interval in m³/h, always above 0
 */
export function demandM3h(timeMs: number, dtMs: number): number {
	const points = Math.min(maxPoints, Math.max(1, Math.ceil(dtMs / pointEveryMs)));
	let sum = 0;
	for (let point = 0; point < points; point += 1) sum += demandAt(timeMs + ((point + 0.5) / points) * dtMs);
	return sum / points;
}

function demandAt(timeMs: number): number {
	const hour = (timeMs % dayMs) / hourMs;
	let demand = nightM3h;
	for (const peak of peaks) {
		const apart = Math.abs(hour - peak.hour);
		const widths = Math.min(apart, 24 - apart) / peak.widthHours;
		demand += peak.addedM3h * Math.exp(-0.5 * widths * widths);
	}
	return demand * (1 + 0.06 * noise(1, timeMs, 20) + 0.02 * noise(2, timeMs, 1));
}
