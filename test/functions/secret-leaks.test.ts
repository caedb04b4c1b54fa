import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiEvent, ApiHandler, ApiResult } from '#http/event.ts';
import { type LocalService, openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState, type State } from '#infra/local/wiring/state.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { emfOf } from '#test/support/emf.ts';
import { faults, openFailingDependency, respondAsIdentityProvider } from '#test/support/fakes/failing-dependency.ts';
import {
	credentials,
	inputsToCreate,
	leaksIn,
	type RequestToSend,
	registeredUser,
	requestsOf,
	type StoredIds,
	secretMarker,
	variantNames,
} from '#test/support/secret-leaks.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

type FailingDependency = Awaited<ReturnType<typeof openFailingDependency>>;

/** The Authorization header. The gateway passes it on to functions. */
const bearer = `Bearer ${secretMarker('token')}`;

/** Makes the event that API Gateway sends for a request. */
const eventOf = ({ endpoint, id, body, query, headers }: RequestToSend): ApiEvent => {
	const { cookie = '', ...rest } = headers;
	const iat = String(Math.floor(Date.now() / 1000));
	const claims = {
		schema: credentials.schemaName,
		tsdb: credentials.tsdb_name,
		sub: '7',
		email: credentials.email,
		client: '9',
		iat,
	};
	const parts = {
		query,
		headers: { authorization: bearer, ...rest },
		claims,
		...(id === undefined ? {} : { id }),
		...(body === undefined ? {} : { body }),
	};
	const event = makeEvent(`${endpoint.method} ${endpoint.path}`, parts);
	return { ...event, cookies: cookie.split('; ') };
};

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

/** The lines in embedded metric format: one for each request. */
const requestLines = (printed: string): readonly string[] => printed.split('\n').filter((line) => line.includes('"_aws"'));

const expectNoLeaksIn = (printed: string, requests: number): void => {
	expect(leaksIn(printed)).toEqual([]);
	expect(printed).not.toContain('eyJ');
	const lines = requestLines(printed);
	expect(lines).toHaveLength(requests);
	for (const line of lines) emfOf(line);
	for (const line of printed.split('\n').filter((each) => each !== '')) expect(() => JSON.parse(line)).not.toThrow();
};

describe('the output of functions', () => {
	let printed: string[] = [];
	let identityProvider: FailingDependency;
	let state: State;
	let service: LocalService;
	let ids: StoredIds;

	const send = async (request: RequestToSend): Promise<ApiResult> => service.handlers[request.endpoint.name](eventOf(request));
	const takeOutput = (): string => {
		const text = printed.join('\n');
		printed = [];
		return text;
	};

	beforeAll(async () => {
		identityProvider = await openFailingDependency(respondAsIdentityProvider);
		state = await openState('memory');
		const settings = readLocalSettings({ STATE_DIR: 'memory', IDP_TOKEN: secretMarker('idp-token') });
		const telemetry = createTelemetry({
			sink: (line) => printed.push(line),
			settings: readConfig(telemetrySchema, { ENDPOINT: 'any', ENVIRONMENT: 'dev' }),
		});
		const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: identityProvider.url };
		service = await openService({ settings, state, addresses, log: telemetry.log, now: Date.now });
		await service.users.put(registeredUser);
		await service.people.setRole(credentials.schemaName, credentials.email, 'administrator', byTool);
		const noIds: StoredIds = { variable: 0, chart: 0, diagram: 0, alarm: 0, report: 0, deletedChart: 0 };
		const save = async (name: EndpointName, input: Partial<RequestToSend>): Promise<number> => {
			const request = requestsOf('valid', noIds).find(({ endpoint }) => endpoint.name === name);
			if (request === undefined) throw new RangeError(`There is no endpoint ${name}.`);
			const { statusCode, body = '' } = await send({ ...request, ...input });
			expect(statusCode, body).toBe(200);
			return JSON.parse(body).data.id;
		};
		// A token is renewed only where its client owns the schema.
		const [login] = requestsOf('valid', noIds);
		if (login !== undefined) await send(login);
		const variable = await save('saveVariable', inputsToCreate.variable());
		const deletedChart = await save('saveChart', inputsToCreate.chart(variable));
		await save('deleteChart', { id: String(deletedChart) });
		ids = {
			variable,
			deletedChart,
			chart: await save('saveChart', inputsToCreate.chart(variable)),
			diagram: await save('saveDiagram', inputsToCreate.diagram(variable)),
			alarm: await save('saveAlarm', inputsToCreate.alarm(variable)),
			report: await save('saveReport', inputsToCreate.report(variable)),
		};
		await save('saveBombs', inputsToCreate.panel(variable));
		takeOutput();
	});
	afterAll(async () => {
		await service.close();
		state.close();
		identityProvider.close();
	});

	test.each(variantNames)('holds no secret and no part of a request: every endpoint, %s', async (variant) => {
		const requests = requestsOf(variant, ids);
		const answers = await Promise.all(requests.map(send));
		expect(answers.filter(({ statusCode = 0 }) => statusCode >= 500)).toEqual([]);
		const refused = requests.filter((_, index) => answers[index]?.statusCode !== 200);
		// No machine has the credentials of a marker.
		if (variant === 'valid') expect(refused.map(({ endpoint }) => endpoint.name)).toEqual(['token']);
		expectNoLeaksIn(takeOutput(), requests.length);
	});

	test.each(Object.entries(faults))('holds none when the identity provider fails: %s', async (_, fault) => {
		identityProvider.fail(fault);
		const [login] = requestsOf('valid', ids);
		if (login === undefined) throw new RangeError('There is no endpoint.');
		expect((await send(login)).statusCode).toBe(502);
		identityProvider.fail(undefined);
		expectNoLeaksIn(takeOutput(), 1);
	});

	test.each([
		['rows that are not JSON', `UPDATE row SET body = '${secretMarker('row')} ' || body`],
		['rows of an unknown kind', `UPDATE row SET body = '{"kind":"${secretMarker('kind')}","content":"${secretMarker('row')}"}'`],
		['no tables', 'DROP TABLE row; DROP TABLE head; DROP TABLE idempotency'],
	])('holds none when the store fails: %s', async (_, sql) => {
		state.database.exec(sql);
		const requests = requestsOf('valid', ids);
		const answers = await Promise.all(requests.map(send));
		expect(answers.filter(({ statusCode = 0 }) => statusCode >= 500).length).toBeGreaterThan(5);
		expectNoLeaksIn(takeOutput(), requests.length);
	});
});

describe('the output of functions when every AWS service fails', () => {
	let server: FailingDependency;
	const handlers = new Map<EndpointName, ApiHandler>();

	beforeAll(async () => {
		server = await openFailingDependency(() => null);
		const environment = {
			AWS_ENDPOINT_URL: server.url,
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
			INFLUX_URL: server.url,
			INFLUX_ORG: 'org',
			INFLUX_TOKEN_SECRET: 'influx',
			IDP_TOKEN_SECRET: 'idp',
			IDP_PRODUCT_ID: '1',
			AUTH_URL: server.url,
			KEY_RING: '/keys',
			TOKEN_ISSUER: 'https://issuer.example',
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
	});

	test.each(Object.entries(faults))('holds no secret and no part of a request: %s', async (_, fault) => {
		server.fail(fault);
		// Without this, the pauses between attempts are random.
		vi.spyOn(Math, 'random').mockReturnValue(0);
		const requests = requestsOf('valid', { variable: 1, chart: 2, diagram: 3, alarm: 4, report: 6, deletedChart: 5 });
		const statuses = new Map<EndpointName, number | undefined>();
		const printed = await printedBy(async () => {
			await Promise.all(
				requests.map(async (request) => {
					const result = await handlers.get(request.endpoint.name)?.(eventOf(request));
					statuses.set(request.endpoint.name, result?.statusCode);
				}),
			);
		});
		expect(statuses.get('health')).toBe(200);
		expectNoLeaksIn(printed, requests.length);
	});
});
