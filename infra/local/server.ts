import { once } from 'node:events';
import type { Server } from 'node:http';
import { messageOf } from '#domain/errors.ts';
import { providerFaults } from '#domain/identity/provider-settings.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { createAuthorizer } from '#http/authorizer.ts';
import type { Log } from '#http/log.ts';
import { createSchemaLimit } from '#http/schema-limit.ts';
import { readManifest } from '#infra/openapi/manifest.ts';
import { ConfigError } from '#shared/config.ts';
import { tasks } from '#shared/tasks.ts';
import { startDemoPlant } from './demo/demo-plant.ts';
import { createDemoIdp } from './demo/idp.ts';
import { bindDemoAlarms, seedPlant, seedUsers } from './demo/seed.ts';
import { createGateway, type GatewayDeps, localHosts } from './gateway/gateway.ts';
import { hostInUrl, listen } from './gateway/http.ts';
import { createMetricsApp, createReadyApp } from './gateway/operator-apps.ts';
import { bucketsPath, createBucketsApi, createOrgsApi, orgsPath } from './influx-write-api/buckets-api.ts';
import { createWriteApi, pingPath, respondToPing, v1WritePath, writePath } from './influx-write-api/write-api.ts';
import { startRetention } from './retention.ts';
import { startTaskTimer } from './task-timer.ts';
import { releaseName } from './wiring/earlier-state.ts';
import type { ServiceAddresses } from './wiring/endpoint-deps.ts';
import { type LocalService, openService } from './wiring/service.ts';
import { consoleUrlOf, demoWriteToken, type LocalSettings } from './wiring/settings.ts';
import { openState } from './wiring/state.ts';
import { claimState, type StateUse } from './wiring/state-use.ts';

/** The whole service on this machine. */
export interface LocalServer {
	readonly baseUrl: string;
	readonly settings: LocalSettings;
	readonly service: LocalService;
	/** Resolves when the past of the demo plant is written, and the tasks have begun. */
	readonly filled: Promise<void>;
	/** Stops accepting requests, answers the open ones for at most `drainMs`, then stops all timers and closes the state. */
	close(): Promise<void>;
}

/** How long open requests may still take after `close` was called, in milliseconds. */
const drainMs = 1500;

/**
 * Starts the whole service: state, endpoints, demo identity provider, series write API, demo plant.
 * @param now the clock of the whole service, epoch milliseconds
 * @throws ConfigError when the port is taken or the state directory cannot be used
 *
 * @example
 * const local = await startLocalServer(readLocalSettings({ PORT: '0', STATE_DIR: 'memory' }), silentLog);
 * await fetch(`${local.baseUrl}/idp/getUser?id=1`);
 * await local.close();
 */
export async function startLocalServer(settings: LocalSettings, log: Log, now: () => number = Date.now): Promise<LocalServer> {
	const ready = Promise.withResolvers<GatewayDeps>();
	// The gateway awaits this at the first request. A rejection before that would be unhandled, and end the process.
	ready.promise.catch(() => undefined);
	const server = createGateway(ready.promise);
	checkDemoIsLocal(settings);
	if (waysToSignIn(settings).length === 0)
		throw new ConfigError('Nobody could sign in: set OPENID_PROVIDERS with a provider, ACCOUNTS=on, or AUTH_URL.');
	const baseUrl = await listen(server, settings.PORT, settings.HOST).catch((cause: unknown) => {
		throw new ConfigError(`PORT ${settings.PORT} of HOST ${settings.HOST} cannot be listened on: ${messageOf(cause)}`, { cause });
	});
	/** What is closed when the server stops, the last opened first. */
	const opened = new AsyncDisposableStack();
	const close = async (): Promise<void> => {
		await drain(server);
		await opened.disposeAsync();
	};
	try {
		const addresses = addressesOf(settings, baseUrl);
		checkProviders(settings, addresses);
		const state = await openState(settings.STATE_DIR, { isExclusive: true });
		opened.defer(() => state.close());
		// Before whatever else may fail: the next start makes no other copy of the earlier state.
		await state.keyValues.set(releaseName, readManifest().version);
		await claimState(state.keyValues, useOf(settings), settings);
		const service = await openService({ settings, state, addresses, log, now });
		opened.defer(() => service.close());
		const { series } = service;
		const retentionMs = settings.RETENTION_DAYS * dayMs;
		// A DynamoDB emulator may lose its tables, so the users are stored there at every start.
		if (settings.hasDemoIdp) await seedUsers(service, settings.DYNAMODB_ENDPOINT === undefined ? state.keyValues : undefined);
		// The demo identity provider has tenants with databases even when no demo plant runs.
		if (settings.DEMO_PLANT === 'on' || settings.hasDemoIdp) await bindDemoAlarms(service, now());
		let filled = Promise.resolve();
		if (settings.DEMO_PLANT === 'on') {
			await seedPlant(service, now());
			const plant = await startDemoPlant({ series, keyValues: state.keyValues, settings, retentionMs, log, now });
			opened.defer(() => plant.stop());
			filled = plant.filled();
		}
		const retention = startRetention({ series, retentionMs, now, log });
		opened.defer(() => retention.stop());
		ready.resolve(gatewayDepsOf({ service, settings, issuer: addresses.baseUrl, log, now }));
		// A task that ran earlier would seal days of a report whose samples are not written yet.
		const started = filled.then(() => startTasks(service, opened));
		return { baseUrl, settings, service, filled: started, close };
	} catch (error) {
		ready.reject(error);
		await close();
		throw error;
	}
}

/** Starts the timers of the tasks, unless the service was closed meanwhile. */
function startTasks(service: LocalService, opened: AsyncDisposableStack): void {
	for (const { name, clock } of tasks) {
		// Left out are the canary, which a rule runs because it watches deployed services, and tasks that another task starts.
		if (opened.disposed || clock?.by !== 'scheduler') continue;
		const timer = startTaskTimer(service.tasks[name], clock.everyMinutes);
		opened.defer(() => timer.stop());
	}
}

/** A service, and how it is served. */
export interface ServedService {
	readonly service: LocalService;
	readonly settings: LocalSettings;
	/** The issuer of the service's tokens. */
	readonly issuer: string;
	readonly log: Log;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Builds the dependencies of the gateway: the API of `service`, the demo identity provider and the series write API. */
export function gatewayDepsOf({ service, settings, issuer, log, now }: ServedService): GatewayDeps {
	const { handlers, publicKeys: keys, series } = service;
	const retentionMs = settings.RETENTION_DAYS * dayMs;
	const { WRITE_TOKEN: token } = settings;
	const writeApi = createWriteApi({ writeLines: series.writeLines, hasBucket: series.hasBucket, token, retentionMs, now });
	return {
		handlers,
		limit: createSchemaLimit(settings.REQUESTS_PER_SCHEMA),
		settings: endpointSettingsOf(settings),
		authorize: createAuthorizer({ issuer, audience: settings.TOKEN_AUDIENCE, keys, now }),
		corsOrigins: settings.CORS_ORIGINS,
		allowedHosts: [...settings.ALLOWED_HOSTS, ...publicHostsOf(settings)],
		proxyHops: settings.TRUSTED_PROXY_HOPS,
		mounts: [
			...(settings.hasDemoIdp ? [{ path: '/idp', respond: createDemoIdp(settings.IDP_TOKEN) }] : []),
			...[writePath, v1WritePath].map((path) => ({ path, respond: writeApi })),
			{ path: bucketsPath, respond: createBucketsApi({ createBucket: series.createBucket, token }) },
			{ path: orgsPath, respond: createOrgsApi({ token }) },
			{ path: pingPath, respond: respondToPing },
			createMetricsApp(service.measures.read, { isPublic: settings.PUBLIC_METRICS === 'on', token: settings.METRICS_TOKEN }),
			createReadyApp(service.readiness, (check, reason) => log.error('The service is not ready.', { check, reason }), now),
		],
		log,
		now,
	};
}

/** Returns the addresses of the service, of its console and of its identity provider. */
function addressesOf(settings: LocalSettings, listenedUrl: string): ServiceAddresses {
	return {
		baseUrl: settings.PUBLIC_URL ?? listenedUrl,
		authUrl: settings.AUTH_URL ?? `${listenedUrl}/idp`,
		consoleUrl: consoleUrlOf(settings, new URL(listenedUrl).port),
	};
}

/** Checks the OpenID providers against the issuer, which the service may know only when it listens. @throws ConfigError */
function checkProviders({ openIdProviders }: LocalSettings, { baseUrl, consoleUrl }: ServiceAddresses): void {
	const faults = providerFaults(openIdProviders, { ownIssuer: baseUrl, consoleUrl, httpToo: false });
	if (faults.length > 0) throw new ConfigError(`OPENID_PROVIDERS: ${faults.join(' ')}`);
}

/** Returns the ways in which people may sign in, in words. */
export function waysToSignIn({ hasDemoIdp, AUTH_URL, ACCOUNTS, openIdProviders }: LocalSettings): readonly string[] {
	return [
		...(hasDemoIdp ? ['the demo identity provider'] : []),
		...(AUTH_URL === undefined ? [] : [AUTH_URL]),
		...(ACCOUNTS === 'on' ? ['accounts'] : []),
		...openIdProviders.map(({ name, issuer }) => `${name} (${issuer})`),
	];
}

/** Returns the settings that decide which endpoints there are. Accounts have the sessions of OpenID providers, and their endpoints. */
function endpointSettingsOf({
	PUBLIC_DOCS,
	AUTH_URL,
	ACCOUNTS,
	hasDemoIdp,
	openIdProviders,
}: LocalSettings): GatewayDeps['settings'] {
	const hasAccounts = ACCOUNTS === 'on';
	return new Set([
		...(PUBLIC_DOCS === 'on' ? (['publicDocs'] as const) : []),
		...(AUTH_URL !== undefined || hasDemoIdp ? (['authUrl'] as const) : []),
		...(openIdProviders.length > 0 || hasAccounts ? (['openIdProviders'] as const) : []),
		...(hasAccounts ? (['accounts'] as const) : []),
	]);
}

/** Returns the hosts by which clients reach the service: those of its addresses behind a proxy, and the address that it listens on. */
function publicHostsOf({ PUBLIC_URL, CONSOLE_URL, HOST }: LocalSettings): readonly string[] {
	const urls = [PUBLIC_URL, CONSOLE_URL].filter((each) => each !== undefined);
	return [...urls.map((each) => new URL(each).hostname), hostInUrl(HOST)];
}

/** Returns what the state is used for. A trial with an identity provider of its own and without the demo plant is for neither. */
function useOf({ isProduction, hasDemoIdp, DEMO_PLANT }: LocalSettings): StateUse | 'trial' {
	if (isProduction) return 'production';
	return hasDemoIdp || DEMO_PLANT === 'on' ? 'demo' : 'trial';
}

/** Refuses to show other machines what everybody knows: the demo's people, plant and token. @throws ConfigError */
function checkDemoIsLocal(settings: LocalSettings): void {
	const { isProduction, hasDemoIdp, DEMO_PLANT, WRITE_TOKEN } = settings;
	const known = [
		...(hasDemoIdp ? ['the people of the demo'] : []),
		...(DEMO_PLANT === 'on' ? ['its plant (DEMO_PLANT)'] : []),
		...(WRITE_TOKEN === demoWriteToken ? ['its WRITE_TOKEN'] : []),
	];
	if (isProduction || known.length === 0) return;
	const foreign = [...settings.ALLOWED_HOSTS, ...publicHostsOf(settings)].filter((host) => !localHosts.includes(host));
	if (foreign.length > 0)
		throw new ConfigError(
			`Everybody knows ${known.join(', ')}, so the demo does not answer under ${foreign.join(', ')}: unset ALLOWED_HOSTS, PUBLIC_URL, CONSOLE_URL and HOST, or run npm run serve.`,
		);
}

/** Stops accepting requests, and ends the connections of those that are not answered within `drainMs`. */
async function drain(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeIdleConnections();
	const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
	await closed;
	clearTimeout(deadline);
}
