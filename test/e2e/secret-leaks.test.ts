import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiEvent, ApiHandler } from '#http/event.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import { openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { emfOf } from '#test/support/emf.ts';
import { faults, openFailingDependency, respondAsIdentityProvider } from '#test/support/fakes/failing-dependency.ts';
import { startProgram } from '#test/support/process.ts';
import {
	credentials,
	inputsToCreate,
	leaksIn,
	noIds,
	type RequestToSend,
	registeredUser,
	requestsOf,
	requestsToProvider,
	type StoredIds,
	secretMarker,
	variantNames,
} from '#test/support/secret-leaks.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { call } from './target.ts';

type FailingDependency = Awaited<ReturnType<typeof openFailingDependency>>;

/** A service with markers for every secret, which tells what it printed. */
interface MarkedService {
	send(request: RequestToSend, token?: string): Promise<{ readonly status: number; readonly text: string }>;
	readonly identityProvider: FailingDependency;
	/** Runs SQL on the tables beside the service. */
	damage(sql: string): void;
	/** Returns the output since the last call, after it has exactly one line for each request sent meanwhile. */
	printed(): Promise<string>;
	close(): Promise<void>;
}

/** The settings of an OpenID provider at an address, whose client has a marked secret. They are written into a folder. */
const providerSettings = (folder: string, issuer: string): Readonly<Record<string, string>> => {
	const file = join(folder, 'providers.json');
	const provider = { name: 'entra', label: 'Entra', issuer, clientId: 'caudal', secret: true, audiences: ['urn:caudal'] };
	writeFileSync(file, JSON.stringify([provider]));
	return { OPENID_PROVIDERS: file, OPENID_SECRET_ENTRA: secretMarker('client-secret') };
};

/** What endpoints without a token answer to what a marker names. */
const refusedWithoutToken: Readonly<Record<string, number>> = { openIdProvider: 404, signInOpenId: 404, backchannelLogout: 400 };

/** The line of a request on the console. */
const requestLine = /^\d\d:\d\d:\d\d (?:GET|POST) \S+ \d{3}\b/gm;

/**
 * Starts the service as `npm start` does, in a process of its own. Its output is checked from after the banner, which shows a token on
 * purpose.
 */
const openLocal = async (environment: Readonly<Record<string, string>> = {}) => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-leaks-'));
	const file = join(folder, 'caudal.db');
	const users = openDatabase(file);
	await createSqliteUsers(users).put(registeredUser);
	users.close();
	const identityProvider = await openFailingDependency(respondAsIdentityProvider);
	const { program, baseUrl } = await startProgram({
		...providerSettings(folder, identityProvider.url),
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
	return {
		/** Writes to the series. */
		write: (body: string, token: string) =>
			call(target, 'POST', `/api/v2/write?bucket=${secretMarker('tsdb')}&precision=ms`, {
				body,
				headers: { authorization: `Token ${token}` },
			}),
		send: async ({ endpoint, id, query, body, headers }: RequestToSend, token?: string) => {
			sent += 1;
			const path = endpoint.path.replace(/\{\w+\+?\}/, encodeURIComponent(id ?? ''));
			const answer = await call(target, endpoint.method, `${path}?${new URLSearchParams(query)}`, {
				...(token === undefined ? {} : { token }),
				...(body === undefined ? {} : { body }),
				headers,
			});
			return { status: answer.status, text: JSON.stringify(answer.body) };
		},
		identityProvider,
		damage: (sql: string): void => {
			const database = openDatabase(file);
			database.exec(sql);
			database.close();
		},
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
	} satisfies MarkedService & { readonly write: unknown };
};

/** Makes the event that API Gateway sends for a request. It passes the Authorization header on to functions. */
const eventOf = (
	{ endpoint, id, body, query, headers }: RequestToSend,
	others: Readonly<Record<string, string>> = {},
): ApiEvent => {
	const { cookie = '', ...rest } = headers;
	const claims = {
		schema: credentials.schemaName,
		tsdb: credentials.tsdb_name,
		sub: '7',
		email: credentials.email,
		client: '9',
		iat: String(Math.floor(Date.now() / 1000)),
		...others,
	};
	const event = makeEvent(`${endpoint.method} ${endpoint.path}`, {
		query,
		headers: { authorization: `Bearer ${secretMarker('token')}`, ...rest },
		claims,
		...(id === undefined ? {} : { id }),
		...(body === undefined ? {} : { body }),
	});
	return { ...event, cookies: cookie.split('; ') };
};

/** Expects one line in embedded metric format for each request, and JSON on every line. */
const expectRequestLines = (printed: string, requests: number): void => {
	const lines = printed.split('\n').filter((line) => line !== '');
	const requestLines = lines.filter((line) => line.includes('"_aws"'));
	expect(requestLines).toHaveLength(requests);
	for (const line of requestLines) emfOf(line);
	for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
};

/** Opens the handlers with the log that functions have on Lambda. */
const openFunctions = async (): Promise<MarkedService> => {
	let lines: string[] = [];
	let sent = 0;
	const identityProvider = await openFailingDependency(respondAsIdentityProvider);
	const state = await openState('memory');
	const folder = mkdtempSync(join(tmpdir(), 'caudal-leaks-'));
	const settings = readLocalSettings({
		...providerSettings(folder, identityProvider.url),
		STATE_DIR: 'memory',
		IDP_TOKEN: secretMarker('idp-token'),
	});
	rmSync(folder, { recursive: true });
	const { log } = createTelemetry({
		sink: (line) => lines.push(line),
		settings: readConfig(telemetrySchema, { ENDPOINT: 'any', ENVIRONMENT: 'dev' }),
	});
	const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: identityProvider.url, consoleUrl: 'http://localhost:1/console' };
	const service = await openService({ settings, state, addresses, log, now: Date.now });
	await service.users.put(registeredUser);
	return {
		send: async ({ headers, ...request }, token) => {
			sent += 1;
			// A function that checks credentials itself gets those of the caller.
			const checked = request.endpoint.auth === 'basic' && token !== undefined ? { authorization: `Bearer ${token}` } : {};
			const event = eventOf({ ...request, headers: { ...headers, ...checked } });
			const { statusCode = 0, body = '' } = await service.handlers[request.endpoint.name](event);
			return { status: statusCode, text: body };
		},
		identityProvider,
		damage: (sql) => state.database.exec(sql),
		printed: async () => {
			const printed = lines.join('\n');
			expectRequestLines(printed, sent);
			[lines, sent] = [[], 0];
			return printed;
		},
		close: async () => {
			await service.close();
			state.close();
			identityProvider.close();
		},
	};
};

const requestTo = (name: EndpointName): RequestToSend => {
	const found = requestsOf('valid', noIds).find(({ endpoint }) => endpoint.name === name);
	if (found === undefined) throw new RangeError(`There is no endpoint ${name}.`);
	return found;
};

/** Signs in as an administrator and saves one row of each kind. */
const fill = async ({ send, damage, printed }: MarkedService): Promise<{ token: string; ids: StoredIds }> => {
	let token: string | undefined;
	const sendOk = async (name: EndpointName, input: Partial<RequestToSend> = {}) => {
		const { status, text } = await send({ ...requestTo(name), ...input }, token);
		expect(status, text).toBe(200);
		return JSON.parse(text);
	};
	const save = async (name: EndpointName, input: Partial<RequestToSend>): Promise<number> => (await sendOk(name, input)).data.id;
	await sendOk('loginSso');
	damage(`UPDATE person SET role = 'administrator'`);
	token = (await sendOk('loginSso')).token ?? '';
	const variable = await save('saveVariable', inputsToCreate.variable());
	const deletedChart = await save('saveChart', inputsToCreate.chart(variable));
	await sendOk('deleteChart', { id: String(deletedChart) });
	const ids = {
		variable,
		deletedChart,
		chart: await save('saveChart', inputsToCreate.chart(variable)),
		diagram: await save('saveDiagram', inputsToCreate.diagram(variable)),
		alarm: await save('saveAlarm', inputsToCreate.alarm(variable)),
		report: await save('saveReport', inputsToCreate.report(variable)),
	};
	await sendOk('saveBombs', inputsToCreate.panel(variable));
	await printed();
	return { token: token ?? '', ids };
};

/** Expects no marker, no part of the token, and no start of any token. */
const expectNoLeaks = (token: string, printed: string): void => {
	for (const part of token.split('.')) expect(printed).not.toContain(part.slice(0, 40));
	expect(printed).not.toContain('eyJ');
	// A row that cannot be read is named, so that somebody finds it. Its schema is that of the token.
	const named = /"message":"stored_row_invalid","schema":"[^"]*","row":"[a-z]+(?:#\d+)?"/g;
	expect(leaksIn(printed.replaceAll(named, ''))).toEqual([]);
};

/** Defines the tests of what a service prints while its requests are refused, and its dependencies fail. */
const leakTests = (service: () => MarkedService, filled: () => { readonly token: string; readonly ids: StoredIds }): void => {
	const sendAll = async (variant: (typeof variantNames)[number]) => {
		const { token, ids } = filled();
		const requests = requestsOf(variant, ids);
		const answers = await Promise.all(requests.map((request) => service().send(request, token)));
		return answers.map((answer, index) => ({ name: requests[index]?.endpoint.name, ...answer }));
	};
	const printed = async (): Promise<string> => {
		const text = await service().printed();
		expectNoLeaks(filled().token, text);
		return text;
	};

	test.each(variantNames)('holds no secret and no part of a request: every endpoint, %s', async (variant) => {
		const answers = await sendAll(variant);
		// No machine, no provider and no session has what a marker names.
		if (variant === 'valid')
			expect(answers.filter(({ status }) => status !== 200)).toMatchObject([
				{ name: 'openIdProvider', status: 404 },
				{ name: 'signInOpenId', status: 404 },
				{ name: 'renewOpenId', status: 403 },
				{ name: 'backchannelLogout', status: 400 },
				{ name: 'token', status: 400 },
			]);
		expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
		await printed();
	});

	test.each(Object.entries(faults))('holds none when the identity provider fails: %s', async (_, fault) => {
		const { identityProvider, send } = service();
		identityProvider.fail(fault);
		const requests = [requestTo('loginSso'), ...requestsToProvider(identityProvider.url)];
		const answers = await Promise.all(requests.map((request) => send(request)));
		identityProvider.fail(undefined);
		expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502]);
		for (const { text } of answers) expectNoLeaks(filled().token, text);
		expect(await printed()).toContain('dependency_failed');
	});

	test.each([
		['rows that are not JSON', `UPDATE row SET body = '${secretMarker('row')} ' || body`],
		['rows of an unknown kind', `UPDATE row SET body = '{"kind":"${secretMarker('kind')}","content":"${secretMarker('row')}"}'`],
		['no tables', 'DROP TABLE row; DROP TABLE head; DROP TABLE idempotency'],
	])('holds none when the store fails: %s', async (_, sql) => {
		service().damage(sql);
		const answers = await sendAll('valid');
		// A row that cannot be read costs only itself.
		const faults = answers.filter(({ status }) => status >= 500).length;
		if (sql.startsWith('DROP')) expect(faults).toBeGreaterThan(5);
		else expect(faults).toBe(0);
		await printed();
	});
};

describe('the output of functions', () => {
	let service: MarkedService;
	let filled: Awaited<ReturnType<typeof fill>>;
	beforeAll(async () => {
		service = await openFunctions();
		filled = await fill(service);
	});
	afterAll(() => service.close());

	leakTests(
		() => service,
		() => filled,
	);
});

describe('the output of the local service', () => {
	let local: Awaited<ReturnType<typeof openLocal>>;
	let filled: Awaited<ReturnType<typeof fill>>;
	beforeAll(async () => {
		local = await openLocal();
		filled = await fill(local);
	});
	afterAll(() => local.close());

	test.each([
		['text that is not a token', () => secretMarker('token')],
		['another signature', (token: string) => `${token.slice(0, -8)}AAAAAAAA`],
		[
			'other claims',
			(token: string) => token.replace(/\.[^.]+\./, `.${Buffer.from(secretMarker('claims')).toString('base64url')}.`),
		],
		['no token', () => undefined],
	])('holds none for an invalid token: %s', async (_, invalid) => {
		for (const request of requestsOf('valid', filled.ids)) {
			const { status } = await local.send(request, invalid(filled.token));
			const { name, auth } = request.endpoint;
			// A token beside the credentials of a machine is one place too many.
			if (name === 'token') expect([400, 401]).toContain(status);
			else if (name in refusedWithoutToken) expect(status, name).toBe(refusedWithoutToken[name]);
			else expect(status, name).toBe(auth === 'none' ? 200 : 401);
		}
		expectNoLeaks(filled.token, await local.printed());
	});

	test('holds none for an unknown route', async () => {
		const headers = { cookie: secretMarker('cookie'), authorization: `Bearer ${filled.token}` };
		const endpoint = { ...requestTo('loginSso').endpoint, path: '/nowhere' };
		expect((await local.send({ ...requestTo('loginSso'), endpoint, headers })).status).toBe(404);
		expectNoLeaks(filled.token, await local.printed());
	});

	test('holds none for a write to the series', async () => {
		const lines = `${secretMarker('topic')} value=1 ${Date.now()}\n${secretMarker('bad line')}\n`;
		expect((await local.write(lines, secretMarker('write-token'))).status).toBe(400);
		expect((await local.write(lines, secretMarker('wrong'))).status).toBe(401);
		expectNoLeaks(filled.token, await local.printed());
	});

	leakTests(
		() => local,
		() => filled,
	);
});

describe('the output of the local service with an InfluxDB', () => {
	let influx: FailingDependency;
	let local: Awaited<ReturnType<typeof openLocal>>;
	let filled: Awaited<ReturnType<typeof fill>>;
	beforeAll(async () => {
		influx = await openFailingDependency(() => ({ status: 204, body: '' }));
		local = await openLocal({
			INFLUX_URL: influx.url,
			INFLUX_TOKEN: secretMarker('influx-token'),
			INFLUX_ORG: secretMarker('org'),
			// Each request reaches InfluxDB.
			READINGS_SHARED_MS: '0',
		});
		filled = await fill(local);
	});
	afterAll(async () => {
		await local.close();
		influx.close();
	});

	test.each(Object.entries(faults))('holds no secret and no part of a request when InfluxDB fails: %s', async (_, fault) => {
		influx.fail(fault);
		const before = influx.requestCount();
		const names = ['multipleDataTsdb', 'history', 'getBombs', 'getAlarms', 'saveVariable'];
		const requests = requestsOf('with a dry run', filled.ids).filter(({ endpoint }) => names.includes(endpoint.name));
		const answers = await Promise.all(requests.map((request) => local.send(request, filled.token)));
		expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502]);
		expect(influx.requestCount() - before).toBeGreaterThanOrEqual(5);
		const written = await local.write(`${secretMarker('topic')} value=1 ${Date.now()}`, secretMarker('write-token'));
		expect(written.status).toBeGreaterThan(0);
		const printed = await local.printed();
		expect(printed).toContain('dependency_failed');
		expectNoLeaks(filled.token, printed);
	});
});

describe('the output of functions when every AWS service fails', () => {
	let server: FailingDependency;
	const folder = mkdtempSync(join(tmpdir(), 'caudal-leaks-'));
	const handlers = new Map<EndpointName, ApiHandler>();

	beforeAll(async () => {
		server = await openFailingDependency(() => null);
		const environment = {
			...awsEnvironment,
			AWS_ENDPOINT_URL: server.url,
			INFLUX_URL: server.url,
			AUTH_URL: server.url,
			LAMBDA_TASK_ROOT: folder,
			OPENID_PROVIDERS: basename(providerSettings(folder, server.url)['OPENID_PROVIDERS'] ?? ''),
		};
		for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
		// The bundler writes it.
		vi.stubGlobal('serviceVersion', '0.0.0');
		for (const { name } of endpoints) {
			vi.stubEnv('ENDPOINT', name);
			const { handler }: { handler: ApiHandler } = await import(`../../functions/${name}/index.ts`);
			handlers.set(name, handler);
		}
	});
	afterEach(() => vi.restoreAllMocks());
	afterAll(() => {
		vi.unstubAllGlobals();
		vi.unstubAllEnvs();
		server.close();
		rmSync(folder, { recursive: true });
	});

	test.each(Object.entries(faults))('holds no secret and no part of a request: %s', async (_, fault) => {
		server.fail(fault);
		// Without this, the pauses between attempts are random.
		vi.spyOn(Math, 'random').mockReturnValue(0);
		const requests = requestsOf('valid', { variable: 1, chart: 2, diagram: 3, alarm: 4, report: 6, deletedChart: 5 });
		const ofSessions = requests.filter(({ endpoint: { name } }) => ['renewOpenId', 'signOut', 'saveChart'].includes(name));
		const statuses = new Map<EndpointName, number | undefined>();
		const printed = await printedBy(async () => {
			await Promise.all(
				requests.map(async (request) => {
					const result = await handlers.get(request.endpoint.name)?.(eventOf(request));
					statuses.set(request.endpoint.name, result?.statusCode);
				}),
			);
			await Promise.all(
				[...ofSessions, ...requestsToProvider(server.url)].map(async (request) => {
					const result = await handlers.get(request.endpoint.name)?.(eventOf(request, sessionClaims));
					expect(result?.statusCode, request.endpoint.name).toBeGreaterThanOrEqual(500);
					expectNoLeaks(secretMarker('token'), result?.body ?? '');
				}),
			);
		});
		expect(statuses.get('health')).toBe(200);
		expectRequestLines(printed, requests.length + ofSessions.length + requestsToProvider(server.url).length);
		expectNoLeaks(secretMarker('token'), printed);
	});
});

/** The claims of a person of an OpenID provider. */
const sessionClaims = { sub: `person:${'a'.repeat(32)}`, name: secretMarker('shown'), sid: secretMarker('sid') };

test('leaksIn finds a printed marker', () => {
	expect(leaksIn(`12:00:00 ok\n12:00:01 ${JSON.stringify(credentials)}\n`)).not.toEqual([]);
	expect(leaksIn('12:00:00 POST /saveVariable 200 4 ms')).toEqual([]);
});

/** Runs `work` and returns everything that this process prints meanwhile, on both streams. */
const printedBy = async (work: () => Promise<void>): Promise<string> => {
	const printed: string[] = [];
	const streams = [process.stdout, process.stderr].map((stream) =>
		vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0),
	);
	const methods = (['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((method) =>
		vi.spyOn(console, method).mockImplementation((...parts) => void printed.push(`${parts.map(String).join(' ')}\n`)),
	);
	try {
		await work();
	} finally {
		for (const spy of [...streams, ...methods]) spy.mockRestore();
	}
	return printed.join('');
};

const awsEnvironment = {
	AWS_REGION: 'us-east-1',
	AWS_ACCESS_KEY_ID: 'test',
	AWS_SECRET_ACCESS_KEY: secretMarker('secret-key'),
	AWS_SESSION_TOKEN: secretMarker('session-token'),
	ENVIRONMENT: 'dev',
	TABLE_VARIABLES: 'variables',
	TABLE_PANELS: 'panels',
	TABLE_BOARDS: 'boards',
	TABLE_EVALUATIONS: 'evaluations',
	TABLE_ALARM_STATES: 'states',
	TABLE_CHANGES: 'changes',
	TABLE_REPORT_DAYS: 'days',
	TABLE_ALARM_EVENTS: 'events',
	TABLE_IDEMPOTENCY: 'idempotency',
	ALARM_EVENT_DAYS: '400',
	CHANGE_DAYS: '1825',
	TABLE_USERS: 'users',
	TABLE_PEOPLE: 'people',
	TABLE_MACHINES: 'machines',
	DEFAULT_ROLE: 'engineer',
	TABLE_OWNERS: 'owners',
	UNOWNED_DATA: 'claim',
	TABLE_SIGN_IN_FAILURES: 'failures',
	INFLUX_ORG: 'org',
	INFLUX_TOKEN_SECRET: 'influx',
	IDP_TOKEN_SECRET: 'idp',
	IDP_PRODUCT_ID: '1',
	KEY_RING: '/keys',
	TOKEN_ISSUER: 'https://issuer.example',
	TABLE_GRANTS: 'grants',
	TABLE_SESSIONS: 'sessions',
	TABLE_SESSION_TOKENS: 'tokens',
	OPENID_EXCHANGE: 'on',
	OPENID_HTTP: 'off',
	OPENID_SECRET_PREFIX: 'openid-',
	LOGIN_SSO: 'on',
	CONSOLE_URL: 'https://caudal.example/console',
};
