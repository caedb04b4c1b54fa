import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { ReportNotification } from '#domain/ports/notifier.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { StoredDay } from '#domain/report/stored-day.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { createHandler } from '#functions/closeReportDays/handler.ts';
import type { TaskHandler } from '#http/task-handler.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportClosings } from '#infra/local/adapters/sqlite/sqlite-report-closings.ts';
import { createSqliteReportDays } from '#infra/local/adapters/sqlite/sqlite-report-days.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { startTaskTimer } from '#infra/local/task-timer.ts';
import { tasks } from '#shared/tasks.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { MemorySeries } from './memory-series.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Where a process is killed: at one of all its writes and messages, counted from 0, before it happens or after. */
export interface Kill {
	readonly write: number;
	readonly isBefore: boolean;
}

/** Options of `openTenants`. */
export interface TenantsOptions {
	readonly count: number;
	/** The first `hanging` tenants have databases that never answer from `hangsFrom` on. */
	readonly hanging: number;
	readonly hangsFrom: number;
	/** How long a read of another database takes. */
	readonly readMs: number;
	readonly kill?: Kill;
}

/** A process that may be killed: nothing that it awaits goes on afterwards. */
interface Process {
	isKilled: boolean;
	readonly killed: PromiseWithResolvers<void>;
}

/**
 * Opens tenants with a report each that sends its days, on SQLite. Needs fake timers, and a time of an hour at which the first samples are. The
 * task runs as it is: by the timer of one machine, or as invocations of a function on Lambda.
 */
export async function openTenants({ count, hanging, hangsFrom, readMs, kill }: TenantsOptions) {
	const database = openDatabase(':memory:');
	const now = Date.now;
	const store = createSqliteSchemaStore(database);
	const stored = createSqliteReportDays(database);
	const closings = createSqliteReportClosings(database);
	const series = new MemorySeries();
	for (let time = now() - 24 * hourMs; time < now() + 48 * hourMs; time += hourMs) series.write('flow', time, 100);
	const names = Array.from({ length: count }, (_, index) => `plant_${String(index).padStart(4, '0')}`);
	const write = { store, pause: async () => undefined, now, origin: testOrigin };
	const body = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'flow', calc_period: 20 }) } });
	for (const schema of names) {
		const { variable } = await saveVariable(write, schema, parseVariable(body));
		const line = { key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: variable.id, per: 'h' };
		const report = boardOf('report', parseBoard('report', { id: 0, title: 'Daily', send: true, lines: [line] }));
		await saveReport(write, { schema, database: schema }, report);
	}
	const hangs = new Set(names.slice(0, hanging));
	const sent: (ReportNotification & { readonly at: number })[] = [];
	/** The days that were stored for the first time, by tenant and date. */
	const firstStored: { readonly schema: string; readonly date: string; readonly at: number }[] = [];
	const gauges = new Map<string, number>();
	const errors: unknown[] = [];
	const state = { writes: 0, kills: 0 };
	const never = new Promise<never>(() => undefined);

	const start = (): Process => ({ isKilled: false, killed: Promise.withResolvers<void>() });
	const end = (process: Process): void => {
		process.isKilled = true;
		process.killed.resolve();
	};

	/** The handler of the task as one process runs it. */
	const handlerOf = (process: Process, start: (schemas: readonly string[]) => Promise<void>): TaskHandler => {
		const read = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
			if (process.isKilled) return never;
			const result = await work();
			return process.isKilled ? never : result;
		};
		const change = async <Result>(work: () => Promise<Result>): Promise<Result> => {
			if (process.isKilled) return never;
			const isKilledHere = state.writes === kill?.write;
			state.writes += 1;
			if (isKilledHere) state.kills += 1;
			if (isKilledHere && kill.isBefore) end(process);
			if (process.isKilled) return never;
			const result = await work();
			if (isKilledHere) end(process);
			return process.isKilled ? never : result;
		};
		const ask = <Result>(schema: string, work: () => Promise<Result>): Promise<Result> =>
			read(async () => {
				if (hangs.has(schema) && now() >= hangsFrom) return never;
				await new Promise((resolve) => setTimeout(resolve, readMs));
				return work();
			});
		return createHandler({
			store: {
				...store,
				list: (...asked) => read(() => store.list(...asked)),
				get: (...asked) => read(() => store.get(...asked)),
			},
			definitions: createDefinitionCache(store, count),
			samples: {
				countSamples: (asked, keys) => ask(asked, () => series.countSamples(asked, keys)),
				readSamples: (asked, keys) => ask(asked, () => series.readSamples(asked, keys)),
			},
			spans: { readSpans: (asked, keys) => ask(asked, () => series.readSpans(asked, keys)) },
			alarms: { events: async () => ({ events: [], next: null }), progress: async () => null },
			days: {
				...stored,
				list: (...asked) => read(() => stored.list(...asked)),
				newest: (key) => read(() => stored.newest(key)),
				put: (key, day, replaced) =>
					change(async () => {
						const isStored = await stored.put(key, day, replaced);
						if (isStored && replaced === null) firstStored.push({ schema: key.schema, date: day.date, at: now() });
						return isStored;
					}),
			},
			closings: {
				find: (schemas) => read(() => closings.find(schemas)),
				begin: (...run) => change(() => closings.begin(...run)),
				end: (...run) => change(() => closings.end(...run)),
			},
			owners: { list: () => read(() => names.map((name) => ({ kind: 'schema' as const, name, clientId: 1 }))) },
			notifier: { notifyReport: (message) => change(async () => void sent.push({ ...message, at: now() })) },
			workers: { start: (schemas) => read(() => start(schemas)) },
			metrics: { count: () => undefined, time: () => undefined, gauge: (name, value) => void gauges.set(name, value) },
			log: { info: () => undefined, request: () => undefined, error: (_, fields) => void errors.push(fields) },
			report: () => undefined,
			now,
		});
	};

	/** Runs the task in one process, which a supervisor starts again a minute after it was killed. */
	const runOnMachine = (): void => {
		const process = start();
		const handler: TaskHandler = handlerOf(process, async (schemas) => void (await handler({ schemas })));
		const timer = startTaskTimer(handler, everyMinutes);
		void process.killed.promise.then(() => {
			void timer.stop();
			setTimeout(runOnMachine, minuteMs);
		});
	};

	/** Runs the task as invocations of a function, as Lambda does: some at once, each for 300 s at most. The others wait until the next run. */
	const runOnLambda = ({ concurrency, phaseMs }: { readonly concurrency: number; readonly phaseMs: number }): void => {
		const waiting: { readonly event: object; readonly since: number }[] = [];
		let running = 0;
		const next = (): void => {
			const invocation = running < concurrency ? waiting.shift() : undefined;
			if (invocation === undefined) return;
			if (now() - invocation.since > everyMinutes * minuteMs) {
				next();
				return;
			}
			running += 1;
			const process = start();
			const handler = handlerOf(process, async (schemas) => invoke({ schemas }));
			const timer = setTimeout(() => end(process), 300_000);
			void Promise.race([handler(invocation.event), process.killed.promise]).then(() => {
				clearTimeout(timer);
				end(process);
				running -= 1;
				next();
			});
		};
		const invoke = (event: object): void => {
			waiting.push({ event, since: now() });
			next();
		};
		setTimeout(() => {
			invoke({});
			setInterval(() => invoke({}), everyMinutes * minuteMs);
		}, phaseMs);
	};

	return {
		...{ names, hangs, sent, firstStored, gauges, errors, state, runOnMachine, runOnLambda, closings },
		/** The stored row of a tenant's day; undefined: there is none. */
		dayOf: async (schema: string, date: string): Promise<StoredDay | undefined> =>
			(await listRead(stored, { schema, reportId: 2 }, date, date))[0],
		close: () => database.close(),
	};
}

const everyMinutes = tasks.find(({ name }) => name === 'closeReportDays')?.clock?.everyMinutes ?? Number.NaN;
