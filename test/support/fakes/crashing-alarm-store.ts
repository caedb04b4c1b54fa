import { DomainError } from '#domain/errors.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';

/**
 * What happens at one write of an evaluator, counted from 0. `dies before`: the write does not happen, and every later call fails.
 * `dies after`: the write happens, and the call and every later one fail. `answer lost`: the write happens, the call fails, and the
 * process goes on. `fails`: the write does not happen, the call fails, and the process goes on.
 */
export interface Crash {
	readonly write: number;
	readonly kind: 'dies before' | 'dies after' | 'answer lost' | 'fails';
}

/** Thrown by every call of an evaluator that has ended. */
export class EvaluatorEnded extends Error {
	override readonly name = 'EvaluatorEnded';
}

/** A store that crashes, and what it has done. */
export interface CrashingAlarmStore {
	readonly alarms: AlarmStore;
	/** Number of writes that began. Without a crash, every number below it is a write at which the evaluator can crash. */
	readonly writes: () => number;
	readonly ended: () => boolean;
}

/** How the evaluator of a crashing store runs. */
export interface CrashingOptions {
	/** Where it crashes; null or left out: nowhere. */
	readonly crash?: Crash | null;
	/** Called before and after every call, so that others can run between any two of them. */
	readonly turn?: () => Promise<void>;
}

/** Wraps a store for one evaluator, which may crash at one of its writes. */
export function crashingAlarmStore(
	store: AlarmStore,
	{ crash = null, turn = async () => undefined }: CrashingOptions,
): CrashingAlarmStore {
	let writes = 0;
	let ended = false;
	const check = () => {
		if (ended) throw new EvaluatorEnded();
	};
	const read = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		await turn();
		check();
		const result = await work();
		await turn();
		check();
		return result;
	};
	const write = async <Result>(lost: 'outcome_unknown' | 'store_failed', work: () => Promise<Result>): Promise<Result> => {
		await turn();
		check();
		const kind = crash?.write === writes ? crash.kind : undefined;
		writes += 1;
		if (kind === 'dies before') ended = true;
		check();
		if (kind === 'fails') throw new DomainError('store_failed', { cause: 'nothing was written' });
		const result = await work();
		if (kind === 'dies after') ended = true;
		await turn();
		check();
		if (kind === 'answer lost') throw new DomainError(lost, { cause: 'the answer was lost' });
		return result;
	};
	const alarms: AlarmStore = {
		evaluatedSchemas: () => read(() => store.evaluatedSchemas()),
		progress: (schema) => read(() => store.progress(schema)),
		alarms: (schema) => read(() => store.alarms(schema)),
		rows: (schema) => read(() => store.rows(schema)),
		rowsOf: (schema, alarmIds) => read(() => store.rowsOf(schema, alarmIds)),
		events: (schema, page) => read(() => store.events(schema, page)),
		startEvaluation: (schema, now) => write('store_failed', () => store.startEvaluation(schema, now)),
		stopEvaluation: (schema) => write('store_failed', () => store.stopEvaluation(schema)),
		acquireLease: (schema, lease, now) => write('store_failed', () => store.acquireLease(schema, lease, now)),
		updateProgress: (schema, update) => write('store_failed', () => store.updateProgress(schema, update)),
		commit: (schema, commit) => write('outcome_unknown', () => store.commit(schema, commit)),
	};
	return { alarms, writes: () => writes, ended: () => ended };
}
