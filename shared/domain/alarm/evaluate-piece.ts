import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import { type EvaluatorState, isShelved } from '../alarm-rows/alarm-rows.ts';
import { isEnabled } from '../board/alarm.ts';
import { DomainError } from '../errors.ts';
import { type AlarmCommit, type AlarmRows, type AlarmStore, noRows } from '../ports/alarm-store.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import type { TimeSeries } from '../ports/time-series.ts';
import { variableKey } from '../transaction/read-set.ts';
import type { FoldEvent } from './alarm-machine.ts';
import { type DefinitionDeps, type EvaluatedAlarm, evaluatedAlarm } from './evaluated-alarm.ts';
import { type AlarmDefinition, fold, mustBeStored } from './fold.ts';
import { inParallel } from './in-parallel.ts';
import { outboxWith } from './outbox-changes.ts';
import { observedInputsOf, type Piece, type PieceReads, readPiece } from './piece.ts';

/** Most commits of one schema that run at the same time. */
const maxConcurrentCommits = 8;

/** The rows of alarms during a tick, by id. They hold the newest states, also those that need not be stored. */
export type TickRows = Map<number, AlarmRows>;

/** The alarms of a schema, as a tick evaluates them piece by piece. */
export interface PieceAlarms {
	readonly alarms: readonly EvaluatedAlarm[];
	/** Is updated with the states after each piece. */
	readonly rows: TickRows;
	/** Gets the ids of alarms that cannot be evaluated because of a bug. The other alarms are evaluated all the same. */
	readonly failing: Set<number>;
}

/**
 * Evaluates the alarms of a schema over a piece: one set of reads for each time-series database, then each alarm.
 * @returns the errors of the failing alarms
 * @throws RefusedCommitError, DomainError: the piece must be evaluated again
 */
export async function evaluatePiece(
	deps: EvaluationDeps,
	schema: string,
	piece: Piece,
	{ alarms, rows, failing }: PieceAlarms,
): Promise<readonly unknown[]> {
	const reads = await readDatabases(deps, alarms, piece);
	const errors: unknown[] = [];
	const evaluate = async (alarm: EvaluatedAlarm): Promise<void> => {
		const { id } = alarm.alarm;
		try {
			const rowsBefore = rows.get(id) ?? noRows;
			const rowsAfter = await evaluateAlarm(deps, schema, piece, {
				alarm,
				rows: rowsBefore,
				reads: reads.get(alarm.database) ?? noReads,
			});
			if (rowsAfter !== null) rows.set(id, rowsAfter);
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

/** Reads the series that enabled alarms observe. A disabled alarm observes nothing. */
async function readDatabases(
	{ timeSeries }: EvaluationDeps,
	alarms: readonly EvaluatedAlarm[],
	piece: Piece,
): Promise<ReadonlyMap<string, PieceReads>> {
	const enabled = alarms.filter(({ alarm }) => isEnabled(alarm));
	const byDatabase = Map.groupBy(enabled, ({ database }) => database);
	return new Map(
		await Promise.all(
			[...byDatabase].map(async ([database, alarmsOfDatabase]) => {
				const inputs = alarmsOfDatabase.flatMap(({ variable }) => observedInputsOf(variable));
				return [database, await readPiece(timeSeries, database, inputs, piece)] as const;
			}),
		),
	);
}

/** Most times that an alarm is folded again after a refused commit. */
const maxRefusals = 3;

/** The dependencies of the evaluation of alarms. */
export interface EvaluationDeps extends DefinitionDeps {
	readonly alarms: AlarmStore;
	readonly store: Pick<SchemaReader, 'get'>;
	readonly timeSeries: TimeSeries;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** An alarm with its rows as they were read, and what was read of its series. */
interface AlarmToEvaluate {
	readonly alarm: EvaluatedAlarm;
	readonly rows: AlarmRows;
	readonly reads: PieceReads;
}

/** The commits of an alarm kept being refused. The piece must be evaluated again. */
class RefusedCommitError extends Error {
	override readonly name = 'RefusedCommitError';
}

/**
 * Evaluates one alarm over a piece and stores what changed: without events, one plain write of the state; with events, one transaction on
 * condition that the alarm and its variable are unchanged. When it is refused, everything is read and folded again.
 * @returns the rows after the piece. They hold the newest state even if it need not be stored. Null: the alarm was deleted meanwhile
 * @throws RefusedCommitError after too many refusals, DomainError the errors of the stores
 */
async function evaluateAlarm(
	deps: EvaluationDeps,
	schema: string,
	piece: Piece,
	first: AlarmToEvaluate,
): Promise<AlarmRows | null> {
	let next = first;
	// A fold that stopped before the end of the piece goes on in the next round. Only refused commits are counted.
	for (let refusals = 0; refusals <= maxRefusals; ) {
		const { alarm, rows, reads } = next;
		const { state, events, isComplete } = fold(alarm, rows.state, reads, piece);
		if (!mustBeStored(rows.state, state)) return { ...rows, state };
		const commit = await commitOf(deps, schema, { alarm, rows, state, events });
		if (commit !== null && (await deps.alarms.commit(schema, commit)) === 'committed') {
			const stored = { ...rows, state: commit.state?.put ?? state, outbox: commit.outbox?.put ?? rows.outbox };
			if (isComplete) return stored;
			next = { alarm, reads, rows: stored };
		} else {
			refusals += 1;
			const fresh = await readAgain(deps, schema, piece, next);
			if (fresh === null) return null;
			next = fresh;
		}
	}
	throw new RefusedCommitError(`The commits of alarm ${first.alarm.alarm.id} were refused ${maxRefusals + 1} times.`);
}

/** An alarm with its rows as they were read, and the state and the events of its fold. */
interface FoldedAlarm {
	readonly alarm: EvaluatedAlarm;
	readonly rows: AlarmRows;
	readonly state: EvaluatorState;
	readonly events: readonly FoldEvent[];
}

/** Builds the commit of a folded alarm. Returns null when its variable has changed since it was read. */
async function commitOf(
	{ store, now }: EvaluationDeps,
	schema: string,
	{ alarm: evaluated, rows: { state: stored, operator, outbox }, state: folded, events: foldEvents }: FoldedAlarm,
): Promise<AlarmCommit | null> {
	const { alarm, rowVersion, variableVersion } = evaluated;
	const state = { expected: stored?.rowVersion ?? null, put: { ...folded, rowVersion: folded.rowVersion + 1 } };
	if (foldEvents.length === 0) return { alarmId: alarm.id, state };
	// The row is read again, because its rowVersion also changes when boards start or stop using the variable. That does not affect the
	// evaluation.
	const [variable] = await store.get(schema, [variableKey(alarm.varId)]);
	if (variable == null || variable.deleting || variable.version !== variableVersion) return null;
	const recordedAt = now();
	const events = foldEvents.map((event) => evaluatorEvent(evaluated, event, recordedAt));
	const isShelvedNow = operator !== null && isShelved(operator, recordedAt);
	return {
		alarmId: alarm.id,
		state,
		checks: [
			{ key: { kind: 'alarm', id: alarm.id }, expected: rowVersion },
			{ key: variableKey(alarm.varId), expected: variable.rowVersion },
		],
		events,
		// The operator's row is checked: if the shelf ended meanwhile, these events must still reach the outbox, or no message would report
		// them.
		...(isShelvedNow
			? { operator: { expected: operator.rowVersion } }
			: { outbox: { expected: outbox?.rowVersion ?? null, put: outboxWith(outbox, events, operator, recordedAt) } }),
	};
}

/**
 * Reads everything of one alarm again. Returns null when the alarm or its variable is deleted, or when the alarm can no longer be
 * evaluated.
 */
async function readAgain(
	{ alarms, store, definitions, timeSeries }: EvaluationDeps,
	schema: string,
	piece: Piece,
	{ alarm: { alarm } }: AlarmToEvaluate,
): Promise<AlarmToEvaluate | null> {
	const [row] = await store.get(schema, [{ kind: 'alarm', id: alarm.id }]);
	if (row == null || row.board.kind !== 'alarm') return null;
	const found = evaluatedAlarm(row, await definitions.get(schema, [row.board.content.varId]));
	if (found === null) return null;
	const { rows, unreadable } = await alarms.rowsOf(schema, [alarm.id]);
	if (unreadable.has(alarm.id)) return null;
	// The variable may read other series now.
	const reads = await readPiece(timeSeries, found.database, observedInputsOf(found.variable), piece);
	return { alarm: found, rows: rows.get(alarm.id) ?? noRows, reads };
}

/** Returns the entry of the journal for an event of the evaluator. `recordedAt`: epoch milliseconds. */
function evaluatorEvent(
	{ alarm, alarmVersion, variable }: AlarmDefinition,
	{ seq, ...event }: FoldEvent,
	recordedAt: number,
): AlarmEvent {
	return {
		...event,
		recordedAt,
		alarmId: alarm.id,
		origin: { writer: 'evaluator', number: seq },
		user: null,
		comment: null,
		alarm: alarmOfEvent(alarm, { version: alarmVersion, unit: variable.unit }),
	};
}
