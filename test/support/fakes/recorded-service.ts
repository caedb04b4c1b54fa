import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { TokenSigner } from '#domain/ports/token-signer.ts';
import { createHandler as dispatchAlarms } from '#functions/dispatchAlarms/handler.ts';
import type { TaskResult } from '#http/task-handler.ts';
import { createJwkTokenSigner } from '#infra/local/adapters/jwk-token-signer.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { seedUsers } from '#infra/local/demo/seed.ts';
import { createGateway, type GatewayDeps } from '#infra/local/gateway/gateway.ts';
import { listen } from '#infra/local/gateway/http.ts';
import { gatewayDepsOf } from '#infra/local/server.ts';
import { type LocalService, openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { loadSigningKey } from '#infra/local/wiring/signing-key.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openStores } from '#infra/local/wiring/stores.ts';
import { endpoints, type FunctionName } from '#shared/contract.ts';
import type { AlarmTarget } from '#test/e2e/target.ts';
import { newDatabase } from '../servers/dynamo.ts';
import { openFaultyProxy, type ProxiedRequest } from '../servers/faulty-proxy.ts';
import { feed, writeToken } from '../servers/local.ts';

const noMetrics: Metrics = { count: () => undefined, time: () => undefined, gauge: () => undefined };

/** Work that is done while a request to DynamoDB is delayed, such as a concurrent write. */
interface Interruption {
	readonly before: (request: ProxiedRequest) => boolean;
	readonly work: () => Promise<unknown>;
}

/** The local service, which records the requests of each endpoint, and of the evaluation of alarms, to DynamoDB. */
export interface RecordedService extends AlarmTarget {
	requestsOf(name: FunctionName): readonly ProxiedRequest[];
	/** The stores that no request is recorded of. */
	readonly stores: Pick<LocalService, 'store' | 'alarms' | 'grants' | 'owners'>;
	/** The key of its database in DynamoDB Local. */
	readonly database: string;
	/** Signs tokens that its gateway accepts. */
	readonly signer: TokenSigner;
	/** Evaluates the alarms of all schemas. */
	evaluateAlarms(): Promise<TaskResult>;
	/** Stores, seals and sends the days of reports. */
	closeReportDays(): Promise<TaskResult>;
	/** Packs the definitions of all schemas. */
	packDefinitions(): Promise<TaskResult>;
	/** Delays the function's next request for which `before` returns true until `work` is done. */
	interrupt(name: FunctionName, before: Interruption['before'], work: Interruption['work']): void;
	/** Returns the number of interruptions that have not happened yet. */
	pendingInterruptions(): number;
}

/**
 * Opens one service for each endpoint behind one gateway, as on Lambda: each has its own client of the same DynamoDB.
 * @param providers OpenID providers, as they are written in the settings
 */
export const openRecordedService = async (providers: readonly unknown[] = []): Promise<RecordedService> => {
	const opened = new AsyncDisposableStack();
	const ready = Promise.withResolvers<GatewayDeps>();
	const server = createGateway(ready.promise);
	const baseUrl = await listen(server, 0);
	opened.defer(() => {
		server.closeAllConnections();
		server.close();
	});
	const directory = mkdtempSync(join(tmpdir(), 'caudal-recorded-'));
	opened.defer(() => rmSync(directory, { recursive: true, force: true }));
	const state = await openState(directory, { isExclusive: true });
	opened.defer(() => state.close());
	const providersFile = join(directory, 'providers.json');
	writeFileSync(providersFile, JSON.stringify(providers));
	const database = newDatabase();
	const interruptions = new Map<FunctionName, Interruption>();
	// Tests set the clock.
	const now = (): number => Date.now();

	const openOne = async <Name extends FunctionName>(name: Name) => {
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', async (request) => {
			const interruption = interruptions.get(name);
			if (interruption?.before(request) === true) {
				interruptions.delete(name);
				await interruption.work();
			}
			return request.forward();
		});
		opened.defer(proxy.close);
		const settings = readLocalSettings({
			DEMO_PLANT: 'off',
			WRITE_TOKEN: writeToken,
			DYNAMODB_ENDPOINT: proxy.url,
			AWS_ACCESS_KEY_ID: database,
			// As in a protected environment, which needs one permission more.
			UNOWNED_DATA: 'refuse',
			OPENID_PROVIDERS: providersFile,
			DEMO_IDP: 'on',
		});
		const addresses = { baseUrl, authUrl: `${baseUrl}/idp`, consoleUrl: `${baseUrl}/console` };
		const service = await openService({ settings, state, addresses, log: silentLog, now });
		opened.defer(() => service.close());
		return { name, service, settings, seen: proxy.seen };
	};
	// Opened one by one: the first creates the tables and keys that the others share.
	const first = await openOne('health');
	const others = [];
	for (const { name } of endpoints) if (name !== first.name) others.push(await openOne(name));
	const services = [first, ...others];
	const dispatcher = await openOne('dispatchAlarms');
	const evaluator = await openOne('evaluateAlarms');
	const closer = await openOne('closeReportDays');
	const packer = await openOne('packDefinitions');
	await seedUsers(first.service);
	// Drops the requests of the start, which only the local service makes.
	for (const { seen } of [...services, dispatcher, evaluator, closer, packer]) seen.length = 0;

	// Requests of this store are not recorded: no function sends them.
	const direct = await openStores(
		readLocalSettings({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: database }),
		state,
	);
	opened.defer(() => direct.close());

	const handlers = Object.fromEntries(services.map(({ name, service }) => [name, service.handlers[name]]));
	const requests = new Map<FunctionName, readonly ProxiedRequest[]>(
		[...services, dispatcher, evaluator, closer, packer].map(({ name, seen }) => [name, seen]),
	);
	ready.resolve({
		...gatewayDepsOf({ service: first.service, settings: first.settings, issuer: baseUrl, log: silentLog, now }),
		handlers: { ...first.service.handlers, ...handlers },
	});
	return {
		baseUrl,
		alarms: direct.alarms,
		people: direct.people,
		requestsOf: (name) => requests.get(name) ?? [],
		stores: direct,
		database,
		signer: createJwkTokenSigner(await loadSigningKey(state.keyValues)),
		evaluateAlarms: dispatchAlarms({
			alarms: dispatcher.service.alarms,
			settleMs: 15_000,
			now,
			log: silentLog,
			metrics: noMetrics,
			report: () => undefined,
			workers: {
				start: async (schemas) => {
					await evaluator.service.tasks.evaluateAlarms({ schemas });
				},
			},
		}),
		closeReportDays: async () => {
			const schemas = (await direct.owners.list()).flatMap(({ kind, name }) => (kind === 'schema' ? [name] : []));
			// So that all are due.
			for (const schema of schemas) await direct.closings.restart(schema);
			const result = await closer.service.tasks.closeReportDays();
			const failing = [...(await direct.closings.find(schemas))].flatMap(([schema, { failingSince }]) =>
				failingSince === null ? [] : [schema],
			);
			return { ...result, done: { ...result.done, failing } };
		},
		packDefinitions: () => packer.service.tasks.packDefinitions(),
		feed: (bucket, lines) => feed(baseUrl, bucket, lines),
		interrupt: (name, before, work) => interruptions.set(name, { before, work }),
		pendingInterruptions: () => interruptions.size,
		close: () => opened.disposeAsync(),
	};
};
