import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { silentLog } from '#infra/local/console-log.ts';
import { createDemoIdp } from '#infra/local/demo/idp.ts';
import { seedUsers } from '#infra/local/demo/seed.ts';
import { createAuthorizer } from '#infra/local/gateway/authorizer.ts';
import { createCors } from '#infra/local/gateway/cors.ts';
import { createGateway, type GatewayDeps } from '#infra/local/gateway/gateway.ts';
import { createWriteApi, writePath } from '#infra/local/influx-write-api/write-api.ts';
import { maxWriteBytes } from '#infra/local/influx-write-api/write-body.ts';
import { createHandlers } from '#infra/local/wiring/handlers.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { type EndpointName, endpoints, requiredScope } from '#shared/contract.ts';
import type { Target } from '#test/e2e/target.ts';
import { newDatabase } from '../servers/dynamo.ts';
import { openFaultyProxy, type Passing } from '../servers/faulty-proxy.ts';
import { feed, writeToken } from '../servers/local.ts';

/** What happens while a request to DynamoDB is held up: a write that comes between. */
interface Interruption {
	readonly before: (request: Passing) => boolean;
	readonly work: () => Promise<unknown>;
}

/** The service on this machine, and what each endpoint asked of DynamoDB. */
export interface RecordedService extends Target {
	asked(endpoint: EndpointName): readonly Passing[];
	/** Holds up the next request of an endpoint that `before` is true of, until `work` is done. */
	interrupt(endpoint: EndpointName, before: Interruption['before'], work: Interruption['work']): void;
	/** How many interruptions have not happened yet. */
	waiting(): number;
}

const dayMs = 86_400_000;

/** One service for every endpoint, each with its own client of one DynamoDB, behind one gateway: as on Lambda. */
export const openRecordedService = async (): Promise<RecordedService> => {
	const opened = new AsyncDisposableStack();
	const ready = Promise.withResolvers<GatewayDeps>();
	const server = createGateway(ready.promise);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	opened.defer(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	const port = address !== null && typeof address === 'object' ? address.port : 0;
	const baseUrl = `http://127.0.0.1:${port}`;

	const directory = mkdtempSync(join(tmpdir(), 'caudal-recorded-'));
	opened.defer(() => rmSync(directory, { recursive: true, force: true }));
	const state = openState(directory, true);
	opened.defer(() => state.close());
	const database = newDatabase();
	const interruptions = new Map<EndpointName, Interruption>();
	const now = Date.now;

	const openOne = async (name: EndpointName) => {
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', async (passing) => {
			const interruption = interruptions.get(name);
			if (interruption?.before(passing) === true) {
				interruptions.delete(name);
				await interruption.work();
			}
			return passing.forward();
		});
		opened.defer(proxy.close);
		const settings = readLocalSettings({
			DEMO_PLANT: 'off',
			WRITE_TOKEN: writeToken,
			DYNAMODB_ENDPOINT: proxy.url,
			AWS_ACCESS_KEY_ID: database,
		});
		const service = await createHandlers(settings, state, { baseUrl, authUrl: `${baseUrl}/idp` }, silentLog, now);
		opened.defer(() => service.close());
		return { name, service, settings, seen: proxy.seen };
	};
	// One after the other: the first makes what the others share.
	const first = await openOne('health');
	const each = [first];
	for (const { name } of endpoints) if (name !== first.name) each.push(await openOne(name));
	await seedUsers(first.service.users, first.service.seeded);
	// What a service asks before any request, on this machine alone.
	for (const { seen } of each) seen.length = 0;

	const own = Object.fromEntries(each.map(({ name, service }) => [name, service.handlers[name]]));
	const asked = new Map(each.map(({ name, seen }) => [name, seen]));
	ready.resolve({
		handlers: { ...first.service.handlers, ...own },
		authorize: createAuthorizer({
			issuer: baseUrl,
			audience: first.settings.TOKEN_AUDIENCE,
			requiredScope,
			keys: first.service.publicKeys,
			now,
		}),
		cors: createCors(first.settings.CORS_ORIGINS),
		mounts: [
			{ path: '/idp', maxBodyBytes: 0, answer: createDemoIdp(first.settings.IDP_TOKEN) },
			{
				path: writePath,
				maxBodyBytes: maxWriteBytes,
				answer: createWriteApi({
					write: first.service.series.write,
					token: writeToken,
					retentionMs: first.settings.RETENTION_DAYS * dayMs,
					now,
				}),
			},
		],
		log: silentLog,
		now,
	});
	return {
		baseUrl,
		asked: (endpoint) => asked.get(endpoint) ?? [],
		feed: (bucket, lines) => feed(baseUrl, bucket, lines),
		interrupt: (endpoint, before, work) => interruptions.set(endpoint, { before, work }),
		waiting: () => interruptions.size,
		close: () => opened.disposeAsync(),
	};
};
