import { type Backtest, backtest, backtestPiece } from '../alarm/backtest.ts';
import type { BacktestRequest } from '../alarm/backtest-range.ts';
import { observedInputsOf, readPiece } from '../alarm/piece.ts';
import type { Board } from '../board/board.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import type { TimeSeries } from '../ports/time-series.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import { variableKey } from '../transaction/read-set.ts';
import type { WriteDeps } from '../transaction/run-transaction.ts';
import { previewBoard } from './save-board.ts';

/** The row that a save of an alarm would store, and its back-test; null when no back-test was asked for. */
export interface AlarmPreview {
	readonly row: BoardRow;
	readonly backtest: Backtest | null;
}

/**
 * Returns what a save of an alarm would store, and stores nothing. A new alarm keeps id 0.
 * @param database the time-series database that a back-test reads
 * @param request the back-test, over at least 1 s; null: none
 * @throws DomainError as `saveBoard`; for a back-test also `too_large`, and the errors of `TimeSeries.read`
 */
export async function previewAlarm(
	deps: WriteDeps & { readonly timeSeries: TimeSeries },
	schema: string,
	database: string,
	sent: Board,
	request: BacktestRequest | null,
	match: VersionMatch = null,
): Promise<AlarmPreview> {
	const { row, rows } = await previewBoard(deps, schema, sent, match);
	const { board, version: alarmVersion } = row;
	const stored = board.kind === 'alarm' ? rows.get(variableKey(board.content.varId)) : null;
	if (board.kind !== 'alarm' || stored === null) throw new RangeError('Only an alarm on a variable is previewed.');
	if (request === null) return { row, backtest: null };
	const { variable, version: variableVersion } = stored;
	const inputs = observedInputsOf(variable);
	const piece = backtestPiece(request.range, inputs.length);
	const reads = await readPiece(deps.timeSeries, database, inputs, piece);
	return {
		row,
		backtest: backtest({ alarm: board.content, alarmVersion, variable, variableVersion }, reads, piece, request.zone),
	};
}
