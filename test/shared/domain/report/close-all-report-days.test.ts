import { describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import { closeAllReportDays } from '#domain/use-cases/close-report-days.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openReportPlant, writePlant } from '#test/support/reports/report-plant.ts';

const hourMs = 3_600_000;
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
	const started: string[] = [];
	const store: typeof plant.deps.store = {
		...plant.deps.store,
		list: async (schema, kind) => {
			started.push(schema);
			if (failing.has(schema)) throw new DomainError('store_failed', { cause: 'down' });
			return plant.deps.store.list(schema, kind);
		},
	};
	return {
		...{ ...plant, failing, started },
		closeAll: () => closeAllReportDays({ ...plant.deps, store, owners }),
		daysOf: (schema: string) =>
			plant.stored.list({ schema, reportId: ids.get(schema) ?? expect.unreachable() }, '2026-10-20', '2026-12-31'),
	};
};

describe('closeAllReportDays', () => {
	test('closes the reports of all schemas, also where one fails, and that one when it is well again', async () => {
		const { clock, closeAll, daysOf, failing, sent } = await openSchemas();
		failing.add('c');
		for (let day = 1; day <= 6; day += 1) {
			clock.now = start + day * dayMs + hourMs;
			const { schemas: closed, failed, notStarted } = await closeAll();
			expect([closed, [...failed.keys()], notStarted]).toEqual([5, ['c'], 0]);
		}
		expect(await daysOf('c')).toEqual([]);
		for (const schema of schemas.filter((each) => each !== 'c')) {
			const days = await daysOf(schema);
			expect(days.map(({ date }) => date)).toEqual([20, 21, 22, 23, 24, 25].map((date) => `2026-10-${date}`));
			expect(sent.filter((each) => each.schema === schema).map(({ date }) => date)).toEqual(days.map(({ date }) => date));
		}
		failing.clear();
		const before = sent.length;
		expect((await closeAll()).failed.size).toBe(0);
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
		expect(await closeAll()).toMatchObject({ stored: 0, sealed: 0, sent: 0 });
	});

	test('starts no schema after 200 s, and begins with another one each time, so that none waits for ever', async () => {
		const { clock, closeAll, deps, started } = await openSchemas();
		clock.now = start + dayMs + hourMs;
		const { get } = deps.definitions;
		const reached = new Set<string>();
		deps.definitions.get = async (schema, ids) => {
			clock.now += 70_000;
			return get(schema, ids);
		};
		for (let run = 0; run < schemas.length; run += 1) {
			clock.now = start + dayMs + hourMs + run * 15 * 60_000;
			started.length = 0;
			const { schemas: closed, notStarted, failed } = await closeAll();
			expect([closed + notStarted, failed.size]).toEqual([schemas.length, 0]);
			for (const schema of started) reached.add(schema);
			if (run === 0) expect(notStarted).toBeGreaterThan(0);
		}
		expect([...reached].sort()).toEqual(schemas);
	});
});
