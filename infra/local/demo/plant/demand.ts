import { noise } from './noise.ts';

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

const dayMs = 24 * hourMs;

/** The demand at night, when nothing peaks, and what each time of day adds to it. Hours are UTC. */
const nightM3h = 125;

const peaks = [
	{ hour: 7.5, widthHours: 1.5, addedM3h: 205 },
	{ hour: 13.5, widthHours: 2.5, addedM3h: 70 },
	{ hour: 20, widthHours: 1.9, addedM3h: 185 },
] as const;

/** Most moments that one mean looks at, and how close together they are when it needs fewer. */
const maxMoments = 96;

const momentMs = 15 * minuteMs;

/**
 * What the town draws from the network: a morning and an evening peak, a small one at lunch, and a little noise.
 * @param timeMs epoch milliseconds at which the interval begins
 * @param dtMs its length in milliseconds, more than 0
 * @returns the mean of the interval in m³/h, always more than 0
 */
export function demandM3h(timeMs: number, dtMs: number): number {
	const moments = Math.min(maxMoments, Math.max(1, Math.ceil(dtMs / momentMs)));
	let sum = 0;
	for (let moment = 0; moment < moments; moment += 1) sum += demandAt(timeMs + ((moment + 0.5) / moments) * dtMs);
	return sum / moments;
}

function demandAt(timeMs: number): number {
	const hour = (timeMs % dayMs) / hourMs;
	let demandM3h = nightM3h;
	for (const peak of peaks) {
		const apart = Math.abs(hour - peak.hour);
		const hours = Math.min(apart, 24 - apart) / peak.widthHours;
		demandM3h += peak.addedM3h * Math.exp(-0.5 * hours * hours);
	}
	return demandM3h * (1 + 0.06 * noise(1, timeMs, 20 * minuteMs) + 0.02 * noise(2, timeMs, minuteMs));
}
