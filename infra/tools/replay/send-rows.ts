import { setTimeout } from 'node:timers/promises';
import type { CsvFile } from './csv-file.ts';
import { type ColumnPlan, type DataPoint, pointsOf, timeOf } from './csv-samples.ts';
import type { ReplayProgress } from './progress.ts';
import { maxBatchPoints, type RefusedPoints } from './sender.ts';
import type { ReplayTotals } from './summary.ts';

/** What a replay sends, how, and where it reports to. */
export interface ReplayJob {
	readonly csv: CsvFile;
	readonly plan: ColumnPlan;
	/** Added to every time. */
	readonly shiftMs: number;
	/** Multiple of real speed; undefined sends as fast as possible. */
	readonly rate: number | undefined;
	readonly send: (points: readonly DataPoint[]) => Promise<RefusedPoints | undefined>;
	readonly progress: ReplayProgress;
	/** Updated after each batch, so that they are right when an error ends the replay. */
	readonly totals: ReplayTotals;
	readonly now: () => number;
	/** Ends the replay with the rows read so far. */
	readonly signal: AbortSignal;
}

/** The longest wait of one timer: timers overflow at 2^31 ms. */
const maxWaitMs = 86_400_000;

/**
 * Sends the rows of a CSV file in their order.
 * @throws ConfigError when the file cannot be read any further or the server takes no points
 */
export async function sendRows({ csv, plan, shiftMs, rate, send, progress, totals, now, signal }: ReplayJob): Promise<void> {
	let pending: DataPoint[] = [];
	const sendPending = async (leastPoints: number): Promise<void> => {
		while (pending.length >= leastPoints) {
			const batch = pending.slice(0, maxBatchPoints);
			const refused = await send(batch);
			pending = pending.slice(maxBatchPoints);
			totals.points += batch.length - (refused?.points ?? 0);
			if (refused !== undefined) addRefused(totals, refused);
		}
		progress.update(csv.bytesRead(), totals);
	};
	let start: { readonly timeMs: number; readonly atMs: number } | undefined;
	for await (const row of csv.rows) {
		if (signal.aborted) break;
		const timeMs = timeOf(plan, row);
		if (timeMs === null) {
			totals.untimedRows += 1;
			totals.untimedExample ??= row[plan.timeIndex] ?? '';
			continue;
		}
		const points = pointsOf(plan, row, timeMs + shiftMs);
		if (points.length === 0) {
			totals.numberlessRows += 1;
			continue;
		}
		start ??= { timeMs, atMs: now() };
		const dueMs = rate === undefined ? 0 : start.atMs + (timeMs - start.timeMs) / rate;
		if (dueMs > now()) {
			await sendPending(1);
			await waitUntil(dueMs, now, signal);
			if (signal.aborted) break;
		}
		totals.rows += 1;
		pending.push(...points);
		if (pending.length >= maxBatchPoints) await sendPending(maxBatchPoints);
	}
	await sendPending(1);
}

/** Adds refused points to those with the same message. Numbers in it are ignored: servers put their own counts there. */
function addRefused({ refused }: ReplayTotals, { points, isUpperBound, message }: RefusedPoints): void {
	const key = message.replace(/\d+/g, '');
	const before = refused.get(key);
	refused.set(key, {
		points: points + (before?.points ?? 0),
		isUpperBound: isUpperBound || (before?.isUpperBound ?? false),
		message,
	});
}

/** Waits until a time on the clock, or until the signal is aborted. */
async function waitUntil(timeMs: number, now: () => number, signal: AbortSignal): Promise<void> {
	while (now() < timeMs && !signal.aborted)
		await setTimeout(Math.min(timeMs - now(), maxWaitMs), undefined, { signal }).catch(() => undefined);
}
