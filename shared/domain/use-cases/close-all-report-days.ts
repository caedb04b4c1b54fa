import { startWorkers, stuckGroups, workerGroups } from '../access/worker-groups.ts';
import { inParallel } from '../alarm/in-parallel.ts';
import { dayMs, hourMs, minuteMs } from '../milliseconds.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Owners } from '../ports/owners.ts';
import { aheadMs, type Closing, type ReportClosings } from '../ports/report-closings.ts';
import type { SchemaWorkers } from '../ports/schema-workers.ts';
import { type CloseDeps, type ClosedDays, closeReportDays } from './close-report-days.ts';

/** The dependencies of the run that starts workers. */
export interface DispatchClosingsDeps {
	readonly owners: Pick<Owners, 'list'>;
	readonly closings: Pick<ReportClosings, 'find' | 'begin'>;
	readonly workers: SchemaWorkers;
	readonly metrics: Pick<Metrics, 'gauge'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a worker. */
export interface CloseSchemasDeps extends CloseDeps {
	readonly closings: Pick<ReportClosings, 'begin' | 'end'>;
}

/** The result of a run that starts workers. */
export interface DispatchedClosings {
	/** Number of schemas whose reports are closed, and of those whose run was due. */
	readonly schemas: number;
	readonly due: number;
	/** The schemas whose reports were closed in no run of an hour, the longest waiting first. */
	readonly failing: readonly string[];
	/** The errors of rows that could not be written, and of workers that could not be started. */
	readonly errors: readonly unknown[];
}

/** What a worker did. */
export interface ClosedSchemas extends Pick<ClosedDays, 'stored' | 'sealed' | 'sent'> {
	/** Number of schemas that were closed. */
	readonly schemas: number;
	/** The errors of schemas where something failed. */
	readonly failed: ReadonlyMap<string, readonly unknown[]>;
	/** Number of schemas that were not started because time was up. */
	readonly notStarted: number;
}

/** Most schemas of a worker that are closed at the same time. */
const maxConcurrentSchemas = 4;

/** A worker starts no schema after this time, in milliseconds, and a schema has so much time. Its function ends after 300 s. */
const startSchemasMs = 200_000;
const schemaMs = 60_000;

/** After this time a run that did not end counts as killed, in milliseconds. */
const killedAfterMs = 2 * schemaMs;

/** A schema is closed again so long after its run began, in milliseconds. Workers are started every 5 minutes, so that is every 15. */
const againAfterMs = 11 * minuteMs;

/** Most rows of new schemas that are written at the same time. */
const maxConcurrentRows = 8;

/** A schema fails when no run has closed all of its reports for so long, in milliseconds, and newly so for a day. */
const failingAfterMs = hourMs;
const newlyFailingMs = dayMs;

/**
 * Starts workers for the schemas whose run is due: 50 schemas each, the longest waiting first. Those whose last run failed or was killed come
 * last, and delay each other at most. Records the metrics of all schemas that have an owner, and that nobody stopped.
 * @throws DomainError the errors of the store
 */
export async function dispatchClosings(deps: DispatchClosingsDeps): Promise<DispatchedClosings> {
	const now = deps.now();
	const schemas = (await deps.owners.list()).flatMap(({ kind, name }) => (kind === 'schema' ? [name] : []));
	const closings = new Map(await deps.closings.find(schemas));
	const errors: unknown[] = [];
	// The row of a schema that was never closed says since when it waits. Without one, nobody would be told that no run begins.
	const unknown = schemas.filter((schema) => !closings.has(schema));
	await inParallel(maxConcurrentRows, unknown, async (schema) => {
		await deps.closings.begin(schema, now, now).catch((error: unknown) => {
			errors.push(error);
			closings.set(schema, { ...neverClosed, dueAt: now - failingAfterMs - 1 });
		});
	});
	const waiting = schemas
		.map((schema) => ({ schema, ...(closings.get(schema) ?? neverClosed) }))
		.filter(({ isStopped }) => !isStopped)
		.toSorted((a, b) => a.dueAt - b.dueAt);
	const isAhead = (time: number): boolean => time > now + aheadMs;
	const waitMsOf = ({ dueAt, failingSince }: Closing): number => {
		// Since when runs fail is not known where a clock was ahead, so it is told at once.
		if (failingSince !== null && isAhead(failingSince)) return failingAfterMs + 1;
		return now - Math.min(Number.isFinite(dueAt) ? dueAt : now, failingSince ?? now);
	};
	const failing = waiting.filter((each) => waitMsOf(each) > failingAfterMs).toSorted((a, b) => waitMsOf(b) - waitMsOf(a));
	deps.metrics.gauge('ReportSchemas', waiting.length);
	deps.metrics.gauge('ReportSchemasFailing', failing.length);
	deps.metrics.gauge(
		'ReportSchemasNewlyFailing',
		failing.filter((each) => waitMsOf(each) <= failingAfterMs + newlyFailingMs).length,
	);
	const due = waiting.filter(({ dueAt }) => dueAt <= now || isAhead(dueAt));
	const namesOf = (isStuck: boolean): readonly string[] =>
		due.flatMap(({ schema, failingSince }) => ((failingSince !== null) === isStuck ? [schema] : []));
	errors.push(...(await startWorkers(deps.workers, [...workerGroups(namesOf(false)), ...stuckGroups(namesOf(true))])));
	return { schemas: waiting.length, due: due.length, failing: failing.map(({ schema }) => schema), errors };
}

/** A schema that was never closed comes first. It waits since now. */
const neverClosed: Closing = { dueAt: Number.NEGATIVE_INFINITY, failingSince: null, isStopped: false };

/**
 * Closes the days of the reports of schemas, 4 at a time, in order. A schema that fails, or that takes longer than a minute, does not keep the
 * others from being closed. One that is not due any more is left out: another worker has closed it.
 */
export async function closeSchemas(deps: CloseSchemasDeps, schemas: readonly string[]): Promise<ClosedSchemas> {
	const startedAt = deps.now();
	const done = { schemas: 0, stored: 0, sealed: 0, sent: 0, notStarted: 0 };
	const failed = new Map<string, readonly unknown[]>();
	await inParallel(maxConcurrentSchemas, schemas, async (schema) => {
		const begunAt = deps.now();
		if (begunAt - startedAt > startSchemasMs) {
			done.notStarted += 1;
			return;
		}
		try {
			if (!(await deps.closings.begin(schema, begunAt, begunAt + killedAfterMs))) return;
			const closed = await inTime((signal) => closeReportDays(deps, schema, signal)).catch((error: unknown) => failedRun(error));
			if (closed.errors.length > 0) failed.set(schema, closed.errors);
			for (const key of ['stored', 'sealed', 'sent'] as const) done[key] += closed[key];
			done.schemas += 1;
			const dueAt = Math.min(begunAt + againAfterMs, closed.nextDayAt);
			await deps.closings.end(schema, { dueAt, failed: closed.errors.length > 0 });
		} catch (error) {
			// The run was not begun, or its end is not stored: it is repeated, which changes nothing.
			failed.set(schema, [...(failed.get(schema) ?? []), error]);
		}
	});
	return { ...done, failed };
}

/** What is known of a run that failed as a whole. */
const failedRun = (error: unknown): ClosedDays => ({
	...{ stored: 0, sealed: 0, sent: 0, nextDayAt: Number.POSITIVE_INFINITY },
	errors: [error],
});

/** Runs work for a minute. Then it is left alone, with its signal aborted. @throws Error when the work takes longer */
async function inTime<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
	const controller = new AbortController();
	const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		controller.abort();
		reject(new Error(`The reports were not closed within ${schemaMs / 1000} s.`));
	}, schemaMs);
	return Promise.race([work(controller.signal), timeIsUp]).finally(() => clearTimeout(timer));
}
