import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import type { EndpointName } from '#shared/contract.ts';
import { answerCredentials, faults, openFailingDependency } from '#test/support/fakes/failing-dependency.ts';
import { startProgram } from '#test/support/process.ts';
import {
	canary,
	credentials,
	type Ids,
	leaksIn,
	registered,
	requestsOf,
	type Sent,
	setup,
	type Variant,
	variantNames,
} from '#test/support/secret-leaks.ts';
import { call } from './target.ts';

/** A request's line on the console. */
const requestLine = /^\d\d:\d\d:\d\d (?:GET|POST) \S+ \d{3}\b/gm;

/**
 * The whole service as `npm start` runs it, in a process of its own, with canaries for all that is secret. What it prints on
 * either stream is looked at from after its first screen, which shows tokens on purpose.
 */
const openLocal = async (environment: Readonly<Record<string, string>>) => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-canaries-'));
	const file = join(folder, 'caudal.db');
	const users = openDatabase(file);
	await createSqliteUsers(users).put(registered);
	users.close();
	const identityProvider = await openFailingDependency(answerCredentials);
	const { program, baseUrl } = await startProgram({
		STATE_DIR: folder,
		DEMO_PLANT: 'off',
		AUTH_URL: identityProvider.url,
		IDP_TOKEN: canary('idp-token'),
		WRITE_TOKEN: canary('write-token'),
		...environment,
	});
	const target = { baseUrl, feed: async () => undefined, close: async () => undefined };
	let sent = 0;
	let seen = program.printed().length;

	const send = ({ endpoint, id, body, query, headers }: Omit<Sent, 'query' | 'headers'> & Partial<Sent>, token?: string) => {
		sent += 1;
		const path = endpoint.path.replace('{id}', encodeURIComponent(id ?? ''));
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
		/** Does something to the tables behind the service’s back. */
		damage: (sql: string): void => {
			const database = openDatabase(file);
			database.exec(sql);
			database.close();
		},
		/** What was printed since the last time, once there is a line for every request sent since, and no line more. */
		printed: async (): Promise<string> => {
			const text = () => program.printed().slice(seen);
			await vi.waitFor(() => expect(text().match(requestLine) ?? []).toHaveLength(sent), { timeout: 5000 });
			const printed = text();
			seen += printed.length;
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

const noIds: Ids = { variable: 0, chart: 0, diagram: 0, alarm: 0 };

const requestTo = (name: EndpointName): Sent => {
	const found = requestsOf('as it should be', noIds).find(({ endpoint }) => endpoint.name === name);
	if (found === undefined) throw new RangeError(`There is no endpoint ${name}.`);
	return found;
};

/** Signs in and saves one of everything. */
const fill = async ({ send }: Local): Promise<{ token: string; ids: Ids }> => {
	const done = async (name: EndpointName, input: Partial<Sent>, token?: string) => {
		const { status, body } = await send({ ...requestTo(name), ...input }, token);
		expect(status, JSON.stringify(body)).toBe(200);
		return body;
	};
	const { token } = await done('loginSso', {});
	const variable = (await done('saveVariable', setup.variable(), token)).data.id;
	const chart = (await done('saveChart', setup.chart(variable), token)).data.id;
	const diagram = (await done('saveDiagram', setup.diagram(variable), token)).data.id;
	const alarm = (await done('saveAlarm', setup.alarm(variable), token)).data.id;
	await done('saveBombs', setup.panel(variable), token);
	return { token, ids: { variable, chart, diagram, alarm } };
};

/** Every part of a token that tells anything, and what all tokens begin with. */
const expectNothingOf = (token: string, printed: string): void => {
	for (const part of token.split('.')) expect(printed).not.toContain(part.slice(0, 40));
	expect(printed).not.toContain('eyJ');
	expect(leaksIn(printed)).toEqual([]);
};

describe('what the service on one machine prints', () => {
	let local: Local;
	let token: string;
	let ids: Ids;
	beforeAll(async () => {
		local = await openLocal({});
		({ token, ids } = await fill(local));
	});
	afterAll(() => local.close());

	const sendAll = async (variant: Variant, shown: string | undefined = token) => {
		const requests = requestsOf(variant, ids);
		return Promise.all(
			requests.map(async (request) => ({
				name: request.endpoint.name,
				auth: request.endpoint.auth,
				...(await local.send(request, shown)),
			})),
		);
	};

	test.each(variantNames)('names no secret and repeats no request: every endpoint, asked %s', async (variant) => {
		const answers = await sendAll(variant);
		if (variant === 'as it should be') expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
		expectNothingOf(token, await local.printed());
	});

	test.each([
		['one that is none', () => canary('token')],
		['one of another signature', () => `${token.slice(0, -8)}AAAAAAAA`],
		['one of other claims', () => token.replace(/\.[^.]+\./, `.${Buffer.from(canary('claims')).toString('base64url')}.`)],
		['none', () => undefined],
	])('nor with a token that is wrong: %s', async (_, wrong) => {
		const shown = wrong();
		const answers = await Promise.all(
			requestsOf('as it should be', ids).map(async (request) => ({
				auth: request.endpoint.auth,
				...(await local.send(request, shown)),
			})),
		);
		for (const { auth, status } of answers) expect(status).toBe(auth === 'bearer' ? 401 : 200);
		expectNothingOf(token, await local.printed());
	});

	test('nor where there is no such route', async () => {
		const headers = { cookie: canary('cookie'), authorization: `Bearer ${token}` };
		const endpoint = { ...requestTo('loginSso').endpoint, path: '/nowhere' };
		const { status } = await local.send({ ...requestTo('loginSso'), endpoint, headers });
		expect(status).toBe(404);
		expectNothingOf(token, await local.printed());
	});

	test('nor what is written to the series', async () => {
		const lines = `${canary('topic')} value=1 ${Date.now()}\n${canary('bad line')}\n`;
		for (const shown of [canary('write-token'), canary('wrong')]) {
			const { status } = await call(local.target, 'POST', `/api/v2/write?bucket=${canary('tsdb')}&precision=ms`, {
				body: lines,
				headers: { authorization: `Token ${shown}` },
			});
			expect(status).toBe(shown === canary('wrong') ? 401 : 400);
		}
		expectNothingOf(token, await local.printed());
	});

	test.each(Object.entries(faults))('nor where the identity provider fails: %s', async (_, fault) => {
		local.identityProvider.fail(fault);
		const { status } = await local.send(requestTo('loginSso'));
		local.identityProvider.fail(undefined);
		expect(status).toBe(502);
		const printed = await local.printed();
		expect(printed).toContain('dependency_failed');
		expectNothingOf(token, printed);
	});

	test.each([
		['rows that are no JSON', `UPDATE row SET body = '${canary('row')} ' || body`],
		['rows that are not as they should be', `UPDATE row SET body = '{"kind":"${canary('kind')}","content":"${canary('row')}"}'`],
		['no tables', 'DROP TABLE row; DROP TABLE head; DROP TABLE idempotency'],
	])('nor where the store fails: %s', async (_, sql) => {
		local.damage(sql);
		const answers = await sendAll('as it should be');
		expect(answers.filter(({ status }) => status >= 500).length).toBeGreaterThan(5);
		expectNothingOf(token, await local.printed());
	});
});

describe('what the service on one machine prints where an InfluxDB has the series', () => {
	let influx: Awaited<ReturnType<typeof openFailingDependency>>;
	let local: Local;
	let token: string;
	let ids: Ids;
	beforeAll(async () => {
		influx = await openFailingDependency(() => ({ status: 204, body: '' }));
		local = await openLocal({ INFLUX_URL: influx.url, INFLUX_TOKEN: canary('influx-token'), INFLUX_ORG: canary('org') });
		({ token, ids } = await fill(local));
	});
	afterAll(async () => {
		await local.close();
		influx.close();
	});

	test.each(Object.entries(faults))('names no secret and repeats no request where it fails: %s', async (_, fault) => {
		influx.fail(fault);
		const before = influx.asked();
		const names = ['multipleDataTsdb', 'getBombs', 'getAlarms', 'saveVariable'];
		const requests = requestsOf('with a dry run', ids).filter(({ endpoint }) => names.includes(endpoint.name));
		const answers = await Promise.all(requests.map((request) => local.send(request, token)));
		expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502]);
		expect(influx.asked() - before).toBeGreaterThanOrEqual(4);
		const written = await call(local.target, 'POST', `/api/v2/write?bucket=${canary('tsdb')}&precision=ms`, {
			body: `${canary('topic')} value=1 ${Date.now()}`,
			headers: { authorization: `Token ${canary('write-token')}` },
		});
		expect(written.status).toBeGreaterThan(0);
		const printed = await local.printed();
		expect(printed).toContain('dependency_failed');
		expectNothingOf(token, printed);
	});
});

test('a canary that is printed is found', () => {
	expect(leaksIn(`12:00:00 ok\n12:00:01 ${JSON.stringify(credentials)}\n`)).not.toEqual([]);
	expect(leaksIn('12:00:00 POST /saveVariable 200 4 ms')).toEqual([]);
});
