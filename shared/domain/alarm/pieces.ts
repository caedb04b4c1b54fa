import { hourMs, secondMs } from '../milliseconds.ts';
import type { EvaluatedAlarm } from './evaluated-alarm.ts';
import { observedInputsOf, type Piece } from './piece.ts';

/** How far a tick goes back at most, and how far the first tick of a schema goes back, in milliseconds. */
const maxBackMs = hourMs;
const firstBackMs = 60_000;

const maxPieceSeconds = 600;
/** Most values of one piece: series times seconds. */
const maxPieceValues = 90_000;

/** The time that a tick evaluates. Epoch milliseconds, whole seconds. */
export interface TickRange {
	readonly from: number;
	readonly to: number;
	/** The start of the time that is skipped because it is too long to catch up; null: nothing is skipped. */
	readonly gapSince: number | null;
}

/**
 * Returns the time that a tick at `now` evaluates. It ends `settleMs` before `now`, because samples arrive late.
 * @param evaluatedUntil null: the schema was never evaluated
 */
export function tickRange(evaluatedUntil: number | null, now: number, settleMs: number): TickRange {
	const to = Math.floor((now - settleMs) / secondMs) * secondMs;
	const oldest = to - maxBackMs;
	if (evaluatedUntil === null) return { from: to - firstBackMs, to, gapSince: null };
	return evaluatedUntil < oldest ? { from: oldest, to, gapSince: evaluatedUntil } : { from: evaluatedUntil, to, gapSince: null };
}

/** Divides the time of a tick into pieces, each small enough for one read. Empty when there is nothing to evaluate yet. */
export function piecesOf({ from, to }: TickRange, alarms: readonly EvaluatedAlarm[]): readonly Piece[] {
	const seconds = Math.min(maxPieceSeconds, Math.floor(maxPieceValues / Math.max(1, seriesCount(alarms))));
	const lengthMs = Math.max(1, seconds) * secondMs;
	const count = Math.max(0, Math.ceil((to - from) / lengthMs));
	return Array.from({ length: count }, (_, index) => {
		const start = from + index * lengthMs;
		return { from: start, to: Math.min(to, start + lengthMs), stepMs: secondMs };
	});
}

function seriesCount(alarms: readonly EvaluatedAlarm[]): number {
	const ids = alarms.flatMap(({ database, variable }) =>
		observedInputsOf(variable).map(({ series, lookbackMs }) => JSON.stringify([database, series, lookbackMs])),
	);
	return new Set(ids).size;
}
