import { readRecorded, recordedResponse } from './influx-answer.ts';

/** Prints the peak of the live heap while a response of 100,000 points is read, as a multiple of the response's size. Needs --expose-gc. */
const recorded = recordedResponse({ series: 50, points: 2000 });
const liveHeap = (): number => {
	globalThis.gc?.();
	const { heapUsed } = process.memoryUsage();
	return heapUsed;
};
const before = liveHeap();
let peak = before;
const collected = readRecorded(recorded, () => {
	peak = Math.max(peak, liveHeap());
});
peak = Math.max(peak, liveHeap());
process.stdout.write(String(collected.size === 0 ? Number.NaN : (peak - before) / recorded.bytes));
