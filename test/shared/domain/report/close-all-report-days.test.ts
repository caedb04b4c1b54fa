import { describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import { type ClosedSchemas, closeSchemas, dispatchClosings } from '#domain/use-cases/close-all-report-days.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportClosings } from '#infra/local/adapters/sqlite/sqlite-report-closings.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { openReportPlant, writePlant } from '#test/support/reports/report-plant.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 9, 20);
const schemas = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Opens six schemas with a report each, whose owners are known. */
const openSchemas = async () => {
	const plant = await openReportPlant(start, { send: true });
	writePlant(plant.series, start - 2 * dayMs, start + 20 * dayMs, hourMs);
	const ids = new Map<string, number>();
	for (const schema of schemas) {
		const query = makeQuery({ calc_topic: 'flow', calc_period: 20 });
		const { variable } = await saveVariable(plant.write, schema, parseVariable(makeBody({ varsTsdb: { Flow: query } })));
		const line = { key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: variable.id, per: 'h' };
		const report = boardOf('report', parseBoard('report', { id: 0, title: 'Daily', send: true, lines: [line] }));
		ids.set(schema, (await saveReport(plant.write, { schema, database: 'd' }, report)).board.content.id);
	}
	const owned = schemas.map((name) => ({ kind: 'schema' as const, name, clientId: 1 }));
	const owners = { list: async () => [{ kind: 'database' as const, name: 'd', clientId: 1 }, ...owned] };
	const failing = new Set<string>();
	const closings = createSqliteReportClosings(openDatabase(':memory:'));
	const store: typeof plant.deps.store = {
		...plant.deps.store,
		list: async (schema, kind) => {
			if (failing.has(schema)) throw new DomainError('store_failed', { cause: 'down' });
			return plant.deps.store.list(schema, kind);
		},
	};
	const deps = { ...plant.deps, store, owners, closings };
	const gauges: Record<string, number> = {};
	const groups: (readonly string[])[] = [];
	return {
		...{ ...plant, failing, closings, gauges, groups },
		close: (names: readonly string[]) => closeSchemas(deps, names),
		/** Starts workers, which run in this process one after another. Returns what they did, and what the dispatcher saw. */
		closeAll: async ({ starts = true } = {}) => {
			const done: ClosedSchemas[] = [];
			groups.length = 0;
			const dispatched = await dispatchClosings({
				...deps,
				metrics: { gauge: (name, value) => void Object.assign(gauges, { [name]: value }) },
				workers: {
					start: async (names) => {
						if (!starts) throw new Error('no worker');
						groups.push(names);
						done.push(await closeSchemas(deps, names));
					},
				},
			});
			const sum = (key: 'schemas' | 'stored' | 'sealed' | 'sent') => done.reduce((total, each) => total + each[key], 0);
			return {
				...{ schemas: sum('schemas'), stored: sum('stored'), sealed: sum('sealed'), sent: sum('sent') },
				failed: done.flatMap(({ failed }) => [...failed.keys()]),
				dispatched,
			};
		},
		daysOf: (schema: string) =>
			listRead(plant.stored, { schema, reportId: ids.get(schema) ?? expect.unreachable() }, '2026-10-20', '2026-12-31'),
	};
};

describe('the days of the reports of all schemas', () => {
	test('closes the reports of all schemas, also where one fails, and that one when it is well again', async () => {
		const { clock, closeAll, daysOf, failing, sent } = await openSchemas();
		failing.add('c');
		for (let day = 1; day <= 6; day += 1) {
			clock.now = start + day * dayMs + hourMs;
			expect(await closeAll()).toMatchObject({ schemas: 6, failed: ['c'] });
		}
		expect(await daysOf('c')).toEqual([]);
		for (const schema of schemas.filter((each) => each !== 'c')) {
			const days = await daysOf(schema);
			expect(days.map(({ date }) => date)).toEqual([20, 21, 22, 23, 24, 25].map((date) => `2026-10-${date}`));
			expect(sent.filter((each) => each.schema === schema).map(({ date }) => date)).toEqual(days.map(({ date }) => date));
		}
		failing.clear();
		const before = sent.length;
		clock.now += 15 * minuteMs;
		expect((await closeAll()).failed).toEqual([]);
		// The first run of a report stores the last days, and sends the newest one.
		const recovered = await daysOf('c');
		expect(recovered.map(({ date, seal }) => [date, seal !== null])).toEqual([
			['2026-10-22', true],
			['2026-10-23', false],
			['2026-10-24', false],
			['2026-10-25', false],
		]);
		expect(sent.slice(before).map(({ schema, date }) => [schema, date])).toEqual([['c', '2026-10-25']]);
	});

	test('a schema that began to fail while the clock was ahead counts as failing once the clock is right', async () => {
		const { clock, closeAll, closings, failing, gauges } = await openSchemas();
		const now = start + dayMs + hourMs;
		for (const schema of ['a', 'b']) await closings.begin(schema, now + 400 * dayMs, now + 400 * dayMs);
		clock.now = now;
		failing.add('c').add('b');
		await closeAll();
		clock.now += 15 * minuteMs;
		await closeAll();
		expect(gauges).toMatchObject({ ReportSchemas: 6, ReportSchemasFailing: 1, ReportSchemasNewlyFailing: 1 });
		failing.clear();
		clock.now += 15 * minuteMs;
		await closeAll();
		clock.now += 15 * minuteMs;
		await closeAll();
		expect(gauges).toMatchObject({ ReportSchemas: 6, ReportSchemasFailing: 0, ReportSchemasNewlyFailing: 0 });
	});

	test('catches up after an outage of all: each day is stored once, and days of more than 72 hours ago are sealed and not sent', async () => {
		const { clock, closeAll, daysOf, sent } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		await closeAll();
		const before = sent.length;
		clock.now = start + 9 * dayMs + hourMs;
		// Three days were stored before the outage, and are sealed now; of eight more, five are older than 72 hours.
		expect(await closeAll()).toMatchObject({ schemas: 6, stored: 6 * 11, sealed: 6 * 8, sent: 6 * 3 });
		for (const schema of schemas) {
			const days = await daysOf(schema);
			expect(days.map(({ date }) => date)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28].map((date) => `2026-10-${date}`));
			expect(days.filter(({ seal }) => seal === null).map(({ date }) => date)).toEqual([
				'2026-10-26',
				'2026-10-27',
				'2026-10-28',
			]);
			expect(new Set(days.map(({ revision }) => revision))).toEqual(new Set([1]));
			expect(sent.slice(before).filter((each) => each.schema === schema)).toHaveLength(3);
		}
		clock.now += 15 * minuteMs;
		expect(await closeAll()).toMatchObject({ schemas: 6, stored: 0, sealed: 0, sent: 0 });
	});

	test('closes a schema every 15 minutes, and when a day of it is to be stored, though workers are started every 5', async () => {
		const { clock, closeAll } = await openSchemas();
		const closedAt: number[] = [];
		// From 20 minutes before midnight until an hour after it.
		for (let minute = -20; minute <= 60; minute += 5) {
			clock.now = start + dayMs + minute * minuteMs;
			const { schemas: closed, sent } = await closeAll();
			if (closed > 0) closedAt.push(minute);
			// First the newest day of a new report is sent, then the day that ends at midnight.
			expect([closed % 6, sent]).toEqual([0, minute === -20 || minute === 15 ? 6 : 0]);
			// As if the run took a while.
			clock.now += 1;
		}
		expect(closedAt).toEqual([-20, -5, 10, 15, 30, 45, 60]);
	});

	test('starts no schema after 200 s. The next run begins with those that wait longest', async () => {
		const { clock, close, closeAll, deps, groups } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		const { get } = deps.definitions;
		deps.definitions.get = async (schema, ids) => {
			clock.now += 70_000;
			return get(schema, ids);
		};
		expect(await close(schemas)).toMatchObject({ schemas: 4, notStarted: 2 });
		clock.now += 20 * minuteMs;
		await closeAll();
		expect(groups).toEqual([['e', 'f', 'a', 'b', 'c', 'd']]);
	});

	test('a schema whose run failed, or did not end, has a worker of its own after the others', async () => {
		const { clock, closeAll, closings, failing, groups } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		failing.add('b');
		await closeAll();
		clock.now += 15 * minuteMs;
		await closings.begin('e', clock.now, clock.now + 2 * minuteMs);
		expect(await closeAll()).toMatchObject({ schemas: 5, dispatched: { due: 5 } });
		clock.now += 5 * minuteMs;
		await closeAll();
		expect(groups).toEqual([['e']]);
		clock.now += 15 * minuteMs;
		await closeAll();
		expect(groups).toEqual([['a', 'c', 'd', 'f', 'e'], ['b']]);
	});

	test('counts a schema as failing after an hour, as newly failing for a day, and names it; one that was stopped no more', async () => {
		const { clock, closeAll, closings, failing, gauges } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		failing.add('c');
		const seen: number[][] = [];
		for (let minute = 0; minute <= 27 * 60; minute += 15) {
			const { dispatched } = await closeAll();
			const { ReportSchemas: all, ReportSchemasFailing: bad, ReportSchemasNewlyFailing: newly } = gauges;
			expect([all, dispatched.failing]).toEqual([6, bad === 1 ? ['c'] : []]);
			seen.push([minute, bad ?? Number.NaN, newly ?? Number.NaN]);
			clock.now += 15 * minuteMs;
		}
		const changes = seen.filter(([, ...now], index) => String(now) !== String(seen[index - 1]?.slice(1)));
		expect(changes).toEqual([
			[0, 0, 0],
			[75, 1, 1],
			[25 * 60 + 15, 1, 0],
		]);
		await closings.stop('c');
		expect((await closeAll()).dispatched).toMatchObject({ schemas: 5, due: 5, failing: [] });
		expect(gauges).toEqual({ ReportSchemas: 5, ReportSchemasFailing: 0, ReportSchemasNewlyFailing: 0 });
		await closings.restart('c');
		failing.clear();
		clock.now += 15 * minuteMs;
		expect(await closeAll()).toMatchObject({ schemas: 6, failed: [], dispatched: { failing: [] } });
	});

	test('counts a schema that no run ever begins with as newly failing, until one does', async () => {
		const { clock, closeAll, closings, gauges } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		const { begin } = closings;
		closings.begin = async (schema, ...times) => {
			if (schema === 'c') throw new DomainError('store_failed', { cause: 'denied' });
			return begin(schema, ...times);
		};
		for (let run = 0; run < 20; run += 1) {
			const { dispatched } = await closeAll();
			if (run > 0) expect([gauges, dispatched.failing]).toMatchObject([{ ReportSchemasNewlyFailing: 1 }, ['c']]);
			clock.now += 5 * minuteMs;
		}
		closings.begin = begin;
		await closeAll();
		clock.now += 5 * minuteMs;
		expect((await closeAll()).dispatched.failing).toEqual([]);
	});

	test('counts schemas for which no worker was ever started as newly failing after an hour', async () => {
		const { clock, closeAll, gauges } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		for (const [minutes, failing] of [
			[0, 0],
			[60, 0],
			[61, 6],
		] as const) {
			clock.now = start + dayMs + minutes * minuteMs;
			await closeAll({ starts: false });
			expect(gauges).toMatchObject({ ReportSchemasFailing: failing, ReportSchemasNewlyFailing: failing });
		}
		await closeAll();
		clock.now += 5 * minuteMs;
		await closeAll();
		expect(gauges).toMatchObject({ ReportSchemasFailing: 0, ReportSchemasNewlyFailing: 0 });
	});

	test('closes the reports at once after a clock that was ahead is set back', async () => {
		const { clock, closeAll } = await openSchemas();
		clock.now = start + 400 * dayMs + hourMs;
		await closeAll();
		clock.now = start + dayMs + hourMs;
		expect(await closeAll()).toMatchObject({ schemas: 6, failed: [], dispatched: { due: 6, failing: [] } });
	});

	test('counts a schema that no run begins with as failing, too', async () => {
		const { clock, closeAll, gauges } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		await closeAll();
		clock.now += 3 * hourMs;
		// All have only waited, and are closed now. The alarm needs three such runs.
		await closeAll();
		expect(gauges).toMatchObject({ ReportSchemasFailing: 6, ReportSchemasNewlyFailing: 6 });
		clock.now += 5 * minuteMs;
		await closeAll();
		expect(gauges).toMatchObject({ ReportSchemasFailing: 0, ReportSchemasNewlyFailing: 0 });
	});
});
