import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import { type CallOptions, call, signIn, type Target } from './target.ts';

/** Two tenants with equal ids, names and topics cannot read or change each other's data. */
export const isolationSuite = (target: () => Target): void => {
	describe('two tenants with equal ids', () => {
		const token = { a: '', b: '' };
		let id: number;

		const as = (tenant: 'a' | 'b', method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { ...options, token: token[tenant] });
		const variable = (unit: string, overrides = {}) =>
			makeBody({ unit, varsTsdb: { Flow: makeQuery({ calc_topic: 'shared/topic' }) }, ...overrides });
		const save = async (tenant: 'a' | 'b', body: unknown) => (await as(tenant, 'POST', '/saveVariable', { body })).body.data;

		beforeAll(async () => {
			token.a = await signIn(target(), 'a');
			token.b = await signIn(target(), 'b');
			// Saves variables until both schemas have one with the same id.
			const next = { a: (await save('a', variable('A'))).id, b: (await save('b', variable('B'))).id };
			while (next.a !== next.b) {
				const behind = next.a < next.b ? 'a' : 'b';
				next[behind] = (await save(behind, variable(behind.toUpperCase()))).id;
			}
			id = next.a;
			await target().feed('plant_a', `shared/topic value=1 ${Date.now() - 1000}`);
			await target().feed('plant_b', `shared/topic value=2 ${Date.now() - 1000}`);
		});

		const unitsOf = async (tenant: 'a' | 'b') =>
			(await as(tenant, 'GET', '/getVarsTsdb')).body.data
				.filter((each: { id: number }) => each.id === id)
				.map(({ unit }: { unit: string }) => unit);

		test('getVarsTsdb lists only the variables of the tenant', async () => {
			expect([await unitsOf('a'), await unitsOf('b')]).toEqual([['A'], ['B']]);
		});

		test('multipleDataTsdb reads only the definitions and series of the tenant', async () => {
			for (const [tenant, unit, value] of [
				['a', 'A', 1],
				['b', 'B', 2],
				['a', 'A', 1],
			] as const) {
				const { body } = await as(tenant, 'POST', '/multipleDataTsdb', { body: { ids: [id] } });
				expect(body.data[0]).toMatchObject({ id, unit, value });
			}
		});

		test('history reads only the definitions and series of the tenant', async () => {
			for (const [tenant, unit, value] of [
				['a', 'A', 1],
				['b', 'B', 2],
				['a', 'A', 1],
			] as const) {
				const request = { ids: [id], start: Date.now() - 600_000, period: { count: 1, unit: 'h' }, aggregates: ['max'] };
				const { body } = await as(tenant, 'POST', '/history', { body: request });
				expect(body.data.variables[0]).toMatchObject({ id, unit });
				expect(body.data.variables[0].values.max).toContain(value);
			}
		});

		test('saveAlarm tries an alarm on the definitions and series of the tenant', async () => {
			const body = {
				...{ id: 0, name: 'High', varId: id, condition: '>', threshold: 1.5, severity: 'info', message: 'M' },
				noDataSeconds: 0,
			};
			for (const [tenant, values] of [
				['a', []],
				['b', [2]],
				['a', []],
			] as const) {
				const range = `start=${Date.now() - 600_000}&end=${Date.now()}`;
				const { body: answer } = await as(tenant, 'POST', `/saveAlarm?dryRun=1&${range}`, { body });
				expect(answer.data.backtest.events.map(({ value }: { value: number }) => value)).toEqual(values);
			}
		});

		test('saveVariable changes only the variable of the tenant, and ignores a schema in the body', async () => {
			const body = { ...variable('B2'), id, schema: 'plant_a', schemaName: 'plant_a', tsdb_name: 'plant_a' };
			expect((await as('b', 'POST', '/saveVariable', { body })).status).toBe(200);
			expect([await unitsOf('a'), await unitsOf('b')]).toEqual([['A'], ['B2']]);
			const { body: dry } = await as('b', 'POST', '/saveVariable?dryRun=1', { body });
			expect(dry.data.reading.value).toBe(2);
		});

		test('each tenant has its own panel', async () => {
			await as('a', 'POST', '/bombs', { body: makePanel(id, { title: 'Panel A' }) });
			await as('b', 'POST', '/bombs', { body: makePanel(id, { title: 'Panel B' }) });
			expect((await as('a', 'GET', '/bombs')).body.data.title).toBe('Panel A');
			expect((await as('b', 'GET', '/bombs')).body.data.title).toBe('Panel B');
		});

		test('each tenant has its own boards and usages', async () => {
			const chart = { id: 0, title: 'Chart A', series: [{ varId: id }] };
			const { id: board } = (await as('a', 'POST', '/saveChart', { body: chart })).body.data;
			expect((await as('b', 'GET', '/getCharts')).body.data.map(({ title }: { title: string }) => title)).not.toContain(
				'Chart A',
			);
			expect((await as('b', 'GET', `/usages/${id}`)).body.data).not.toContainEqual({ kind: 'chart', id: board, name: 'Chart A' });
			expect((await as('b', 'POST', '/saveChart', { body: { ...chart, id: board, series: [] } })).status).toBe(404);
			for (const kind of ['Chart', 'Diagram', 'Alarm']) {
				const { body } = await as('b', 'POST', `/delete${kind}/${board}`);
				expect(body).toEqual({ data: { [kind.toLowerCase()]: false } });
			}
			expect((await as('a', 'GET', `/usages/${id}`)).body.data).toContainEqual({ kind: 'chart', id: board, name: 'Chart A' });
		});

		test('each tenant has its own states and journal of alarms', async () => {
			const body = { id: 0, name: 'Isolated', varId: id, condition: '>', threshold: 9, severity: 'info', message: 'High.' };
			const saved: ['a' | 'b', number][] = [];
			const saveAlarm = async (tenant: 'a' | 'b'): Promise<number> => {
				const { id: alarm } = (await as(tenant, 'POST', '/saveAlarm', { body })).body.data;
				saved.push([tenant, alarm]);
				return alarm;
			};
			const next = { a: await saveAlarm('a'), b: await saveAlarm('b') };
			while (next.a !== next.b) {
				const behind = next.a < next.b ? 'a' : 'b';
				next[behind] = await saveAlarm(behind);
			}
			const shared = next.a;
			const shelf = { minutes: 5, reason: 'Of tenant A' };
			expect((await as('a', 'POST', `/shelveAlarm/${shared}`, { body: shelf })).body.data).toMatchObject({
				reason: 'Of tenant A',
			});
			const stateOf = async (tenant: 'a' | 'b') =>
				(await as(tenant, 'GET', '/getAlarms')).body.data.find((each: { id: number }) => each.id === shared);
			expect([(await stateOf('a')).reason, (await stateOf('b')).reason]).toEqual(['Of tenant A', null]);
			const journalOf = async (tenant: 'a' | 'b') =>
				(await as(tenant, 'GET', `/alarmEvents?alarmId=${shared}`)).body.data.map(({ kind }: { kind: string }) => kind);
			expect(await journalOf('a')).toContain('shelved');
			expect(await journalOf('b')).not.toContain('shelved');
			// Unshelving the alarm of B leaves that of A, and an alarm that only A has is none of B.
			expect((await as('b', 'POST', `/unshelveAlarm/${shared}`)).status).toBe(200);
			expect((await stateOf('a')).reason).toBe('Of tenant A');
			const only = await saveAlarm('a');
			expect((await as('b', 'POST', `/shelveAlarm/${only}`, { body: shelf })).status).toBe(404);
			const { body: acknowledged } = await as('b', 'POST', '/ackAlarms', { body: { alarms: [{ id: only, occurrence: 1 }] } });
			expect(acknowledged.data).toEqual([{ id: only, result: 'not_found', state: null, occurrence: null }]);
			for (const [tenant, alarm] of saved) await as(tenant, 'POST', `/deleteAlarm/${alarm}`);
		});

		test('a page of the journal of one tenant is none of the other', async () => {
			const { next } = (await as('a', 'GET', '/alarmEvents?limit=1')).body;
			const { status, body } = await as('b', 'GET', `/alarmEvents?after=${next}`);
			// The other tenant goes on in its own journal.
			expect(status).toBe(200);
			expect(JSON.stringify(body)).not.toContain('Of tenant A');
		});

		test('a variable of the other tenant does not exist', async () => {
			const { id: only } = await save('a', variable('A'));
			expect((await as('b', 'POST', '/saveVariable', { body: variable('X', { id: only }) })).status).toBe(404);
			expect((await as('b', 'POST', '/multipleDataTsdb', { body: { ids: [only] } })).body.data[0].quality).toBe(
				'missing_reference',
			);
			const request = { ids: [only], start: Date.now() - 600_000 };
			expect((await as('b', 'POST', '/history', { body: request })).body.data.variables[0].quality).toBe('missing_reference');
			expect((await as('b', 'POST', '/bombs', { body: makePanel(only) })).status).toBe(400);
			expect((await as('b', 'POST', `/deleteVar/${only}?dryRun=1`)).body.data.tsdbVar).toBe(false);
			expect((await as('b', 'POST', `/deleteVar/${only}`)).body.data.tsdbVar).toBe(false);
			expect((await as('a', 'POST', '/multipleDataTsdb', { body: { ids: [only] } })).body.data[0].quality).toBe('good');
		});

		test('deleteVar deletes only the variable of the tenant', async () => {
			expect((await as('b', 'POST', `/deleteVar/${id}?dryRun=1`)).body.data.usages).toMatchObject([{ name: 'Panel B' }]);
			expect((await as('b', 'POST', `/deleteVar/${id}`)).body.data.tsdbVar).toBe(true);
			expect([await unitsOf('a'), await unitsOf('b')]).toEqual([['A'], []]);
			expect((await as('a', 'GET', '/bombs')).body.data.pumps[0].quality).toBe('good');
			expect((await as('b', 'GET', '/bombs')).body.data.pumps[0].quality).toBe('missing_reference');
		});

		test("a tenant cannot sign in to the other's schema or database", async () => {
			const own = { email: 'operator@plant-b.example', tokenApp: 'demo-b', schemaName: 'plant_b', tsdb_name: 'plant_b' };
			for (const other of [{ schemaName: 'plant_a' }, { tsdb_name: 'plant_a' }])
				expect((await call(target(), 'POST', '/loginSso', { body: { ...own, ...other } })).status).toBe(401);
		});
	});
};
