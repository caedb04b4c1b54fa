import { setTimeout } from 'node:timers/promises';
import { dayMs } from '#domain/milliseconds.ts';
import type { CheckedFile, FileOptions } from './check-file.ts';
import type { CsvFile, CsvRow } from './csv-file.ts';
import { type ColumnPlan, type DataPoint, instantsOf, pointsOf, type SkippedRow } from './csv-samples.ts';
import type { ReplayProgress } from './progress.ts';
import { maxBatchPoints, type RefusedPoints, type SentBatch } from './sender.ts';
import { addSkippedRow, type ReplayTotals } from './summary.ts';

/** The longest wait of one timer: a day. Timers overflow at 2^31 ms. */
const maxWaitMs = dayMs;

/** A time on the clock that has always passed. */
const immediately = 0;

/** The inputs of a replay, and the objects to which it reports. */
export interface ReplayJob {
	readonly csv: CsvFile;
	readonly plan: ColumnPlan;
	readonly reading: FileOptions;
	readonly checked: CheckedFile;
	/** Added to every time. */
	readonly shiftMs: number;
	/** Multiple of real speed; undefined sends as fast as possible. */
	readonly rate: number | undefined;
	readonly send: (points: readonly DataPoint[]) => Promise<SentBatch>;
	readonly progress: Pick<ReplayProgress, 'update'>;
	/** Updated while the replay goes on, so that they are right when an error ends the replay. */
	readonly totals: ReplayTotals;
	readonly now: () => number;
	/** Ends the replay with the rows read so far. */
	readonly signal: AbortSignal;
}

/**
 * Sends the rows of a CSV file in their order.
 * @throws ConfigError when the file cannot be read any further or the server takes no points
 */
export async function sendRows({
	csv,
	plan,
	reading,
	checked,
	shiftMs,
	rate,
	send,
	progress,
	totals,
	now,
	signal,
}: ReplayJob): Promise<void> {
	let pending: DataPoint[] = [];
	/** Sends one batch after the other, until fewer than `leastPoints` are left. */
	const sendPending = async ({ leastPoints }: { readonly leastPoints: number }): Promise<void> => {
		while (pending.length >= leastPoints) {
			const batch = pending.slice(0, maxBatchPoints);
			const { refused, warning } = await send(batch);
			pending = pending.slice(maxBatchPoints);
			totals.points += batch.length - (refused?.points ?? 0);
			if (refused !== undefined) addRefused(totals, refused);
			if (warning !== null) addWarning(totals, warning);
		}
		progress.update(csv.bytesRead(), totals);
	};
	let firstRow: { readonly timeMs: number; readonly readAtMs: number } | undefined;
	for await (const row of csv.rows) {
		if (signal.aborted || row.line > checked.lastLine) break;
		const timeMs = timeOf(row, plan, reading, checked);
		if (typeof timeMs !== 'number') {
			addSkippedRow(totals, timeMs);
			continue;
		}
		const points = pointsOf(plan, row.cells, timeMs + shiftMs, checked.decimal);
		if (points.length === 0) {
			addSkippedRow(totals, { reason: 'no cell is a number' });
			continue;
		}
		firstRow ??= { timeMs, readAtMs: now() };
		const dueMs = rate === undefined ? immediately : firstRow.readAtMs + (timeMs - firstRow.timeMs) / rate;
		if (dueMs > now()) {
			await sendPending({ leastPoints: 1 });
			await waitUntil(dueMs, now, signal);
			if (signal.aborted) break;
		}
		totals.rows += 1;
		pending.push(...points);
		if (pending.length >= maxBatchPoints) await sendPending({ leastPoints: maxBatchPoints });
	}
	await sendPending({ leastPoints: 1 });
}

/** Returns the time of a row, epoch milliseconds, or why the row is not sent. */
function timeOf({ line, cells }: CsvRow, plan: ColumnPlan, { readTime }: FileOptions, checked: CheckedFile): number | SkippedRow {
	const instants = instantsOf(plan, cells, readTime);
	if ('reason' in instants) return instants;
	const timeMs = instants.length === 1 ? instants[0] : checked.repeatedHour.get(line);
	return (
		timeMs ?? {
			reason: 'the time occurs twice, and the order of the rows does not tell which it is',
			example: cells[plan.timeIndex],
		}
	);
}

/** Adds refused points to those with the same message. Numbers in it are ignored: servers put their own counts there. */
function addRefused({ refused }: ReplayTotals, { points, isUpperBound, message }: RefusedPoints): void {
	const key = message.replace(/\d+/g, '');
	const earlier = refused.get(key);
	refused.set(key, {
		points: points + (earlier?.points ?? 0),
		isUpperBound: isUpperBound || (earlier?.isUpperBound ?? false),
		message,
	});
}

/** Adds a warning of the server, unless one that differs in its numbers only is there. */
function addWarning({ warnings }: ReplayTotals, warning: string): void {
	const key = warning.replace(/\d+/g, '');
	const remedy = warning.includes('ahead of the clock') ? '. Local times need --time-zone' : '';
	warnings.set(key, warnings.get(key) ?? `${warning}${remedy}`);
}

/** Waits until a time on the clock, or until the signal is aborted. */
async function waitUntil(timeMs: number, now: () => number, signal: AbortSignal): Promise<void> {
	while (now() < timeMs && !signal.aborted)
		// An abort rejects. It is no error: the condition of the loop ends the wait.
		await setTimeout(Math.min(timeMs - now(), maxWaitMs), undefined, { signal }).catch(() => undefined);
}
