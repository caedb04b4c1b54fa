import { isEnabled } from '../board/alarm.ts';
import { DomainError } from '../errors.ts';
import { type AlarmRows, noRows } from '../ports/alarm-store.ts';
import { type EvaluationDeps, evaluateAlarm, RefusedCommitError } from './evaluate-alarm.ts';
import type { EvaluatedAlarm } from './evaluated-alarm.ts';
import { inParallel } from './in-parallel.ts';
import { observedInputsOf, type Piece, type PieceReads, readPiece } from './piece.ts';

/** Commits of one schema at a time. */
const maxConcurrentCommits = 8;

/** The rows of alarms during a tick, by id. They hold the newest states, also those that need not be stored. */
export type TickRows = Map<number, AlarmRows>;

/**
 * Evaluates the alarms of a schema over a piece: one set of reads for each time-series database, then each alarm.
 * @param rows are updated
 * @param failing the ids of alarms that cannot be evaluated because of a bug; updated. The others go on.
 * @returns the errors of those alarms
 * @throws RefusedCommitError, DomainError: the piece must be evaluated again
 */
export async function evaluatePiece(
	deps: EvaluationDeps,
	schema: string,
	alarms: readonly EvaluatedAlarm[],
	rows: TickRows,
	piece: Piece,
	failing: Set<number>,
): Promise<readonly unknown[]> {
	const reads = await readDatabases(deps, alarms, piece);
	const errors: unknown[] = [];
	const evaluate = async (evaluated: EvaluatedAlarm): Promise<void> => {
		const { id } = evaluated.alarm;
		try {
			const read = reads.get(evaluated.database) ?? noReads;
			const after = await evaluateAlarm(deps, schema, piece, { alarm: evaluated, rows: rows.get(id) ?? noRows, reads: read });
			if (after !== null) rows.set(id, after);
		} catch (error) {
			if (error instanceof DomainError || error instanceof RefusedCommitError) throw error;
			failing.add(id);
			errors.push(error);
		}
	};
	await inParallel(maxConcurrentCommits, alarms, evaluate);
	return errors;
}

const noReads: PieceReads = () => {
	throw new RangeError('An alarm that reads nothing asked for a series.');
};

/** Reads what enabled alarms observe. A disabled one observes nothing. */
async function readDatabases(
	{ timeSeries }: EvaluationDeps,
	alarms: readonly EvaluatedAlarm[],
	piece: Piece,
): Promise<ReadonlyMap<string, PieceReads>> {
	const enabled = alarms.filter(({ alarm }) => isEnabled(alarm));
	const byDatabase = Map.groupBy(enabled, ({ database }) => database);
	return new Map(
		await Promise.all(
			[...byDatabase].map(async ([database, each]) => {
				const inputs = each.flatMap(({ variable }) => observedInputsOf(variable));
				return [database, await readPiece(timeSeries, database, inputs, piece)] as const;
			}),
		),
	);
}
