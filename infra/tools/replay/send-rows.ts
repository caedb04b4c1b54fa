import { setTimeout } from 'node:timers/promises';
import { rowsOf } from './csv-file.ts';
import { type DataPoint, type Plan, pointsOf } from './csv-samples.ts';
import type { Progress } from './progress.ts';
import { maxBatchPoints, type Sender } from './sender.ts';
import type { Outcome } from './summary.ts';

/** How a file is played. */
export interface Playing {
	readonly file: string;
	readonly plan: Plan;
	/** Added to every time. */
	readonly shiftMs: number;
	/** How many times faster than it happened; absent: as fast as it goes. */
	readonly rate: number | undefined;
	readonly sender: Sender;
	readonly progress: Progress;
	/** Filled while it plays, so that it says what was done whatever ends it. */
	readonly outcome: Outcome;
	readonly now: () => number;
	/** Ends the playing after the batch under way. */
	readonly signal: AbortSignal;
}

/** Longest single wait: timers go wrong past 2^31 ms. */
const longestWaitMs = 86_400_000;

/** Sends a file's rows in their order. Throws ReplayFailure where the file cannot be read on or the server takes nothing. */
export async function sendRows({ file, plan, shiftMs, rate, sender, progress, outcome, now, signal }: Playing): Promise<void> {
	let pending: DataPoint[] = [];
	let pendingRows = 0;
	let rowsRead = 0;
	const flush = async (): Promise<void> => {
		for (let from = 0; from < pending.length && !signal.aborted; from += maxBatchPoints) {
			const batch = pending.slice(from, from + maxBatchPoints);
			const refusal = await sender.send(batch);
			outcome.points += batch.length - (refusal?.points ?? 0);
			if (refusal !== undefined) {
				// The server's words count their own points: without the numbers, equal reasons come together.
				const key = refusal.words.replace(/\d+/g, '');
				const { points, atMost } = outcome.refusals.get(key) ?? { points: 0, atMost: false };
				outcome.refusals.set(key, { ...refusal, points: points + refusal.points, atMost: atMost || refusal.atMost });
			}
		}
		outcome.rows += pendingRows;
		pending = [];
		pendingRows = 0;
		progress.update(rowsRead, outcome.points);
	};

	let began: { readonly timeMs: number; readonly atMs: number } | undefined;
	let isHeader = true;
	for await (const row of rowsOf(file)) {
		if (signal.aborted) return;
		if (isHeader) {
			isHeader = false;
			continue;
		}
		const points = pointsOf(plan, row, shiftMs);
		if (typeof points === 'string') {
			rowsRead += 1;
			const skipped = outcome.skippedRows[points];
			skipped.count += 1;
			if (points === 'time') skipped.example ??= row[plan.timeIndex] ?? '';
			continue;
		}
		const timeMs = points[0]?.timeMs ?? 0;
		began ??= { timeMs, atMs: now() };
		const dueMs = rate === undefined ? 0 : began.atMs + (timeMs - began.timeMs) / rate;
		if (dueMs > now() || pending.length + points.length > maxBatchPoints) {
			await flush();
			await waitUntil(dueMs, now, signal);
			if (signal.aborted) return;
		}
		rowsRead += 1;
		pendingRows += 1;
		for (const point of points) pending.push(point);
	}
	await flush();
}

async function waitUntil(timeMs: number, now: () => number, signal: AbortSignal): Promise<void> {
	for (let leftMs = timeMs - now(); leftMs > 0 && !signal.aborted; leftMs = timeMs - now()) {
		try {
			await setTimeout(Math.min(leftMs, longestWaitMs), undefined, { signal });
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}
}
