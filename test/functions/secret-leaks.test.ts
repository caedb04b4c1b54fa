import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiEvent, ApiHandler, ApiResult } from '#http/event.ts';
import { createHandlers, type Handlers } from '#infra/local/wiring/handlers.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState, type State } from '#infra/local/wiring/state.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { emfOf } from '#test/support/emf.ts';
import { answerCredentials, faults, openFailingDependency } from '#test/support/fakes/failing-dependency.ts';
import {
	canary,
	credentials,
	type Ids,
	leaksIn,
	registered,
	requestsOf,
	type Sent,
	setup,
	variantNames,
} from '#test/support/secret-leaks.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

type FailingDependency = Awaited<ReturnType<typeof openFailingDependency>>;

/** A token's text, in as far as the gateway passes it on. */
const bearer = `Bearer ${canary('token')}`;

/** The event that API Gateway makes of a request. */
const eventOf = ({ endpoint, id, body, query, headers }: Sent): ApiEvent => {
	const { cookie = '', ...rest } = headers;
	const claims = { schema: credentials.schemaName, tsdb: credentials.tsdb_name, sub: '7', email: credentials.email };
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

/** Everything that this process prints while `work` runs, on either stream. */
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

/** The lines of requests, each of which has to be in the format. */
const requestLines = (printed: string): readonly string[] => printed.split('\n').filter((line) => line.includes('"_aws"'));

const expectNothingIn = (printed: string, requests: number): void => {
	expect(leaksIn(printed)).toEqual([]);
	expect(printed).not.toContain('eyJ');
	const lines = requestLines(printed);
	expect(lines).toHaveLength(requests);
	for (const line of lines) emfOf(line);
	for (const line of printed.split('\n').filter((each) => each !== '')) expect(() => JSON.parse(line)).not.toThrow();
};

describe('what functions print', () => {
	let printed: string[] = [];
	let identityProvider: FailingDependency;
	let state: State;
	let service: Handlers;
	let ids: Ids;

	const send = async (request: Sent): Promise<ApiResult> => service.handlers[request.endpoint.name](eventOf(request));
	const taken = (): string => {
		const text = printed.join('\n');
		printed = [];
		return text;
	};

	beforeAll(async () => {
		identityProvider = await openFailingDependency(answerCredentials);
		state = openState('memory', false);
		const settings = readLocalSettings({ STATE_DIR: 'memory', IDP_TOKEN: canary('idp-token') });
		const telemetry = createTelemetry({
			sink: (line) => printed.push(line),
			settings: readConfig(telemetrySchema, { ENDPOINT: 'any', ENVIRONMENT: 'dev' }),
		});
		const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: identityProvider.url };
		service = await createHandlers(settings, state, addresses, telemetry.log, Date.now);
		await service.users.put(registered);
		const noIds: Ids = { variable: 0, chart: 0, diagram: 0, alarm: 0 };
		const save = async (name: EndpointName, input: Partial<Sent>): Promise<number> => {
			const request = requestsOf('as it should be', noIds).find(({ endpoint }) => endpoint.name === name);
			if (request === undefined) throw new RangeError(`There is no endpoint ${name}.`);
			const { statusCode, body = '' } = await send({ ...request, ...input });
			expect(statusCode, body).toBe(200);
			return JSON.parse(body).data.id;
		};
		const variable = await save('saveVariable', setup.variable());
		ids = {
			variable,
			chart: await save('saveChart', setup.chart(variable)),
			diagram: await save('saveDiagram', setup.diagram(variable)),
			alarm: await save('saveAlarm', setup.alarm(variable)),
		};
		await save('saveBombs', setup.panel(variable));
		taken();
	});
	afterAll(async () => {
		await service.close();
		state.close();
		identityProvider.close();
	});

	test.each(variantNames)('names no secret and repeats no request: every endpoint, asked %s', async (variant) => {
		const requests = requestsOf(variant, ids);
		const answers = await Promise.all(requests.map(send));
		expect(answers.filter(({ statusCode = 0 }) => statusCode >= 500)).toEqual([]);
		if (variant === 'as it should be') expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
		expectNothingIn(taken(), requests.length);
	});

	test.each(Object.entries(faults))('nor where the identity provider fails: %s', async (_, fault) => {
		identityProvider.fail(fault);
		const [login] = requestsOf('as it should be', ids);
		if (login === undefined) throw new RangeError('There is no endpoint.');
		expect((await send(login)).statusCode).toBe(502);
		identityProvider.fail(undefined);
		expectNothingIn(taken(), 1);
	});

	test.each([
		['rows that are no JSON', `UPDATE row SET body = '${canary('row')} ' || body`],
		['rows that are not as they should be', `UPDATE row SET body = '{"kind":"${canary('kind')}","content":"${canary('row')}"}'`],
		['no tables', 'DROP TABLE row; DROP TABLE head; DROP TABLE idempotency'],
	])('nor where the store fails: %s', async (_, sql) => {
		state.database.exec(sql);
		const requests = requestsOf('as it should be', ids);
		const answers = await Promise.all(requests.map(send));
		expect(answers.filter(({ statusCode = 0 }) => statusCode >= 500).length).toBeGreaterThan(5);
		expectNothingIn(taken(), requests.length);
	});
});

describe('what functions print where nothing on AWS works', () => {
	let server: FailingDependency;
	const handlers = new Map<EndpointName, ApiHandler>();

	beforeAll(async () => {
		server = await openFailingDependency(() => null);
		const environment = {
			AWS_ENDPOINT_URL: server.url,
			AWS_REGION: 'us-east-1',
			AWS_ACCESS_KEY_ID: 'test',
			AWS_SECRET_ACCESS_KEY: canary('secret-key'),
			AWS_SESSION_TOKEN: canary('session-token'),
			ENVIRONMENT: 'dev',
			TABLE_VARIABLES: 'variables',
			TABLE_PANELS: 'panels',
			TABLE_BOARDS: 'boards',
			TABLE_IDEMPOTENCY: 'idempotency',
			TABLE_USERS: 'users',
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
		for (const { name } of endpoints) {
			vi.stubEnv('ENDPOINT', name);
			const { handler }: { handler: ApiHandler } = await import(`../../functions/${name}/index.ts`);
			handlers.set(name, handler);
		}
	});
	afterEach(() => vi.restoreAllMocks());
	afterAll(() => {
		vi.unstubAllEnvs();
		server.close();
	});

	test.each(Object.entries(faults))('names no secret and repeats no request: %s', async (_, fault) => {
		server.fail(fault);
		// Attempts are pauses apart that are random, up to a limit.
		vi.spyOn(Math, 'random').mockReturnValue(0);
		const requests = requestsOf('as it should be', { variable: 1, chart: 2, diagram: 3, alarm: 4 });
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
		expectNothingIn(printed, requests.length);
	});
});
