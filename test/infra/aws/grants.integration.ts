import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, type EndpointName, endpoints } from '#shared/contract.ts';
import { type Access, actions, type TableName, tables } from '#shared/tables.ts';
import { badInputSuite } from '#test/e2e/bad-input.ts';
import { boardsSuite } from '#test/e2e/boards.ts';
import { isolationSuite } from '#test/e2e/isolation.ts';
import { panelSuite } from '#test/e2e/panel.ts';
import { readingsSuite } from '#test/e2e/readings.ts';
import { retriesSuite } from '#test/e2e/retries.ts';
import { signInSuite } from '#test/e2e/sign-in.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { variablesSuite } from '#test/e2e/variables.ts';
import { makeBitsBody, makeBody, makePanel } from '#test/support/builders/builders.ts';
import { openRecordedService, type RecordedService } from '#test/support/fakes/recorded-service.ts';
import { describeDynamo } from '#test/support/servers/dynamo.ts';
import type { Passing } from '#test/support/servers/faulty-proxy.ts';

const suites = [variablesSuite, readingsSuite, panelSuite, boardsSuite, retriesSuite, isolationSuite, badInputSuite, signInSuite];

/** The permission that each part of a transaction takes. */
const permissions: Readonly<Record<string, string>> = {
	Get: 'GetItem',
	Put: 'PutItem',
	Update: 'UpdateItem',
	Delete: 'DeleteItem',
	ConditionCheck: 'ConditionCheckItem',
};

/** A table by the name that it has in an emulator: `caudal-sign-in-failures`. */
const tableOf = (name: string): string =>
	name.replace(/^caudal-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What IAM looks for before a request is done: `variables GetItem`. Anything unknown stands for itself, and is granted nobody. */
const neededFor = ({ operation, body }: Passing): readonly string[] => {
	if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
		const parts: readonly Readonly<Record<string, { readonly TableName: string }>>[] = body.TransactItems;
		return parts.flatMap((part) =>
			Object.entries(part).map(([kind, { TableName }]) => `${tableOf(TableName)} ${permissions[kind] ?? kind}`),
		);
	}
	if (operation === 'BatchGetItem') return Object.keys(body.RequestItems).map((name) => `${tableOf(name)} ${operation}`);
	return [`${tableOf(String(body.TableName))} ${operation}`];
};

const grantedTo = ({ uses }: Endpoint): readonly string[] =>
	(Object.keys(tables) as TableName[]).flatMap((table) => {
		const access: readonly Access[] = uses[table] ?? [];
		return access.flatMap((each) => actions[each]).map((action) => `${table} ${action}`);
	});

describeDynamo('what functions are granted', () => {
	let service: RecordedService;
	let token: string;
	beforeAll(async () => {
		service = await openRecordedService();
	});
	afterAll(() => service.close());

	for (const suite of suites) suite(() => service);

	const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
		call(service, 'POST', path, { token, body, headers });
	const done = async (path: string, body?: unknown, headers?: Record<string, string>) => {
		const { status, body: answer } = await post(path, body, headers);
		expect(status, JSON.stringify(answer)).toBe(200);
		return answer.data;
	};
	const save = async (path: string, body: unknown): Promise<number> => (await done(path, body)).id;
	const chart = (ids: readonly number[], id = 0) => ({ id, title: 'Chart', series: ids.map((varId) => ({ varId })) });
	const diagram = (ids: readonly number[], id = 0) => ({
		id,
		title: 'Diagram',
		items: ids.map((varId) => ({ varId, x: 0, y: 0 })),
	});
	const alarm = ([varId]: readonly number[], id = 0) => ({
		id,
		name: 'Alarm',
		varId,
		condition: '>',
		threshold: 1,
		severity: 'info',
		message: 'High.',
	});

	describe('what the suites leave out', () => {
		let variables: readonly [number, number];
		let keys = 0;
		const newKey = () => {
			keys += 1;
			return { 'idempotency-key': `grants-${keys}` };
		};
		beforeAll(async () => {
			token = await signIn(service, 'a');
			variables = [await save('/saveVariable', makeBody()), await save('/saveVariable', makeBody())];
		});

		test.each<[string, () => unknown | Promise<unknown>]>([
			['/saveVariable', () => makeBody()],
			['/bombs', () => makePanel(variables[0])],
			['/saveChart', () => chart(variables)],
			['/saveDiagram', () => diagram(variables)],
			['/saveAlarm', () => alarm(variables)],
		])('%s claims a key, keeps its answer, and gives up the key of a request that is refused', async (path, body) => {
			await done(path, body(), newKey());
			expect((await post(path, body(), { ...newKey(), 'if-match': '"987654"' })).status).toBe(412);
		});

		test.each<[string, string, () => unknown]>([
			['deleteVar', '/saveVariable', () => makeBody()],
			['deleteChart', '/saveChart', () => chart(variables)],
			['deleteDiagram', '/saveDiagram', () => diagram(variables)],
			['deleteAlarm', '/saveAlarm', () => alarm(variables)],
		])('%s does so too, and keeps the answer that there was nothing to delete', async (name, path, body) => {
			const id = await save(path, body());
			expect((await post(`/${name}/${id}`, undefined, { ...newKey(), 'if-match': '"987654"' })).status).toBe(412);
			await done(`/${name}/${id}`, undefined, newKey());
			expect(Object.values(await done(`/${name}/${id}`, undefined, newKey()))).toEqual([false]);
		});

		test('a board goes from one variable to another, and is deleted', async () => {
			const [one, other] = variables;
			for (const [kind, body] of [
				['Chart', chart],
				['Diagram', diagram],
				['Alarm', alarm],
			] as const) {
				const id = await save(`/save${kind}`, body([one]));
				await done(`/save${kind}`, body([other], id));
				await done(`/delete${kind}/${id}`);
			}
		});

		test.each([
			['one board', 1],
			['several', 3],
		])('a variable is used by %s, and deleted', async (_, count) => {
			const id = await save('/saveVariable', makeBody());
			for (let index = 0; index < count; index += 1) await save('/saveChart', chart([id]));
			expect((await call(service, 'GET', `/usages/${id}`, { token })).body.data).toHaveLength(count);
			expect((await done(`/deleteVar/${id}?dryRun=1`)).usages).toHaveLength(count);
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
		});

		test('the boards of a variable are too large for the commit that deletes it', async () => {
			const id = await save('/saveVariable', makeBody());
			const series = Array.from({ length: 320 }, () => ({ varId: id, label: 'l'.repeat(200) }));
			for (let index = 0; index < 9; index += 1) await save('/saveChart', { id: 0, title: 'Large', series });
			const before = service.asked('deleteVar').length;
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
			const commits = service
				.asked('deleteVar')
				.slice(before)
				.filter(({ operation }) => operation === 'TransactWriteItems');
			expect(commits.length).toBeGreaterThan(1);
		});

		test('a board that picks a bit goes just before a variable is saved without it', async () => {
			const id = await save('/saveVariable', makeBitsBody());
			const board = await save('/saveDiagram', { id: 0, title: 'Bit', items: [{ varId: id, bit: 7, x: 0, y: 0 }] });
			service.interrupt(
				'saveVariable',
				({ operation }) => operation === 'BatchGetItem',
				() => done(`/deleteDiagram/${board}`),
			);
			await done('/saveVariable', makeBitsBody({ id, bits: [{ id: 1, name: 'Pump 1', bit: 0 }] }));
			expect(service.waiting()).toBe(0);
		});

		test.each<[EndpointName, string, (ids: readonly number[], id?: number) => unknown, readonly number[]]>([
			['deleteChart', '/saveChart', chart, []],
			['deleteDiagram', '/saveDiagram', diagram, []],
			['deleteAlarm', '/saveAlarm', alarm, [1]],
		])('a board drops a variable just before it is deleted: %s', async (name, path, body, left) => {
			const id = await save(path, body([variables[0]]));
			service.interrupt(
				name,
				({ operation, body: { TableName } }) => operation === 'GetItem' && tableOf(TableName) === 'variables',
				() =>
					done(
						path,
						body(
							left.map((index) => variables[index] ?? 0),
							id,
						),
					),
			);
			expect(Object.values(await done(`/${name}/${id}`))).toEqual([true]);
			expect(service.waiting()).toBe(0);
		});
	});

	describe('is what they ask for', () => {
		test.each(endpoints)('$name', (endpoint) => {
			const needed = new Set(service.asked(endpoint.name).flatMap(neededFor));
			expect([...needed].sort()).toEqual([...grantedTo(endpoint)].sort());
		});
	});
});
