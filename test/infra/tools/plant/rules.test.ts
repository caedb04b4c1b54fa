import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { readNumbers } from '#infra/tools/plant/numbers.ts';
import { planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile, writePlantFile } from '#infra/tools/plant/plant-file.ts';
import { openSession } from '#infra/tools/plant/session.ts';
import { leaveBackground } from '#test/support/builders/damage.ts';
import { type InProcessService, openInProcess, plantNow, type Wire } from '#test/support/plant/in-process.ts';
import { plantVariable } from '#test/support/plant/over-http.ts';

const simple = (name: string, more = {}) => ({ ...plantVariable(name, 'plant/a'), ...more });
const byte = (name: string, positions: readonly number[]) =>
	simple(name, { binary_compressed: true, bits: positions.map((bit) => ({ id: bit, name: `bit ${bit}`, bit })) });
const alarm = (name: string, variable: string, more = {}) => ({
	name,
	variable,
	condition: '>',
	threshold: 10,
	severity: 'info',
	message: 'm',
	...more,
});

describe('a file of a plant', () => {
	let service: InProcessService;
	let number = 0;
	let schema: string;
	beforeAll(async () => {
		service = await openInProcess();
		const minutes = Array.from({ length: 24 * 60 }, (_, minute) => [plantNow - minute * 60_000, minute % 20] as const);
		await service.write('plant/a', minutes);
	});
	afterAll(() => service.close());

	const fileOf = (lists: object): string => JSON.stringify({ format: 1, schema, ...lists });
	const planOf = async (text: string, deletions: number | null = null, wire: Wire = {}) => {
		const { file, faults } = parsePlantFile(text);
		const session = service.session(schema, wire);
		const plant = await readPlant(session);
		if (file === null)
			return {
				session,
				plant,
				plan: { ...planChanges({ schema, thisPlantOnly: false, items: [] }, plant, { deletions, schema: null }), faults },
			};
		const plan = planChanges(file, plant, { deletions, schema: null });
		return { session, plant, plan: { ...plan, faults: [...faults, ...plan.faults] } };
	};
	const apply = async (lists: object, deletions: number | null = null) => {
		const made = await planOf(fileOf(lists), deletions);
		expect(made.plan.faults).toEqual([]);
		const results = await applyPlan(made.session, made.plan);
		expect(results.map(({ outcome, message }) => [outcome, message])).toEqual(results.map(() => ['done', '']));
		return made;
	};
	const start = (): void => {
		number += 1;
		schema = `rules${number}`;
	};
	const json = async () => JSON.parse(writePlantFile(await readPlant(service.session(schema))));

	test('a rename keeps the id, the references, and the alarm with its journal', async () => {
		start();
		await apply({
			variables: [simple('Old')],
			charts: [{ title: 'C', series: [{ variable: 'Old' }] }],
			alarms: [alarm('A', 'Old')],
		});
		const before = await readPlant(service.session(schema));
		const { plan } = await apply({
			variables: [simple('New', { was: 'Old' })],
			charts: [{ title: 'C', series: [{ variable: 'New' }] }],
			alarms: [alarm('B', 'New', { was: 'A' })],
		});
		expect(plan.steps.map(({ action, name, was, fields }) => [action, name, was, fields.map(({ path }) => path)])).toEqual([
			['change', 'New', 'Old', ['name']],
			['change', 'B', 'A', ['name']],
		]);
		const after = await readPlant(service.session(schema));
		expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
		const page = { start: 0, end: plantNow + 1, alarmId: null, limit: 10, after: null };
		const { events } = await service.service.alarms.events(schema, page);
		const alarmId = after.items.find(({ kind }) => kind === 'alarm')?.id;
		expect(events.map(({ alarmId: id, kind }) => [id, kind])).toEqual([
			[alarmId, 'changed'],
			[alarmId, 'changed'],
		]);
	});

	test('a diagram whose stored background is refused now is changed; a new one with such a background is not', async () => {
		start();
		const background = '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>';
		const drawn = { variables: [simple('A')], diagrams: [{ title: 'D', items: [{ variable: 'A', x: 0, y: 0 }] }] };
		await apply(drawn);
		const [{ id } = expect.unreachable()] = (await readPlant(service.session(schema))).items.filter(
			({ kind }) => kind === 'diagram',
		);
		await leaveBackground(service.stores.store, schema, id, background);
		const { variables, diagrams } = await json();
		const moved = { ...diagrams[0], items: [{ variable: 'A', x: 0.5, y: 0 }] };
		const { plan } = await apply({ variables, diagrams: [moved] });
		expect(plan.steps.map(({ name, fields }) => [name, fields.map(({ path }) => path)])).toEqual([['D', ['items[0].x']]]);
		expect((await json()).diagrams).toEqual([moved]);
		const { plan: refused } = await planOf(fileOf({ variables, diagrams: [moved, { ...moved, title: 'E' }] }));
		expect(refused.faults.map(({ path }) => path)).toEqual(['diagrams[1].background']);
	});

	test('what a swap, a circle or a second claim of a rename means is asked, not guessed', async () => {
		start();
		await apply({ variables: [simple('A'), simple('B')] });
		const { plan } = await planOf(fileOf({ variables: [simple('A', { was: 'B' }), simple('B', { was: 'A' })] }));
		expect(plan).toMatchObject({ faults: [], steps: [] });
		const circle = await planOf(fileOf({ variables: [simple('X', { was: 'Y' }), simple('Y', { was: 'X' })] }));
		expect(circle.plan.faults.map(({ path }) => path)).toEqual(['variables[0].was', 'variables[1].was']);
		const twice = await planOf(fileOf({ variables: [simple('X', { was: 'A' }), simple('Y', { was: 'A' })] }));
		expect(twice.plan.faults.map(({ path }) => path)).toEqual(['variables[1].was']);
		const old = await planOf(
			fileOf({ variables: [simple('X', { was: 'A' })], charts: [{ title: 'C', series: [{ variable: 'A' }] }] }),
		);
		expect(old.plan.faults).toEqual([
			{ path: 'charts[0].series[0].variable', message: '"A" is "X" in this file: write that name.' },
		]);
	});

	test('bits that boards use come before them, and bits that they used go after them', async () => {
		start();
		const panel = (bit: number) => ({
			title: 'P',
			pumps: [{ id: 1, name: 'p', variable: 'Byte', type: 'pump', bit }],
			states: [],
		});
		const diagram = (bit: number) => ({ title: 'D', items: [{ variable: 'Byte', bit, x: 0, y: 0 }] });
		await apply({
			variables: [byte('Byte', [0, 1])],
			panel: panel(0),
			diagrams: [diagram(0)],
			alarms: [alarm('A', 'Byte', { bit: 0 }), alarm('Z', 'Byte', { bit: 1 })],
		});
		const next = {
			variables: [byte('Byte', [4])],
			panel: panel(4),
			diagrams: [diagram(4)],
			alarms: [alarm('A', 'Byte', { bit: 4 })],
		};
		const { plan } = await planOf(fileOf(next));
		expect(plan.faults).toEqual([
			{ path: 'variables[0].bits', message: expect.stringContaining('alarm "Z", which the file lacks') },
		]);
		const { plan: done, session, plant } = await planOf(fileOf(next), 1);
		expect(done.steps.map(({ kind, action, isPartial }) => `${action} ${kind}${isPartial ? ' partly' : ''}`)).toEqual([
			'change variable partly',
			'change diagram',
			'change panel',
			'change alarm',
			'delete alarm',
			'change variable',
		]);
		const numbers = await readNumbers(session, done, plant, { days: 1 });
		expect(numbers.variables).toMatchObject([{ name: 'Byte', hours: 24, changed: 0, unknown: null }]);
		expect(numbers.notBacktested).toEqual(['A']);
		const results = await applyPlan(session, done);
		expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'done'));
		expect((await json()).variables[0].bits).toEqual([{ id: 4, name: 'bit 4', bit: 4 }]);
	});

	test('what the file lacks stays, and is deleted only by its number', async () => {
		start();
		await apply({ variables: [simple('A'), simple('B')], charts: [{ title: 'C', series: [{ variable: 'B' }] }] });
		const less = { variables: [simple('A')] };
		expect((await planOf(fileOf(less))).plan).toMatchObject({ steps: [], left: ['variable "B"', 'chart "C"'], faults: [] });
		expect((await planOf(fileOf(less), 1)).plan.faults).toEqual([
			{ path: '', message: expect.stringMatching(/lacks 2 items of the plant \(variable "B", chart "C"\)/) },
		]);
		await apply(less, 2);
		expect(await json()).toMatchObject({ variables: [{ name: 'A' }], charts: [] });
	});

	test('a field that is left out of a board goes', async () => {
		start();
		await apply({ variables: [simple('A')], alarms: [alarm('X', 'A', { deadband: 2, onDelaySeconds: 30 })] });
		await apply({ variables: [simple('A')], alarms: [alarm('X', 'A', { onDelaySeconds: 30 })] });
		expect((await json()).alarms).toEqual([alarm('X', 'A', { onDelaySeconds: 30 })].map((each) => expect.objectContaining(each)));
		expect((await json()).alarms[0]).not.toHaveProperty('deadband');
	});

	test('two applications of one plan at once create each item once', async () => {
		start();
		const text = fileOf({
			variables: ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => simple(name)),
			charts: [{ title: 'T', series: [{ variable: 'F' }] }],
		});
		const made = await Promise.all([planOf(text), planOf(text)]);
		const results = await Promise.all(made.map(({ session, plan }) => applyPlan(session, plan)));
		expect(results.flat().filter(({ outcome }) => outcome !== 'done')).toEqual([]);
		expect((await readPlant(service.session(schema))).items).toHaveLength(7);
	});

	test('an item that was deleted within a day of its creation is created again', async () => {
		start();
		const lists = { variables: [simple('A')] };
		await apply(lists);
		await apply({ variables: [] }, 1);
		await apply(lists);
		expect((await json()).variables).toHaveLength(1);
	});

	test('at most 4 requests run at once, and each item is one', async () => {
		start();
		let [running, most, posts] = [0, 0, 0];
		const wire: Wire = {
			before: async () => {
				running += 1;
				most = Math.max(most, running);
				await new Promise(setImmediate);
			},
			after: ({ method }) => {
				running -= 1;
				if (method === 'POST') posts += 1;
			},
		};
		const { session, plan } = await planOf(
			fileOf({ variables: Array.from({ length: 40 }, (_, index) => simple(`V${index}`)) }),
			null,
			wire,
		);
		[most, posts] = [0, 0];
		await applyPlan(session, plan);
		expect([most, posts]).toEqual([4, 40]);
	});

	test('waits for Retry-After, and says nothing of credentials', async () => {
		const pauses: number[] = [];
		const answers = [503, 429, 502, 200].map(
			(status) => new Response('{"data":[]}', { status, headers: { 'retry-after': '7', 'content-type': 'application/json' } }),
		);
		const session = openSession({
			url: new URL('http://plant.invalid'),
			credentials: { token: 'secret' },
			pause: async (ms) => void pauses.push(ms),
			fetch: async () => answers.shift() ?? new Response('', { status: 401 }),
		});
		expect(await session.send(() => session.api.GET('/getCharts'))).toMatchObject({ ok: true });
		expect(pauses).toEqual([7000, 7000, 7000]);
		const refused = await session.send(() => session.api.GET('/getCharts')).catch((error: Error) => error.message);
		expect(refused).toMatch(/^The token is not valid any more/);
		expect(refused).not.toContain('secret');
		const machine = openSession({
			url: new URL('http://plant.invalid'),
			credentials: { clientId: 'id', clientSecret: 'cdl_secret' },
			fetch: async () => Response.json({ error: 'invalid_client' }, { status: 401 }),
		});
		const message = await machine.schema().catch((error: Error) => error.message);
		expect(message).toMatch(/does not let this machine in \(invalid_client\)/);
		expect(message).not.toContain('cdl_secret');
	});

	test('follows no redirect, so no other address gets a secret or a token', async () => {
		const received: string[] = [];
		const elsewhere = createServer((request, response) => {
			received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
			response.end('{"access_token":"t","expires_in":3600,"data":[]}');
		});
		let redirected: { readonly path: string; readonly status: number } = { path: '', status: 0 };
		const service = createServer((request, response) => {
			const isRedirected = request.url?.startsWith(redirected.path) === true;
			const grant = JSON.stringify({ access_token: 'held', expires_in: 3600 });
			response.writeHead(isRedirected ? redirected.status : 200, {
				'content-type': 'application/json',
				...(isRedirected ? { location: `${addressOf(elsewhere)}${request.url}` } : {}),
			});
			response.end(request.url === '/token' ? grant : '{"data":[]}');
		});
		const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		for (const server of [elsewhere, service]) await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		const machine = { clientId: 'id', clientSecret: 'cdl_secret' };
		let tried = 0;
		try {
			for (const status of [300, 301, 302, 303, 305, 307, 308])
				for (const [path, credentials] of [
					['/token', machine],
					['/getCharts', machine],
					['/getCharts', { token: 'held' }],
					['/saveChart', { token: 'held' }],
				] as const) {
					redirected = { path, status };
					const session = openSession({ url: new URL(addressOf(service)), credentials, pause: async () => undefined });
					const body = { id: 0, title: 'C', series: [] };
					const send = async () =>
						path === '/saveChart'
							? session.send(() => session.api.POST('/saveChart', { body }))
							: session.send(() => session.api.GET('/getCharts'));
					const message = await send().catch((error: Error) => error.message);
					expect(message).toMatch(/redirects to http:.* which gets no secret and no token: give --url the address/);
					expect(message).not.toMatch(/cdl_secret|held/);
					tried += 1;
				}
			expect([tried, received]).toEqual([28, []]);
		} finally {
			for (const server of [elsewhere, service]) {
				server.closeAllConnections();
				server.close();
			}
		}
	});

	test('a machine whose token is refused in the middle of a run gets a new one, once for all requests', async () => {
		const tokens: string[] = [];
		const pauses: number[] = [];
		let valid = 'token-1';
		const machine = openSession({
			url: new URL('http://plant.invalid'),
			credentials: { clientId: 'id', clientSecret: 'cdl_secret' },
			pause: async (ms) => void pauses.push(ms),
			fetch: async (request) => {
				if (request.url.endsWith('/token')) {
					tokens.push(`token-${tokens.length + 1}`);
					return Response.json({ access_token: tokens.at(-1), expires_in: 3600 });
				}
				const isValid = request.headers.get('authorization') === `Bearer ${valid}`;
				return isValid ? Response.json({ data: [] }) : new Response('', { status: 401 });
			},
		});
		const read = () => machine.send(() => machine.api.GET('/getCharts'));
		await read();
		valid = 'token-2';
		expect(await Promise.all([read(), read(), read()])).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
		expect([tokens, pauses]).toEqual([['token-1', 'token-2'], []]);
		valid = 'none';
		await expect(read()).rejects.toThrow(/refuses the token that it has just given/);
		expect(tokens).toHaveLength(3);
	});

	test.each([
		['no JSON', '{', ['']],
		['another form', '{"format": 2, "schema": "x"}', ['format', 'schema']],
		['a list', '[]', ['format', 'schema']],
		['no schema', '{"format": 1}', ['schema']],
		['another schema', '{"format": 1, "schema": "other"}', ['schema']],
		[
			'unknown fields',
			'{"format":1,"schema":"S","zoo":1,"charts":[{"title":"T","series":[],"serie":1}]}',
			['zoo', 'charts[0].serie'],
		],
		[
			'wrong types',
			'{"format":1,"schema":"S","charts":{},"alarms":[3,{"name":4}],"variables":[{"name":"A","was":1}]}',
			['charts', 'alarms[0]', 'alarms[1].name', 'variables[0].was', 'variables[0].calc'],
		],
		['blank text', '{"format":1,"schema":"S","charts":[{"title":" ","series":[]}]}', ['charts[0].title']],
		[
			'equal names',
			'{"format":1,"schema":"S","charts":[{"title":"é","series":[]},{"title":"e\u0301","series":[]}]}',
			['charts[1]'],
		],
		['a name of another plant', '{"format":1,"schema":"S","charts":[{"title":"T#12","series":[]}]}', ['charts[0]']],
		[
			'depth',
			`{"format":1,"schema":"S","charts":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
			[expect.stringMatching(/^charts\[0\]\[0\]/)],
		],
		[
			'a formula',
			'{"format":1,"schema":"S","reports":[{"title":"R","lines":[{"key":"b","name":"b","unit":"","function":"formula","equation":"{later"}]}]}',
			['reports[0].lines[0].equation'],
		],
	])('names every fault with its path, and writes nothing: %s', async (_, text, paths) => {
		start();
		let posts = 0;
		const { plan, session } = await planOf(text.replace('"S"', JSON.stringify(schema)), null, {
			before: ({ method }) => {
				if (method === 'POST') posts += 1;
			},
		});
		const found = plan.faults.map(({ path }) => path);
		for (const path of paths) expect(found).toContainEqual(path);
		for (const { message } of plan.faults) expect(message).toMatch(/\S/);
		expect([posts, (await readPlant(session)).items]).toEqual([0, []]);
	});

	test('one item that a file names twice, with and without its id, is a fault, and none of both is written', async () => {
		start();
		await apply({ variables: [simple('Pump')] });
		const { plant } = await planOf(fileOf({}));
		const [{ id } = { id: 0 }] = plant.items;
		const { plan } = await planOf(fileOf({ variables: [simple('Pump', { unit: 'a' }), simple(`Pump#${id}`, { unit: 'b' })] }));
		expect(plan.faults).toEqual([
			{ path: 'variables[1]', message: `"Pump#${id}" is what variables[0] names "Pump": take one of both out.` },
		]);
	});

	test('10 MB of wrong items are refused in time', { timeout: 60_000 }, async () => {
		start();
		const text = fileOf({
			charts: Array.from({ length: 200_000 }, (_, index) => ({ title: `T${index}`, series: [{ variable: 'nope' }] })),
		});
		expect(text.length).toBeGreaterThan(10_000_000);
		const begin = performance.now();
		const { plan } = await planOf(text);
		expect(plan.faults[0]).toEqual({ path: 'charts', message: expect.stringContaining('200000') });
		expect(plan.faults.length).toBeGreaterThan(10_000);
		expect(performance.now() - begin).toBeLessThan(30_000);
	});
});
