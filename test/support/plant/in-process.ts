import type { DatabaseSync } from 'node:sqlite';
import { canonicalTags } from '#infra/local/adapters/line-protocol/point.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { routeOf } from '#infra/local/gateway/route.ts';
import { type LocalService, openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openStores, type Stores } from '#infra/local/wiring/stores.ts';
import { openSession, type Session } from '#infra/tools/plant/session.ts';
import { makeEvent } from '#test/support/builders/events.ts';

/** A request as the service gets it. */
export interface SentRequest {
	readonly method: string;
	readonly path: string;
}

/** Looks at a request before it is answered, or at its answer; may throw, as a connection that breaks. */
export interface Wire {
	readonly before?: (request: SentRequest) => Promise<void> | void;
	readonly after?: (request: SentRequest) => Promise<void> | void;
}

/** The whole service in this process, without sockets and tokens. All schemas read one database. */
export interface InProcessService {
	readonly service: LocalService;
	/** The tables of the service. */
	readonly stores: Stores;
	/** The file of the tables, in memory. */
	readonly database: DatabaseSync;
	/** Answers a request of a tenant, as the gateway does. */
	readonly call: (schema: string, request: Request) => Promise<Response>;
	readonly session: (schema: string, wire?: Wire) => Session;
	readonly write: (topic: string, samples: readonly (readonly [time: number, value: number])[]) => Promise<void>;
	readonly close: () => Promise<void>;
}

/** The moment at which all of it happens. */
export const plantNow = Date.parse('2026-11-24T12:34:56Z');
const database = 'plant';
/** The service believes this token: the gateway that would check it is left out. */
const tokenOf = (schema: string): string => `x.${Buffer.from(JSON.stringify({ schema })).toString('base64url')}.x`;

/** Opens a service. */
export const openInProcess = async (environment: Readonly<Record<string, string>> = {}): Promise<InProcessService> => {
	const state = await openState('memory');
	// The journals leave out what is too old by the machine's clock.
	const journals = { ALARM_EVENT_DAYS: '3650', CHANGE_DAYS: '0' };
	const settings = readLocalSettings({ STATE_DIR: 'memory', DEMO_PLANT: 'off', ...journals, ...environment });
	const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', consoleUrl: 'http://localhost:1/console' };
	const service = await openService({ settings, state, addresses, log: silentLog, now: () => plantNow });
	const stores = await openStores(settings, state);
	const call = async (schema: string, request: Request): Promise<Response> => {
		const url = new URL(request.url);
		const route = routeOf(request.method, url.pathname);
		if (route === null) return Response.json({ message: 'Not Found' }, { status: 404 });
		const text = await request.text();
		const { id } = route.parameters;
		const event = makeEvent(`${request.method} ${route.path}`, {
			...(text === '' ? {} : { body: text }),
			headers: Object.fromEntries(request.headers),
			query: Object.fromEntries(url.searchParams),
			...(id === undefined ? {} : { id }),
			claims: { schema, tsdb: database, sub: '1', email: 'ada@plant.example' },
		});
		const {
			statusCode = 200,
			headers = {},
			body = '',
			isBase64Encoded = false,
		} = await service.handlers[route.endpoint.name](event);
		const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
		return new Response(bytes, {
			status: statusCode,
			headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
		});
	};
	return {
		service,
		stores,
		database: state.database,
		call,
		session: (schema, { before, after } = {}) =>
			openSession({
				url: new URL('http://plant.invalid'),
				credentials: { token: tokenOf(schema) },
				now: () => plantNow,
				pause: async () => undefined,
				fetch: async (request) => {
					const sent = { method: request.method, path: new URL(request.url).pathname };
					await before?.(sent);
					const response = await call(schema, request);
					await after?.(sent);
					return response;
				},
			}),
		write: (topic, samples) =>
			service.series.write(
				database,
				samples.map(([time, value]) => ({
					measurement: topic,
					tags: canonicalTags([]),
					field: 'value',
					value: { kind: 'float', value },
					timeNs: BigInt(time) * 1_000_000n,
				})),
			),
		close: async () => {
			await service.close();
			stores.close();
			state.close();
		},
	};
};
