import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import type { EndpointName } from '#shared/contract.ts';
import { faults, openFailingDependency, respondAsIdentityProvider } from '#test/support/fakes/failing-dependency.ts';
import { startProgram } from '#test/support/process.ts';
import {
	credentials,
	inputsToCreate,
	leaksIn,
	type RequestToSend,
	registeredUser,
	requestsOf,
	type StoredIds,
	secretMarker,
	type Variant,
	variantNames,
} from '#test/support/secret-leaks.ts';
import { call } from './target.ts';

/** The line of a request on the console. */
const requestLine = /^\d\d:\d\d:\d\d (?:GET|POST) \S+ \d{3}\b/gm;

/**
 * Starts the service as `npm start` does, in a process of its own, with markers for every secret. Its output is checked from
 * after the banner, which shows a token on purpose.
 */
const openLocal = async (environment: Readonly<Record<string, string>>) => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-leaks-'));
	const file = join(folder, 'caudal.db');
	const users = openDatabase(file);
	await createSqliteUsers(users).put(registeredUser);
	users.close();
	const identityProvider = await openFailingDependency(respondAsIdentityProvider);
	const { program, baseUrl } = await startProgram({
		STATE_DIR: folder,
		DEMO_PLANT: 'off',
		AUTH_URL: identityProvider.url,
		IDP_TOKEN: secretMarker('idp-token'),
		WRITE_TOKEN: secretMarker('write-token'),
		...environment,
	});
	const target = { baseUrl, feed: async () => undefined, close: async () => undefined };
	let sent = 0;
	let checkedLength = program.output().length;

	const send = (
		{ endpoint, id, body, query, headers }: Omit<RequestToSend, 'query' | 'headers'> & Partial<RequestToSend>,
		token?: string,
	) => {
		sent += 1;
		const path = endpoint.path.replace(/\{\w+\}/, encodeURIComponent(id ?? ''));
		return call(target, endpoint.method, `${path}?${new URLSearchParams(query)}`, {
			...(token === undefined ? {} : { token }),
			...(body === undefined ? {} : { body }),
			...(headers === undefined ? {} : { headers }),
		});
	};
	return {
		target,
		send,
		identityProvider,
		/** Runs SQL on the tables beside the service. */
		damage: (sql: string): void => {
			const database = openDatabase(file);
			database.exec(sql);
			database.close();
		},
		/** Returns the output since the last call, after it has exactly one line for each request sent meanwhile. */
		printed: async (): Promise<string> => {
			const text = () => program.output().slice(checkedLength);
			await vi.waitFor(() => expect(text().match(requestLine) ?? []).toHaveLength(sent), { timeout: 5000 });
			const printed = text();
			checkedLength += printed.length;
			sent = 0;
			return printed;
		},
		close: async () => {
			program.child.kill('SIGTERM');
			await program.ended;
			identityProvider.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
};
type Local = Awaited<ReturnType<typeof openLocal>>;

const noIds: StoredIds = { variable: 0, chart: 0, diagram: 0, alarm: 0, report: 0, deletedChart: 0 };

const requestTo = (name: EndpointName): RequestToSend => {
	const found = requestsOf('valid', noIds).find(({ endpoint }) => endpoint.name === name);
	if (found === undefined) throw new RangeError(`There is no endpoint ${name}.`);
	return found;
};

/** Signs in as an administrator and saves one row of each kind. */
const fill = async ({ send, damage }: Local): Promise<{ token: string; ids: StoredIds }> => {
	const sendOk = async (name: EndpointName, input: Partial<RequestToSend>, token?: string) => {
		const { status, body } = await send({ ...requestTo(name), ...input }, token);
		expect(status, JSON.stringify(body)).toBe(200);
		return body;
	};
	await sendOk('loginSso', {});
	damage(`UPDATE person SET role = 'administrator'`);
	const { token } = await sendOk('loginSso', {});
	const variable = (await sendOk('saveVariable', inputsToCreate.variable(), token)).data.id;
	const chart = (await sendOk('saveChart', inputsToCreate.chart(variable), token)).data.id;
	const diagram = (await sendOk('saveDiagram', inputsToCreate.diagram(variable), token)).data.id;
	const alarm = (await sendOk('saveAlarm', inputsToCreate.alarm(variable), token)).data.id;
	const report = (await sendOk('saveReport', inputsToCreate.report(variable), token)).data.id;
	await sendOk('saveBombs', inputsToCreate.panel(variable), token);
	const deletedChart = (await sendOk('saveChart', inputsToCreate.chart(variable), token)).data.id;
	await sendOk('deleteChart', { id: String(deletedChart) }, token);
	return { token, ids: { variable, chart, diagram, alarm, report, deletedChart } };
};

/** Expects no marker, no part of the token, and no start of any token. */
const expectNoLeaks = (token: string, printed: string): void => {
	for (const part of token.split('.')) expect(printed).not.toContain(part.slice(0, 40));
	expect(printed).not.toContain('eyJ');
	expect(leaksIn(printed)).toEqual([]);
};

describe('the output of the local service', () => {
	let local: Local;
	let token: string;
	let ids: StoredIds;
	beforeAll(async () => {
		local = await openLocal({});
		({ token, ids } = await fill(local));
	});
	afterAll(() => local.close());

	const sendAll = async (variant: Variant, sentToken: string | undefined = token) => {
		const requests = requestsOf(variant, ids);
		return Promise.all(
			requests.map(async (request) => ({
				name: request.endpoint.name,
				auth: request.endpoint.auth,
				...(await local.send(request, sentToken)),
			})),
		);
	};

	test.each(variantNames)('holds no secret and no part of a request: every endpoint, %s', async (variant) => {
		const answers = await sendAll(variant);
		// No machine has the credentials of a marker.
		const refused = answers.filter(({ status }) => status !== 200).map(({ name }) => name);
		if (variant === 'valid') expect(refused).toEqual(['token']);
		expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
		expectNoLeaks(token, await local.printed());
	});

	test.each([
		['text that is not a token', () => secretMarker('token')],
		['another signature', () => `${token.slice(0, -8)}AAAAAAAA`],
		['other claims', () => token.replace(/\.[^.]+\./, `.${Buffer.from(secretMarker('claims')).toString('base64url')}.`)],
		['no token', () => undefined],
	])('holds none for an invalid token: %s', async (_, makeToken) => {
		const invalidToken = makeToken();
		const answers = await Promise.all(
			requestsOf('valid', ids).map(async (request) => ({
				endpoint: request.endpoint,
				...(await local.send(request, invalidToken)),
			})),
		);
		for (const { endpoint, status } of answers) {
			// A token beside the credentials of a machine is one place too many.
			if (endpoint.name === 'token') expect([400, 401]).toContain(status);
			else expect(status).toBe(endpoint.auth === 'bearer' ? 401 : 200);
		}
		expectNoLeaks(token, await local.printed());
	});

	test('holds none for an unknown route', async () => {
		const headers = { cookie: secretMarker('cookie'), authorization: `Bearer ${token}` };
		const endpoint = { ...requestTo('loginSso').endpoint, path: '/nowhere' };
		const { status } = await local.send({ ...requestTo('loginSso'), endpoint, headers });
		expect(status).toBe(404);
		expectNoLeaks(token, await local.printed());
	});

	test('holds none for a write to the series', async () => {
		const lines = `${secretMarker('topic')} value=1 ${Date.now()}\n${secretMarker('bad line')}\n`;
		for (const writeToken of [secretMarker('write-token'), secretMarker('wrong')]) {
			const { status } = await call(local.target, 'POST', `/api/v2/write?bucket=${secretMarker('tsdb')}&precision=ms`, {
				body: lines,
				headers: { authorization: `Token ${writeToken}` },
			});
			expect(status).toBe(writeToken === secretMarker('wrong') ? 401 : 400);
		}
		expectNoLeaks(token, await local.printed());
	});

	test.each(Object.entries(faults))('holds none when the identity provider fails: %s', async (_, fault) => {
		local.identityProvider.fail(fault);
		const { status } = await local.send(requestTo('loginSso'));
		local.identityProvider.fail(undefined);
		expect(status).toBe(502);
		const printed = await local.printed();
		expect(printed).toContain('dependency_failed');
		expectNoLeaks(token, printed);
	});

	test.each([
		['rows that are not JSON', `UPDATE row SET body = '${secretMarker('row')} ' || body`],
		['rows of an unknown kind', `UPDATE row SET body = '{"kind":"${secretMarker('kind')}","content":"${secretMarker('row')}"}'`],
		['no tables', 'DROP TABLE row; DROP TABLE head; DROP TABLE idempotency'],
	])('holds none when the store fails: %s', async (_, sql) => {
		local.damage(sql);
		const answers = await sendAll('valid');
		expect(answers.filter(({ status }) => status >= 500).length).toBeGreaterThan(5);
		expectNoLeaks(token, await local.printed());
	});
});

describe('the output of the local service with an InfluxDB', () => {
	let influx: Awaited<ReturnType<typeof openFailingDependency>>;
	let local: Local;
	let token: string;
	let ids: StoredIds;
	beforeAll(async () => {
		influx = await openFailingDependency(() => ({ status: 204, body: '' }));
		local = await openLocal({
			INFLUX_URL: influx.url,
			INFLUX_TOKEN: secretMarker('influx-token'),
			INFLUX_ORG: secretMarker('org'),
			// Each request reaches InfluxDB.
			READINGS_SHARED_MS: '0',
		});
		({ token, ids } = await fill(local));
	});
	afterAll(async () => {
		await local.close();
		influx.close();
	});

	test.each(Object.entries(faults))('holds no secret and no part of a request when InfluxDB fails: %s', async (_, fault) => {
		influx.fail(fault);
		const before = influx.requestCount();
		const names = ['multipleDataTsdb', 'history', 'getBombs', 'getAlarms', 'saveVariable'];
		const requests = requestsOf('with a dry run', ids).filter(({ endpoint }) => names.includes(endpoint.name));
		const answers = await Promise.all(requests.map((request) => local.send(request, token)));
		expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502]);
		expect(influx.requestCount() - before).toBeGreaterThanOrEqual(5);
		const written = await call(local.target, 'POST', `/api/v2/write?bucket=${secretMarker('tsdb')}&precision=ms`, {
			body: `${secretMarker('topic')} value=1 ${Date.now()}`,
			headers: { authorization: `Token ${secretMarker('write-token')}` },
		});
		expect(written.status).toBeGreaterThan(0);
		const printed = await local.printed();
		expect(printed).toContain('dependency_failed');
		expectNoLeaks(token, printed);
	});
});

test('leaksIn finds a printed marker', () => {
	expect(leaksIn(`12:00:00 ok\n12:00:01 ${JSON.stringify(credentials)}\n`)).not.toEqual([]);
	expect(leaksIn('12:00:00 POST /saveVariable 200 4 ms')).toEqual([]);
});
