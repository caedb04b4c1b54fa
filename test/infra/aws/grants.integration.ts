import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { digest } from '#adapters/session-ids.ts';
import { machineSubject } from '#domain/access/actor.ts';
import { noOperatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { grantItemId } from '#domain/identity/grant-change.ts';
import type { Grant } from '#domain/identity/grants.ts';
import type { GrantChange } from '#domain/ports/grants.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { type Access, actions, tableNames } from '#shared/tables.ts';
import { tasks } from '#shared/tasks.ts';
import { suites } from '#test/e2e/suites.ts';
import { call, callOk, signIn } from '#test/e2e/target.ts';
import { makeBitsBody, makeBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import { changeTo } from '#test/support/builders/openid-deps.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { openRecordedService, type RecordedService } from '#test/support/fakes/recorded-service.ts';
import { describeDynamo } from '#test/support/servers/dynamo.ts';
import { type FakeProvider, json, signToken, startFakeProvider } from '#test/support/servers/fake-provider.ts';
import type { ProxiedRequest } from '#test/support/servers/faulty-proxy.ts';

/** The permission that each kind of action in a transaction needs. */
const permissions: Readonly<Record<string, string>> = {
	Get: 'GetItem',
	Put: 'PutItem',
	Update: 'UpdateItem',
	Delete: 'DeleteItem',
	ConditionCheck: 'ConditionCheckItem',
};

/** Returns the table of a name in the emulator: `signInFailures` for `caudal-sign-in-failures`. */
const tableOf = (name: string): string =>
	name.replace(/^caudal-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the permissions that IAM requires for a request, such as `variables GetItem`. Unknown operations stay as they are, and
 * no function is granted them.
 */
const neededFor = ({ operation, body }: ProxiedRequest): readonly string[] => {
	if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
		const parts: readonly Readonly<Record<string, { readonly TableName: string }>>[] = body.TransactItems;
		return parts.flatMap((part) =>
			Object.entries(part).map(([kind, { TableName }]) => `${tableOf(TableName)} ${permissions[kind] ?? kind}`),
		);
	}
	if (operation === 'BatchGetItem') return Object.keys(body.RequestItems).map((name) => `${tableOf(name)} ${operation}`);
	return [`${tableOf(String(body.TableName))} ${operation}`];
};

const grantedTo = ({ uses }: Pick<Endpoint, 'uses'>): readonly string[] =>
	tableNames.flatMap((table) => {
		const access: readonly Access[] = uses[table] ?? [];
		return access.flatMap((each) => actions[each]).map((action) => `${table} ${action}`);
	});

/** The endpoints that read the caller's row, and a request to one. */
const readers = (): readonly Endpoint[] => endpoints.filter(({ auth, uses }) => auth === 'bearer' && 'machines' in uses);
const requestOf = ({ method, path }: Endpoint) =>
	[
		path.replace(/\{\w+\}/, '1').replace(/^\/change$/, '/change?kind=person&itemId=a&rowVersion=1'),
		{ method, ...(method === 'POST' && { body: {} }) },
	] as const;

describeDynamo('the table permissions of each function', () => {
	let service: RecordedService;
	let token: string;
	let provider: FakeProvider;
	beforeAll(async () => {
		provider = await startFakeProvider();
		service = await openRecordedService([
			{ name: 'entra', label: 'Plant account', issuer: provider.issuer, clientId: 'caudal', audiences: ['api'] },
		]);
	});
	afterAll(async () => {
		await service.close();
		provider.close();
	});

	for (const suite of suites) suite(() => service);

	const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
		call(service, 'POST', path, { token, body, headers });
	const done = async (path: string, body?: unknown, headers?: Record<string, string>) =>
		(await callOk(service, 'POST', path, { token, body, ...(headers === undefined ? {} : { headers }) })).data;
	const save = async (path: string, body: unknown): Promise<number> => (await done(path, body)).id;
	const withDynamo = async (work: (dynamo: Dynamo) => Promise<unknown>) => {
		const { AWS_REGION: region } = readLocalSettings({});
		const dynamo = openDynamo({
			endpoint: inject('dynamoDbEndpoint') ?? '',
			region,
			credentials: { accessKeyId: service.database, secretAccessKey: 'local' },
		});
		await work(dynamo).finally(() => dynamo.close());
	};
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

	const correction = ([varId]: readonly number[], id = 0) => ({
		id,
		varId,
		type: 'exclude',
		from: Date.now() - 60_000,
		to: Date.now(),
		reason: 'Sensor cleaned',
	});

	const report = (ids: readonly number[], id = 0) => ({
		id,
		title: 'Report',
		lines: [
			...ids.map((varId, index) => ({ key: `line${index}`, name: 'Line', unit: '', function: 'mean', varId })),
			{ key: 'raised', name: 'Alarms', unit: '', function: 'raised' },
			{ key: 'entered', name: 'Entered', unit: '', function: 'entered' },
		],
	});

	/** Adds a line whose nights are compared with others. */
	const withReference = ({ lines, ...rest }: ReturnType<typeof report>, varId: number) => ({
		...rest,
		lines: [
			...lines,
			{
				...{ key: 'night', name: 'Night', unit: '', function: 'leastMean', varId, over: 3600 },
				reference: { from: '2026-01-01', nights: 7 },
			},
		],
	});

	const entry = (reportId: number, id = 0) => ({
		id,
		reportId,
		key: 'entered',
		from: '2026-10-01',
		to: '2026-10-31',
		value: 1,
		reason: 'Letter of the works',
	});

	describe('additional requests, which the end-to-end suites do not send', () => {
		let variables: readonly [number, number];
		let reportOfEntries: number;
		let keys = 0;
		const newKey = () => {
			keys += 1;
			return { 'idempotency-key': `grants-${keys}` };
		};
		beforeAll(async () => {
			token = await signIn(service, 'a');
			variables = [await save('/saveVariable', makeBody()), await save('/saveVariable', makeBody())];
			reportOfEntries = await save('/saveReport', report(variables));
		});

		test.each<[string, () => unknown | Promise<unknown>]>([
			['/saveVariable', () => makeBody()],
			['/bombs', () => makePanel(variables[0])],
			['/saveChart', () => chart(variables)],
			['/saveDiagram', () => diagram(variables)],
			['/saveAlarm', () => alarm(variables)],
			['/saveCorrection', () => correction(variables)],
			['/saveReport', () => report(variables)],
			['/saveEntry', () => entry(reportOfEntries)],
		])('%s claims an idempotency key, stores its response, and releases the key of a rejected request', async (path, body) => {
			await done(path, body(), newKey());
			expect((await post(path, body(), { ...newKey(), 'if-match': '"987654"' })).status).toBe(412);
		});

		test.each<[string, string, () => unknown]>([
			['deleteVar', '/saveVariable', () => makeBody()],
			['deleteChart', '/saveChart', () => chart(variables)],
			['deleteDiagram', '/saveDiagram', () => diagram(variables)],
			['deleteAlarm', '/saveAlarm', () => alarm(variables)],
			['deleteCorrection', '/saveCorrection', () => correction(variables)],
			['deleteReport', '/saveReport', () => report(variables)],
			['deleteEntry', '/saveEntry', () => entry(reportOfEntries)],
		])('%s does the same, and stores the response that nothing was deleted', async (name, path, body) => {
			const id = await save(path, body());
			expect((await post(`/${name}/${id}`, undefined, { ...newKey(), 'if-match': '"987654"' })).status).toBe(412);
			await done(`/${name}/${id}`, undefined, newKey());
			expect(Object.values(await done(`/${name}/${id}`, undefined, newKey()))).toEqual([false]);
		});

		test('a board changes its variable and is deleted', async () => {
			const [one, other] = variables;
			for (const [kind, body] of [
				['Chart', chart],
				['Diagram', diagram],
				['Alarm', alarm],
				['Correction', correction],
				['Report', report],
			] as const) {
				const id = await save(`/save${kind}`, body([one]));
				await done(`/save${kind}`, body([other], id));
				await done(`/delete${kind}/${id}`);
			}
		});

		test('changes are read of every kind of row, and a chart with its variable is restored', async () => {
			const read = (kind: string, itemId: number, rowVersion: number) =>
				call(service, 'GET', `/change?kind=${kind}&itemId=${itemId}&rowVersion=${rowVersion}`, { token });
			const id = await save('/saveVariable', makeBody());
			const board = await save('/saveChart', chart([id]));
			const { version } = await done('/bombs', makePanel(id, { title: 'As it is read' }));
			const answers = [await read('variable', id, 1), await read('chart', board, 1), await read('panel', 0, version)];
			expect(answers.map(({ body }) => body.data.after.version)).toEqual([1, 1, version]);
			await done(`/deleteChart/${board}`);
			const deletion = { kind: 'chart', itemId: board, rowVersion: 2 };
			expect((await done('/restore', deletion, newKey())).version).toBe(3);
			expect((await post('/restore', deletion, newKey())).status).toBe(409);
			const two = await save('/saveChart', chart(variables));
			await done(`/deleteChart/${two}`);
			await done('/restore', { kind: 'chart', itemId: two, rowVersion: 2 });
		});

		test('a diagram is restored in a schema whose diagrams are not counted yet', async () => {
			const other = await signIn(service, 'b');
			// As the first release left it.
			const metadata = { TableName: 'caudal-variables', Key: { schema: 'plant_b', id: 0 } };
			await withDynamo(({ client }) => client.send(new UpdateCommand({ ...metadata, UpdateExpression: 'REMOVE diagram' })));
			const entry = { ...testOrigin, kind: 'diagram', itemId: 9000, rowVersion: 2, at: Date.now(), action: 'deleted' } as const;
			const change = {
				entry: { ...entry, name: 'D', version: 2, replaced: 1, fields: [] },
				before: { version: 1, content: { id: 9000, title: 'D', items: [] } },
			};
			expect(await service.stores.store.commit('plant_b', [], undefined, { changes: [change] })).toBe('committed');
			const body = { kind: 'diagram', itemId: 9000, rowVersion: 2 };
			expect((await call(service, 'POST', '/restore', { token: other, body })).status).toBe(200);
		});

		test('totals are counted of a variable with one correction, and of one with several', async () => {
			const id = await save('/saveVariable', makeBody());
			for (let count = 0; count < 3; count += 1) {
				await done('/totals', { lines: [{ key: 'm', varId: id, function: 'mean' }], start: Date.now() - 3_600_000 });
				await save('/saveCorrection', correction([id]));
			}
		});

		test('days are counted, sealed and closed of variables with one correction, and with several', async () => {
			const one = await save('/saveVariable', makeBody());
			const other = await save('/saveVariable', makeBody());
			const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
			for (const ids of [[one], [one, other]]) {
				const id = await save('/saveReport', report(ids));
				for (let count = 0; count < 2; count += 1) {
					await done('/readReport', { id, start: Date.now() - 2 * 86_400_000, period: 'day' });
					await done('/saveReport?dryRun=1', withReference(report(ids), one));
					expect((await call(service, 'GET', `/table/report/${id}.json?date=yesterday`, { token })).status).toBe(200);
					expect(await service.closeReportDays()).toMatchObject({ outcome: 'ok', done: { failing: [], notStarted: 0 } });
					await save('/saveCorrection', correction([one]));
					await done('/sealReportDays', { id, from: date, to: date, reason: `Try ${count}` });
				}
				await save('/saveReport', { ...report(ids, id), timeZone: 'Asia/Tokyo' });
				await done('/sealReportDays', { id, from: date, to: date, reason: 'Another zone' });
			}
			expect(await service.closeReportDays()).toMatchObject({ outcome: 'ok', done: { failing: [], notStarted: 0 } });
			expect(await service.packDefinitions()).toMatchObject({ outcome: 'ok', done: { packed: 1, failing: 0, notStarted: 0 } });
			const { data } = (await call(service, 'GET', '/getReports', { token })).body;
			const entries = [await save('/saveEntry', entry(reportOfEntries)), await save('/saveEntry', entry(reportOfEntries))];
			for (const ids of [entries.slice(1), entries])
				expect((await call(service, 'GET', `/getEntries?ids=${ids.join()}`, { token })).body.data).toHaveLength(ids.length);
			const listed = await call(service, 'GET', `/getReports?ids=${data.map((row: { id: number }) => row.id).join()}`, { token });
			expect(listed.body.data).toHaveLength(data.length);
		});

		test('rows that cannot be read are replaced and deleted', async () => {
			const damage = async (table: string, key: { readonly id: number } | { readonly key: string }) => {
				const Key = { schema: 'plant_a', ...key };
				const UpdateExpression = 'SET body = :lost';
				const command = { TableName: `caudal-${table}`, Key, UpdateExpression, ExpressionAttributeValues: { ':lost': '{' } };
				await withDynamo(({ client }) => client.send(new UpdateCommand(command)));
			};
			const id = await save('/saveVariable', makeBody());
			for (const [kind, body] of [
				['Chart', chart],
				['Diagram', diagram],
				['Alarm', alarm],
				['Correction', correction],
				['Report', report],
			] as const) {
				const board = await save(`/save${kind}`, body([id]));
				await damage('boards', { key: `${kind.toLowerCase()}#${board}` });
				await save(`/save${kind}`, body([id], board));
				await damage('boards', { key: `${kind.toLowerCase()}#${board}` });
				expect(Object.values(await done(`/delete${kind}/${board}`))).toEqual([true]);
			}
			await save('/saveChart', chart([id]));
			await damage('variables', { id });
			expect((await call(service, 'GET', `/usages/${id}`, { token })).body.data).toHaveLength(1);
			expect((await done(`/deleteVar/${id}?dryRun=1`)).usages).toHaveLength(1);
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
		});

		test('a variable with an alarm is deleted', async () => {
			const id = await save('/saveVariable', makeBody());
			await save('/saveAlarm', alarm([id]));
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
		});

		test.each([
			['one board', 1],
			['several boards', 3],
		])('a variable with %s is deleted', async (_, count) => {
			const id = await save('/saveVariable', makeBody());
			for (let index = 0; index < count; index += 1) await save('/saveChart', chart([id]));
			expect((await call(service, 'GET', `/usages/${id}`, { token })).body.data).toHaveLength(count);
			expect((await done(`/deleteVar/${id}?dryRun=1`)).usages).toHaveLength(count);
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
		});

		test('a variable is deleted whose boards do not fit into one commit', async () => {
			const id = await save('/saveVariable', makeBody());
			const series = Array.from({ length: 320 }, () => ({ varId: id, label: 'l'.repeat(200) }));
			for (let index = 0; index < 9; index += 1) await save('/saveChart', { id: 0, title: 'Large', series });
			const before = service.requestsOf('deleteVar').length;
			expect(await done(`/deleteVar/${id}`)).toEqual({ tsdbVar: true });
			const commits = service
				.requestsOf('deleteVar')
				.slice(before)
				.filter(({ operation }) => operation === 'TransactWriteItems');
			expect(commits.length).toBeGreaterThan(1);
		});

		test('a diagram that shows a bit is deleted just before its variable is saved without the bit', async () => {
			const id = await save('/saveVariable', makeBitsBody());
			const board = await save('/saveDiagram', { id: 0, title: 'Bit', items: [{ varId: id, bit: 7, x: 0, y: 0 }] });
			service.interrupt(
				'saveVariable',
				({ operation }) => operation === 'BatchGetItem',
				() => done(`/deleteDiagram/${board}`),
			);
			await done('/saveVariable', makeBitsBody({ id, bits: [{ id: 1, name: 'Pump 1', bit: 0 }] }));
			expect(service.pendingInterruptions()).toBe(0);
		});

		test.each<[EndpointName, string, (ids: readonly number[], id?: number) => unknown, readonly number[]]>([
			['deleteChart', '/saveChart', chart, []],
			['deleteDiagram', '/saveDiagram', diagram, []],
			['deleteAlarm', '/saveAlarm', alarm, [1]],
			['deleteCorrection', '/saveCorrection', correction, [1]],
			['deleteReport', '/saveReport', report, []],
		])('a board drops a variable just before the board is deleted: %s', async (name, path, body, left) => {
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
			expect(service.pendingInterruptions()).toBe(0);
		});
	});

	test('the row of a machine is read before each write, and wherever the role decides what is shown', async () => {
		const iat = Math.floor(Date.now() / 1000);
		const machine = await service.signer.sign({
			iss: service.baseUrl,
			aud: 'caudal',
			sub: machineSubject('abcdefghij0123456789'),
			name: 'grafana',
			schema: 'plant_a',
			tsdb: 'plant_a',
			client: '1',
			scope: 'service',
			iat,
			exp: iat + 60,
			jti: 'machine',
		});
		for (const [path, options] of readers().map(requestOf)) {
			const { status, body } = await call(service, options.method, path, { token: machine, ...options });
			expect([path, status, body.request?.code]).toEqual([path, 403, 'machine_refused']);
		}
	});

	describe('sign-in with an OpenID provider', () => {
		const grant: Grant = {
			provider: 'entra',
			where: { groups: 'ops' },
			schema: 'plant_a',
			database: 'plant_a',
			owner: 1,
			role: 'administrator',
		};
		/** Returns a token of the provider for a person of the group. */
		const signed = (claims: Readonly<Record<string, unknown>>) => {
			const seconds = Math.floor(Date.now() / 1000);
			const common = { iss: provider.issuer, sub: 'ada', aud: 'caudal', iat: seconds, exp: seconds + 300, groups: ['ops'] };
			return signToken('rsa', { alg: 'RS256', kid: 'rsa' }, { ...common, ...claims });
		};
		const giveTokens = (claims: Readonly<Record<string, unknown>> = {}) =>
			provider.answers.set(
				'/token',
				json(200, { access_token: 'access', id_token: signed(claims), refresh_token: 'refresh', token_type: 'Bearer' }),
			);
		const sendCode = (schemaName?: string) =>
			call(service, 'POST', '/signInOpenId', {
				body: { provider: 'entra', code: 'code', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(43), schemaName },
			});
		const signInThere = async (): Promise<string> => {
			giveTokens({ nonce: 'n'.repeat(43) });
			const { status, body } = await sendCode();
			expect(status, JSON.stringify(body)).toBe(200);
			return body.token;
		};
		const as = (sid: string, path: string, body: unknown = {}) => call(service, 'POST', path, { token: sid, body });
		const changeFrom = (after: Grant | null): GrantChange => changeTo(after, Date.now());

		test('signs in, renews, writes, gives a role, signs out, is signed out there, and exchanges a token', async () => {
			await service.stores.owners.set({ kind: 'schema', name: 'plant_a', clientId: grant.owner });
			await service.stores.grants.add(grant, changeFrom(grant));
			const ada = await signInThere();
			expect((await as(ada, '/saveChart', chart([]))).status).toBe(200);
			const itemId = encodeURIComponent(grantItemId(digest, grant));
			const told = await call(service, 'GET', `/change?kind=grant&itemId=${itemId}&rowVersion=1`, { token: ada });
			expect(told.body.data.after).toMatchObject({ version: 1, content: { role: 'administrator' } });
			giveTokens({ nonce: 'n'.repeat(43), sub: 'eve' });
			const eve = (await sendCode()).body.user.id;
			const lowered = await as(ada, '/savePerson', { email: eve, role: 'viewer' });
			expect([lowered.status, lowered.body.role?.code]).toEqual([409, 'role_from_provider']);
			const other = await as(ada, '/savePerson', { email: 'other@plant-a.example', role: 'viewer' });
			expect(other.status, JSON.stringify(other.body)).toBe(200);
			expect((await as(ada, '/renewOpenId')).status).toBe(200);
			expect((await as(ada, '/signOut')).body.address).toContain('/logout?id_token_hint=');
			expect((await as(ada, '/saveChart', chart([]))).body.request.code).toBe('session_ended');
			for (const [path, options] of readers().map(requestOf)) {
				const { status, body } = await call(service, options.method, path, { token: ada, ...options });
				expect([path, status, body.request?.code]).toEqual([path, 403, 'session_ended']);
			}
			const again = await signInThere();
			const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
			const logout = new URLSearchParams({ logout_token: signed({ events, jti: 'one' }) });
			expect((await call(service, 'POST', '/backchannelLogout', { body: logout })).status).toBe(200);
			expect((await as(again, '/saveChart', chart([]))).body.request.code).toBe('session_ended');
			const form = new URLSearchParams({
				grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
				subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
				subject_token: signed({ aud: 'api' }),
			});
			expect((await call(service, 'POST', '/token', { body: form })).status).toBe(200);
		});

		test('asks the provider and ends the session where it refuses; refuses where the schema knows the person', async () => {
			const now = Date.now();
			onTestFinished(() => void vi.useRealTimers());
			const ada = await signInThere();
			vi.useFakeTimers({ toFake: ['Date'], now: now + 61_000 });
			giveTokens();
			const lower: Grant = { ...grant, role: 'engineer' };
			await service.stores.grants.add(lower, changeFrom(lower));
			expect((await as(ada, '/renewOpenId')).body.user.role).toBe('engineer');
			vi.setSystemTime(now + 122_000);
			provider.answers.set('/token', json(400, { error: 'temporarily_unavailable' }));
			expect((await as(ada, '/renewOpenId')).status).toBe(502);
			provider.answers.set('/token', json(400, { error: 'invalid_grant' }));
			expect((await as(ada, '/renewOpenId')).body.request.code).toBe('session_ended');
			vi.useRealTimers();
			giveTokens({ nonce: 'n'.repeat(43), groups: ['others'] });
			expect((await sendCode('plant_a')).body.request.code).toBe('no_grant');
		});
	});

	describe('the evaluation of alarms', () => {
		const evaluate = async () => expect(await service.evaluateAlarms()).toMatchObject({ outcome: 'ok' });

		test('raises an alarm that is saved meanwhile, ends a shelf, and sweeps the rows of a deleted alarm', async () => {
			const varId = await save('/saveVariable', makeBody({ name: 'Evaluated', varsTsdb: { Evaluated: makeQuery() } }));
			const ids = [await save('/saveAlarm', alarm([varId])), await save('/saveAlarm', alarm([varId]))];
			const now = Date.now();
			const lines = Array.from({ length: 30 }, (_, index) => `plant/flow value=9 ${now - 120_000 + index * 5000}`);
			await service.feed('plant_a', lines.join('\n'));
			service.interrupt(
				'evaluateAlarms',
				({ operation, body }) => operation === 'TransactWriteItems' && JSON.stringify(body).includes(`state#${ids[0]}`),
				() => save('/saveAlarm', { ...alarm([varId]), id: ids[0], name: 'Another name' }),
			);
			await evaluate();
			expect(service.pendingInterruptions()).toBe(0);
			const { rows } = await service.stores.alarms.rowsOf('plant_a', ids);
			expect(ids.map((id) => rows.get(id)?.state?.cause)).toEqual(['condition', 'condition']);
			const [alarmId = 0, deleted] = ids;
			await done(`/deleteAlarm/${deleted}`);
			await evaluate();
			expect([...(await service.stores.alarms.rowsOf('plant_a', ids)).rows.keys()]).toEqual([alarmId]);
			const shelf = { ...noOperatorState, rowVersion: 1, n: 1, shelvedUntil: now, shelvedBy: 'ana@utility.example', reason: 'r' };
			await service.stores.alarms.commit('plant_a', { alarmId, operator: { expected: null, put: shelf } });
			await evaluate();
		});
	});

	describe('the permissions of a function are exactly what its requests need', () => {
		test.each([...endpoints, ...tasks])('$name', (row) => {
			const needed = new Set(service.requestsOf(row.name).flatMap(neededFor));
			expect([...needed].sort()).toEqual([...grantedTo(row)].sort());
		});
	});
});
