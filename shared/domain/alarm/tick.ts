import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import { isEnabled } from '../board/alarm.ts';
import { isoTime } from '../calendar/iso-time.ts';
import { type AlarmCommit, type AlarmRows, noRows, type ProgressUpdate } from '../ports/alarm-store.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { type MessageCandidate, type NotifyDeps, notify, urgentSinceOf } from './due-message.ts';
import { hasShelfEnded, shelfEndCommit } from './end-shelves.ts';
import { type EvaluationDeps, evaluatePiece, type PieceAlarms, type TickRows } from './evaluate-piece.ts';
import { type LoadedAlarms, loadAlarms } from './evaluated-alarm.ts';
import { piecesOf, type TickRange, tickRange } from './pieces.ts';

/** The dependencies of a tick. */
export interface TickDeps extends EvaluationDeps, NotifyDeps {
	readonly store: Pick<SchemaReader, 'get' | 'list'>;
	/** Returns an id that no other evaluator has. */
	readonly newId: () => string;
	/** How long the evaluation waits for late samples, in milliseconds. */
	readonly settleMs: number;
}

/** The result of a tick. */
export interface TickResult {
	readonly schema: string;
	/**
	 * `done`: evaluated until `settleMs` before now. `behind`: the next tick goes on from where this one ended. `held`: another
	 * evaluator holds the lease.
	 */
	readonly outcome: 'done' | 'behind' | 'held';
	/** The ids of alarms that could not be evaluated. */
	readonly failing: readonly number[];
	/** Whether a message was sent. */
	readonly sent: boolean;
	/** What went wrong, for the log. A step that fails does not keep the others from running. */
	readonly errors: readonly unknown[];
}

/**
 * Evaluates the alarms of a schema until `settleMs` before now, ends shelves, sends the message that is due, and sweeps the rows of deleted
 * alarms (shared/domain/alarm/EVALUATION.md#the-tick). Nothing is lost when it ends at any moment: the next tick goes on from what is
 * stored.
 * @param stopAt starts no further piece after that time, epoch milliseconds
 */
export async function tick(deps: TickDeps, schema: string, stopAt: number): Promise<TickResult> {
	const { alarms, now } = deps;
	const lease = deps.newId();
	const progress = await alarms.acquireLease(schema, lease, now());
	if (progress === null) return { schema, outcome: 'held', failing: [], sent: false, errors: [] };
	const errors: unknown[] = [];
	/** Runs a step. Its error is noted, and the next step runs. */
	const attempt = async <Result>(step: () => Promise<Result>): Promise<Result | undefined> => {
		try {
			return await step();
		} catch (error) {
			errors.push(error);
			return undefined;
		}
	};
	const finish = async (update: Omit<ProgressUpdate, 'lease' | 'release'>): Promise<boolean | undefined> =>
		attempt(() => alarms.updateProgress(schema, { ...update, lease, release: true }));

	const { evaluatedUntil: startsAt, lastSentAt } = progress;
	const loaded = await attempt(() => loadAlarms(deps, schema));
	if (loaded === undefined) {
		await finish({ expected: startsAt });
		return { schema, outcome: 'behind', failing: [], sent: false, errors };
	}
	const rows: TickRows = new Map(loaded.rows);
	const range = tickRange(startsAt, now(), deps.settleMs);
	const evaluation: TickEvaluation = { storedUntil: startsAt, evaluatedUntil: startsAt, isLost: false, failing: new Set() };
	await attempt(() => evaluateRange(deps, schema, range, { alarms: loaded.evaluated, rows, lease, stopAt, evaluation, errors }));
	const { storedUntil, evaluatedUntil } = evaluation;
	if (evaluation.isLost) return { schema, outcome: 'held', failing: [], sent: false, errors };

	await attempt(() => endShelves(deps, schema, loaded, rows));
	const candidates = candidatesOf(loaded, rows);
	// Null: no message was due. Undefined: sending failed, and the next tick sends it.
	const message = await attempt(() => notify(deps, schema, candidates, lastSentAt));
	const reported = message?.candidates ?? candidates;
	await attempt(() => sweepOrphans(deps, schema, loaded, reported));
	const failing = [...loaded.failing, ...evaluation.failing];
	const urgent = reported.flatMap((each) => urgentSinceOf(each, now()) ?? []);
	const isStored = await finish({
		expected: storedUntil,
		...(evaluatedUntil !== null && evaluatedUntil !== storedUntil && { evaluatedUntil }),
		...(message?.sentAt != null && { lastSentAt: message.sentAt }),
		failing: failing.length,
		urgentSince: urgent.length === 0 ? null : Math.min(...urgent),
	});
	const isDone = isStored === true && evaluatedUntil !== null && evaluatedUntil >= range.to;
	return { schema, outcome: isDone ? 'done' : 'behind', failing, sent: message != null, errors };
}

/** The progress of a tick. Null: the schema was never evaluated. */
interface TickEvaluation {
	/** The end of the last piece whose progress is stored. */
	storedUntil: number | null;
	/** The end of the last piece that was evaluated. It is stored before the next piece, or with the release of the lease. */
	evaluatedUntil: number | null;
	/** Whether another evaluator took over the schema. */
	isLost: boolean;
	readonly failing: Set<number>;
}

/** What the evaluation of a range works with. It updates the rows, the progress and the errors. */
interface RangeContext extends Pick<PieceAlarms, 'alarms' | 'rows'> {
	readonly lease: string;
	/** No further piece is started after that time, epoch milliseconds. */
	readonly stopAt: number;
	readonly evaluation: TickEvaluation;
	readonly errors: unknown[];
}

/** Evaluates piece by piece. The progress of a piece is stored before the next piece begins; that of the last one is left to the caller. */
async function evaluateRange(
	deps: TickDeps,
	schema: string,
	range: TickRange,
	{ alarms, rows, lease, stopAt, evaluation, errors }: RangeContext,
): Promise<void> {
	const enabled = alarms.filter(({ alarm }) => isEnabled(alarm));
	for (const piece of piecesOf(range, enabled)) {
		const { storedUntil, evaluatedUntil } = evaluation;
		if (evaluatedUntil !== storedUntil && evaluatedUntil !== null) {
			evaluation.isLost = !(await deps.alarms.updateProgress(schema, { lease, expected: storedUntil, evaluatedUntil }));
			evaluation.storedUntil = evaluatedUntil;
			if (evaluation.isLost || deps.now() >= stopAt) return;
		}
		errors.push(...(await evaluatePiece(deps, schema, piece, { alarms, rows, failing: evaluation.failing })));
		// The gap ends where the first piece begins.
		if (piece.from === range.from && range.gapSince !== null)
			await recordGap(deps, schema, { from: range.gapSince, to: piece.from });
		evaluation.evaluatedUntil = piece.to;
	}
}

/** Adds an entry to the journal for a time that was never evaluated. A gap that the journal has already is left as it is. */
async function recordGap(
	{ alarms, now }: TickDeps,
	schema: string,
	{ from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
	const gap: AlarmEvent = {
		time: from,
		recordedAt: now(),
		// 0: the event concerns the whole schema.
		alarmId: 0,
		origin: { writer: 'evaluator', number: 0 },
		occurrence: 0,
		kind: 'gap',
		cause: null,
		value: null,
		quality: null,
		inputs: [],
		user: null,
		alarm: null,
		comment: `Not evaluated until ${isoTime(to)}.`,
	};
	await alarms.commit(schema, { alarmId: gap.alarmId, events: [gap] });
}

/** Ends the shelves whose time is over. */
async function endShelves({ alarms, now }: TickDeps, schema: string, loaded: LoadedAlarms, rows: TickRows): Promise<void> {
	for (const { id, alarm } of describedAlarms(loaded)) {
		const before = rows.get(id) ?? noRows;
		if (!hasShelfEnded(before, now())) continue;
		const commit = shelfEndCommit(id, before, { user: null, comment: null, now: now() }, alarm);
		// A refused commit needs no retry: an operator shelved the alarm again, or it is deleted.
		if (commit === null || (await alarms.commit(schema, commit)) !== 'committed') continue;
		rows.set(id, { ...before, operator: commit.operator?.put ?? null, outbox: commit.outbox?.put ?? before.outbox });
	}
}

/** Deletes the rows of deleted alarms, except those with an event about which no message was sent yet. */
async function sweepOrphans(
	{ alarms, now }: TickDeps,
	schema: string,
	{ saved }: LoadedAlarms,
	candidates: readonly MessageCandidate[],
): Promise<void> {
	const orphans = candidates.filter(({ id, rows }) => !saved.has(id) && (rows.outbox?.lastEvent ?? null) === null);
	for (const { id, rows } of orphans) await alarms.commit(schema, orphanCommit(id, rows, now()));
}

/** Returns every alarm that a message can report: evaluated ones, and those with rows that are deleted or cannot be evaluated. */
function candidatesOf(loaded: LoadedAlarms, rows: TickRows): readonly MessageCandidate[] {
	const described = describedAlarms(loaded).map((each) => ({ ...each, rows: rows.get(each.id) ?? noRows }));
	const ids = new Set(described.map(({ id }) => id));
	const others = [...rows].filter(([id]) => !ids.has(id)).map(([id, each]) => ({ id, rows: each, enabled: false, alarm: null }));
	return [...described, ...others];
}

/** Returns the evaluated alarms as messages and events describe them. */
const describedAlarms = ({ evaluated }: LoadedAlarms) =>
	evaluated.map(({ alarm, alarmVersion, variable }) => ({
		id: alarm.id,
		enabled: isEnabled(alarm),
		alarm: alarmOfEvent(alarm, { version: alarmVersion, unit: variable.unit }),
	}));

/**
 * Returns the commit that deletes the rows of a deleted alarm, with the event `cleared` if the alarm was active. Ids are never used again.
 * @param now epoch milliseconds
 */
function orphanCommit(alarmId: number, { state, operator, outbox }: AlarmRows, now: number): AlarmCommit {
	const cleared: readonly AlarmEvent[] =
		state === null || state.cause === null
			? []
			: [
					{
						time: now,
						recordedAt: now,
						alarmId,
						origin: { writer: 'evaluator', number: state.seq + 1 },
						occurrence: state.occurrence,
						kind: 'cleared',
						cause: 'deleted',
						value: null,
						quality: null,
						inputs: [],
						user: null,
						comment: null,
						alarm: outbox?.lastEvent?.alarm ?? null,
					},
				];
	const deletion = (row: { readonly rowVersion: number } | null) => ({ expected: row?.rowVersion ?? null, put: null });
	return {
		alarmId,
		...(state !== null && { state: deletion(state) }),
		...(operator !== null && { operator: deletion(operator) }),
		...(outbox !== null && { outbox: deletion(outbox) }),
		checks: [{ key: { kind: 'alarm', id: alarmId }, expected: null }],
		events: cleared,
	};
}
