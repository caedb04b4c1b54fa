import { readRecorded, recordedAnswer } from './influx-answer.ts';

/** Prints how much live heap reading an answer of 100,000 points takes at its peak, in sizes of the answer itself. Needs --expose-gc. */
const recorded = recordedAnswer(50, 2000);
const live = (): number => {
	globalThis.gc?.();
	const { heapUsed } = process.memoryUsage();
	return heapUsed;
};
const before = live();
let peak = before;
const collected = readRecorded(recorded, () => {
	peak = Math.max(peak, live());
});
peak = Math.max(peak, live());
process.stdout.write(String(collected.size === 0 ? Number.NaN : (peak - before) / recorded.bytes));
