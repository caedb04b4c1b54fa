import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFile, type FileOptions } from '#infra/tools/replay/check-file.ts';
import { openCsv } from '#infra/tools/replay/csv-file.ts';
import { type DataPoint, planColumns } from '#infra/tools/replay/csv-samples.ts';
import { sendRows } from '#infra/tools/replay/send-rows.ts';
import { newTotals, summaryLines } from '#infra/tools/replay/summary.ts';
import { createCellTimeReader } from '#infra/tools/replay/time.ts';

/** The time of the clock in these replays. */
export const replayedAtMs = Date.parse('2026-11-27T20:00:00Z');

/** Options of `npm run replay`. */
export type ReplayedOptions = Partial<FileOptions> & { readonly timeFormat?: string };

/** Reads a file as `npm run replay` does. Returns the points that it sends, also by topic, and the lines that it prints. */
export async function replayed(content: string | Uint8Array, options: ReplayedOptions = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'replay-'));
	try {
		const file = join(folder, 'samples.csv');
		await writeFile(file, content);
		const reading: FileOptions = {
			timeColumn: 'time',
			topic: '{column}',
			field: 'value',
			repeated: 'refuse',
			good: ['good'],
			nowMs: replayedAtMs,
			readTime: createCellTimeReader({ ...options, nowMs: replayedAtMs }),
			...options,
		};
		const checked = await checkFile(file, reading);
		const csv = await openCsv(file, { ...reading, delimiter: checked.delimiter });
		const plan = planColumns(csv.header, reading);
		const points: DataPoint[] = [];
		const totals = newTotals();
		const send = async (batch: readonly DataPoint[]) => {
			points.push(...batch);
			return { refused: undefined, warning: null };
		};
		const others = { shiftMs: 0, rate: undefined, progress: { update: () => undefined }, now: Date.now };
		await sendRows({ csv, plan, reading, checked, send, totals, signal: new AbortController().signal, ...others });
		totals.points = points.length;
		return { checked, points, samples: samplesOf(points), lines: [...checked.notes, ...summaryLines(plan, totals)] };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The samples of each series by its topic: `[time, value]`, with times to the minute where they are whole minutes. */
function samplesOf(points: readonly DataPoint[]): Readonly<Record<string, readonly (readonly [string, number])[]>> {
	const samples: Record<string, [string, number][]> = {};
	for (const { topic, timeMs, value } of points) {
		samples[topic] ??= [];
		samples[topic].push([new Date(timeMs).toISOString().replace(':00.000Z', 'Z'), value]);
	}
	return samples;
}
