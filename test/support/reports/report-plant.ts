import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { NotifiedNumber, ReportNotification } from '#domain/ports/notifier.ts';
import type { ReportDays } from '#domain/ports/report-days.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { parseReportRequest } from '#domain/report/report-request.ts';
import { closeReportDays } from '#domain/use-cases/close-report-days.ts';
import { readReport } from '#domain/use-cases/read-report.ts';
import { saveCorrection } from '#domain/use-cases/save-correction.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { sealReportDays } from '#domain/use-cases/seal-report-days.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportDays } from '#infra/local/adapters/sqlite/sqlite-report-days.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { person, testOrigin } from '#test/support/builders/origin.ts';
import { MemorySeries } from './memory-series.ts';

/** The schema and the database of every plant. */
export const tenant = { schema: 's', database: 'd' } as const;

/** The lines of a report over the variables of a plant: one of each function. */
export const linesOf = ({ flow, level, pump, meter, both }: PlantIds) => [
	{ key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: flow, per: 'h', range: [0, 500] },
	{ key: 'mean', name: 'Mean level', unit: 'm', function: 'mean', varId: level, range: [0, 6] },
	{ key: 'least', name: 'Lowest level', unit: 'm', function: 'min', varId: level },
	{ key: 'night', name: 'Highest flow at night', unit: 'm³/h', function: 'max', varId: flow, between: ['22:00', '03:00'] },
	{ key: 'hours', name: 'Run time', unit: 'h', function: 'onTime', varId: pump },
	{ key: 'starts', name: 'Starts', unit: '', function: 'starts', varId: pump },
	{ key: 'metered', name: 'Metered', unit: 'm³', function: 'increase', varId: meter, counter: { size: 100_000 } },
	{ key: 'sum', name: 'Both', unit: 'm³', function: 'total', varId: both, per: 'h' },
	{ key: 'ratio', name: 'Flow for each metre', unit: 'm²/h', function: 'formula', equation: tokensOf('volume / mean') },
];

/** Forty lines: those of the plant several times, and two formulas. */
export const fortyLines = (ids: PlantIds) => {
	const lines = linesOf(ids);
	const plainLines = lines.filter((line) => line.function !== 'formula');
	return Array.from({ length: 40 }, (_, index) => {
		const shown = { key: `line${index}`, name: `Line ${index}` };
		return index < 38
			? { ...plainLines[index % plainLines.length], ...shown }
			: { ...shown, unit: 'm²/h', function: 'formula', equation: tokensOf('line0 / line1') };
	});
};

/** The ids of the variables of a plant. */
interface PlantIds {
	readonly flow: number;
	readonly level: number;
	readonly pump: number;
	readonly meter: number;
	/** A formula of flow and level. */
	readonly both: number;
}

/** The topics of a plant. */
export const topics = ['flow', 'level', 'pump', 'meter'] as const;

/**
 * Creates a plant with variables and a report of all functions, on SQLite and samples in memory.
 * @param wrap wraps the store of days, for faults
 */
export const openReportPlant = async (
	start: number,
	{ timeZone = 'UTC', dayStart = '00:00', send = false, lines = linesOf as (ids: PlantIds) => readonly object[] } = {},
	wrap: (days: ReportDays) => ReportDays = (days) => days,
) => {
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database);
	const series = new MemorySeries();
	const clock = { now: start };
	const now = () => clock.now;
	const write = { store, pause: async () => undefined, now, origin: testOrigin };
	const sent: ReportNotification[] = [];
	const variable = async (body: Record<string, unknown>, id = 0) =>
		(await saveVariable(write, tenant.schema, parseVariable({ ...body, id }))).variable.id;
	const simple = (topic: string, id = 0, query: object = {}) =>
		variable(makeBody({ varsTsdb: { Flow: { ...makeQuery({ calc_topic: topic, calc_period: 20 }), ...query } } }), id);
	const ids: PlantIds = {
		flow: await simple('flow'),
		level: await simple('level'),
		pump: await simple('pump'),
		meter: await simple('meter'),
		both: await variable(
			makeCalculatedBody('a + b', {
				varsTsdb: {
					a: makeQuery({ calc_topic: 'flow', calc_period: 20 }),
					b: makeQuery({ calc_topic: 'level', calc_period: 20 }),
				},
			}),
		),
	};
	const stored = createSqliteReportDays(database);
	const deps = {
		definitions: createDefinitionCache(store),
		store,
		samples: series,
		spans: series,
		alarms: { events: async () => ({ events: [], next: null }), progress: async () => null },
		days: wrap(stored),
		notifier: { notifyReport: async (message: ReportNotification) => void sent.push(message) },
		now,
	};
	const report = { id: 0, title: 'Daily report', timeZone, dayStart, send, lines: lines(ids) };
	const saveAs = async (fields: object) =>
		(await saveReport(write, tenant, boardOf('report', parseBoard('report', { ...report, ...fields })))).board.content.id;
	const id = await saveAs({});
	return {
		clock,
		deps,
		ids,
		id,
		report,
		sent,
		series,
		stored,
		write,
		simple,
		saveReport: (fields: object) => saveAs({ id, ...fields }),
		correct: async (fields: object) =>
			(
				await saveCorrection(
					write,
					tenant.schema,
					boardOf('correction', parseBoard('correction', { id: 0, reason: 'R', ...fields })),
				)
			).board.content.id,
		close: () => closeReportDays(deps, tenant.schema),
		read: (from: number, end: number, period: string) =>
			readReport(deps, tenant, parseReportRequest({ id, start: from, end, period }, clock.now), clock.now),
		seal: (from: string, to: string, reason = 'Checked') =>
			sealReportDays(deps, tenant, { id, from, to, reason }, person('Ana'), clock.now),
	};
};

/** A plant with a report. */
export type ReportPlant = Awaited<ReturnType<typeof openReportPlant>>;

/** Writes samples every `stepMs`, with some that are missing. The same arguments give the same samples. */
export const writePlant = (series: MemorySeries, from: number, to: number, stepMs: number): void => {
	for (let time = from; time < to; time += stepMs) {
		const step = Math.floor(time / stepMs);
		// One sample of 17 is missing, and four in a row of 97.
		if (step % 17 === 3 || step % 97 < 4) continue;
		// Primes make values that do not repeat with the days.
		series.write('flow', time, 100 + ((step * 7919) % 211) / 7);
		series.write('level', time, 2 + ((step * 104_729) % 97) / 50);
		series.write('pump', time, Math.floor(step / 5) % 3 === 0 ? 0 : 1);
		series.write('meter', time, (Math.floor(time / 1000) * 0.05) % 100_000);
	}
};

/** The numbers of a message by their names. */
export const numbersByName = ({ numbers }: ReportNotification): ReadonlyMap<string, NotifiedNumber> =>
	new Map(numbers.map((number) => [number.name, number]));
