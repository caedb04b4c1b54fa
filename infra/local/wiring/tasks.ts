import { randomUUID } from 'node:crypto';
import { staticSecret } from '#adapters/secret.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Owners } from '#domain/ports/owners.ts';
import type { Packs } from '#domain/ports/packs.ts';
import type { ReportClosings } from '#domain/ports/report-closings.ts';
import type { ReportDays } from '#domain/ports/report-days.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { DefinitionCache } from '#domain/reading/definition-cache.ts';
import { canaryTimeoutMs, createCanaryClient } from '#functions/canary/client.ts';
import { createHandler as canary } from '#functions/canary/handler.ts';
import { createHandler as closeReportDays } from '#functions/closeReportDays/handler.ts';
import { createHandler as dispatchAlarms } from '#functions/dispatchAlarms/handler.ts';
import { createHandler as evaluateAlarms } from '#functions/evaluateAlarms/handler.ts';
import { createHandler as packDefinitions } from '#functions/packDefinitions/handler.ts';
import type { Log } from '#http/log.ts';
import type { TaskHandler } from '#http/task-handler.ts';
import type { TaskName } from '#shared/tasks.ts';
import { plantA } from '../demo/idp.ts';
import { localNotifier } from './local-notifier.ts';
import type { LocalSettings } from './settings.ts';

/** Dependencies of the tasks on this machine. */
export interface LocalTaskDeps {
	/** The service that the canary uses. */
	readonly baseUrl: string;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly alarms: AlarmStore;
	readonly store: SchemaStore;
	readonly definitions: DefinitionCache;
	readonly timeSeries: TimeSeries;
	readonly samples: SampleReader;
	readonly spans: SpanReader;
	readonly days: ReportDays;
	readonly closings: ReportClosings;
	readonly owners: Pick<Owners, 'list'>;
	readonly packs: Packs;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Creates the tasks. The canary signs in as the demo's operator. Workers run in this process. */
export function createTasks(settings: LocalSettings, deps: LocalTaskDeps): Readonly<Record<TaskName, TaskHandler>> {
	const taskDeps = {
		...deps,
		// Runs are not logged: a line each minute would hide the errors, which the tasks log themselves.
		report: () => undefined,
		settleMs: settings.ALARM_SETTLE_SECONDS * 1000,
	};
	const notifier = localNotifier(settings, deps.log);
	const evaluate = evaluateAlarms({
		...taskDeps,
		notifier,
		newId: randomUUID,
	});
	const closeReports: TaskHandler = closeReportDays({
		...taskDeps,
		notifier,
		workers: {
			start: async (schemas) => {
				await closeReports({ schemas });
			},
		},
	});
	const { email, schema, database, tokenApps } = plantA;
	const token = staticSecret(tokenApps);
	const client = createCanaryClient({ url: deps.baseUrl, email, schema, database, token, timeoutMs: canaryTimeoutMs });
	return {
		// No timer runs the canary on this machine (infra/local/server.ts), so its runs are logged.
		canary: canary({ log: deps.log, metrics: deps.metrics, report: deps.log.info, client }),
		dispatchAlarms: dispatchAlarms({
			...taskDeps,
			workers: {
				start: async (schemas) => {
					await evaluate({ schemas });
				},
			},
		}),
		evaluateAlarms: evaluate,
		closeReportDays: closeReports,
		packDefinitions: packDefinitions(taskDeps),
	};
}
