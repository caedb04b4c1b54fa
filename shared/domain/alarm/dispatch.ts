import { startWorkers, stuckGroups, workerGroups } from '../access/worker-groups.ts';
import type { AlarmStore, EvaluatedSchema } from '../ports/alarm-store.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { SchemaWorkers } from '../ports/schema-workers.ts';
import { isLate, lagMs } from './evaluation-status.ts';

/** The lag, in milliseconds, beyond which a schema is stuck: its reads may be slow, and would delay others. */
const stuckMs = 300_000;

/** The dependencies of the dispatcher. */
export interface DispatchDeps {
	readonly alarms: Pick<AlarmStore, 'evaluatedSchemas'>;
	readonly workers: SchemaWorkers;
	readonly metrics: Pick<Metrics, 'gauge'>;
	/** How long the evaluation waits for late samples, in milliseconds. */
	readonly settleMs: number;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The result of a dispatch. */
export interface Dispatched {
	/** Number of schemas that are evaluated. */
	readonly schemas: number;
	/** The schemas that are late, the one with the largest lag first. */
	readonly late: readonly string[];
	/** The errors of workers that could not be started. */
	readonly errors: readonly unknown[];
}

/**
 * Starts workers that evaluate all schemas: 50 schemas each, those with the largest lag first. A schema that is more than five minutes late
 * gets a worker of its own, up to ten of them. First records the metrics of the evaluation, even without any schema: a metric without data
 * means that nothing is evaluated (shared/domain/alarm/EVALUATION.md#silence).
 */
export async function dispatch({ alarms, workers, metrics, settleMs, now }: DispatchDeps): Promise<Dispatched> {
	const measuredAt = now();
	const schemas = await alarms.evaluatedSchemas();
	// A schema that was never evaluated lags since its row was written.
	const lagMsOf = ({ progress: { evaluatedUntil, createdAt } }: EvaluatedSchema): number =>
		evaluatedUntil === null ? measuredAt - createdAt : lagMs(evaluatedUntil, measuredAt, settleMs);
	const waitMsOf = ({ progress: { urgentSince } }: EvaluatedSchema): number =>
		urgentSince === null ? 0 : measuredAt - urgentSince;
	const latestFirst = schemas.toSorted((a, b) => lagMsOf(b) - lagMsOf(a));
	const late = latestFirst.filter((each) => isLate(lagMsOf(each))).map(({ schema }) => schema);
	metrics.gauge('AlarmLagSeconds', Math.max(0, ...schemas.map(lagMsOf)) / 1000);
	metrics.gauge('SchemasEvaluated', schemas.length);
	metrics.gauge('SchemasLate', late.length);
	metrics.gauge('SchemasFailing', schemas.filter(({ progress }) => progress.failing > 0).length);
	metrics.gauge('AlarmOutboxSeconds', Math.max(0, ...schemas.map(waitMsOf)) / 1000);

	const stuckCount = latestFirst.filter((each) => lagMsOf(each) > stuckMs).length;
	const names = latestFirst.map(({ schema }) => schema);
	const groups = [...stuckGroups(names.slice(0, stuckCount)), ...workerGroups(names.slice(stuckCount))];
	return { schemas: schemas.length, late, errors: await startWorkers(workers, groups) };
}
