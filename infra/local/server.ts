import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Log } from '#http/log.ts';
import { ConfigError } from '#shared/config.ts';
import { requiredScope } from '#shared/contract.ts';
import { startDemoPlant } from './demo/demo-plant.ts';
import { createDemoIdp } from './demo/idp.ts';
import { seedPlant, seedUsers } from './demo/seed.ts';
import { createAuthorizer } from './gateway/authorizer.ts';
import { createCors } from './gateway/cors.ts';
import { createGateway, type GatewayDeps, type MountedApp } from './gateway/gateway.ts';
import { createWriteApi, writePath } from './influx-write-api/write-api.ts';
import { maxWriteBytes } from './influx-write-api/write-body.ts';
import { startRetention } from './retention.ts';
import { createHandlers, type Handlers } from './wiring/handlers.ts';
import { type LocalSettings, memoryState } from './wiring/settings.ts';
import { openState } from './wiring/state.ts';

/** The service, listening on this machine. */
export interface LocalServer {
	readonly baseUrl: string;
	readonly service: Handlers;
	/** Stops taking requests, answers those that are open, keeps everything. Within two seconds. */
	close(): Promise<void>;
}

/** Everything listens on this machine only. */
const host = '127.0.0.1';

/** How long open requests may still take once the service is told to stop. */
const drainMs = 1500;

/**
 * Starts the whole service: state, endpoints, demo identity provider, series write API, demo plant.
 * Throws ConfigError where the port is taken or the state directory cannot be used.
 * @param now the clock that requests go by; tests give their own
 */
export async function startLocalServer(settings: LocalSettings, log: Log, now: () => number = Date.now): Promise<LocalServer> {
	const ready = Promise.withResolvers<GatewayDeps>();
	ready.promise.catch(() => undefined);
	const server = createGateway(ready.promise);
	const port = await listen(server, settings.PORT);
	const baseUrl = `http://${host}:${port}`;
	const opened = new AsyncDisposableStack();
	const close = async (): Promise<void> => {
		await stop(server);
		await opened.disposeAsync();
	};
	try {
		const state = openState(settings.STATE_DIR, settings.STATE_DIR !== memoryState);
		opened.defer(() => state.close());
		const authUrl = settings.AUTH_URL ?? `${baseUrl}/idp`;
		const service = await createHandlers(settings, state, { baseUrl, authUrl }, log, now);
		opened.defer(() => service.close());
		const retentionMs = settings.RETENTION_DAYS * 86_400_000;
		await seedUsers(service.users, service.seeded);
		if (settings.DEMO_PLANT === 'on') {
			await seedPlant(service.store, service.seeded);
			const plant = await startDemoPlant({ series: service.series, notes: state.notes, settings, log, now });
			opened.defer(() => plant.stop());
		}
		const retention = startRetention({ series: service.series, retentionMs, now, log });
		opened.defer(() => retention.stop());
		const mounts: MountedApp[] = [
			{ path: '/idp', maxBodyBytes: 0, answer: createDemoIdp(settings.IDP_TOKEN) },
			{
				path: writePath,
				maxBodyBytes: maxWriteBytes,
				answer: createWriteApi({ write: service.series.write, token: settings.WRITE_TOKEN, retentionMs, now }),
			},
		];
		const authorize = createAuthorizer({
			issuer: baseUrl,
			audience: settings.TOKEN_AUDIENCE,
			requiredScope,
			keys: service.publicKeys,
			now,
		});
		ready.resolve({ handlers: service.handlers, authorize, cors: createCors(settings.CORS_ORIGINS), mounts, log, now });
		return { baseUrl, service, close };
	} catch (error) {
		ready.reject(error);
		await close();
		throw error;
	}
}

async function listen(server: Server, port: number): Promise<number> {
	server.listen(port, host);
	try {
		await once(server, 'listening');
	} catch (cause) {
		throw new ConfigError(`PORT ${port} cannot be listened on: ${cause instanceof Error ? cause.message : String(cause)}`, {
			cause,
		});
	}
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
	return address.port;
}

async function stop(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeIdleConnections();
	const late = setTimeout(() => server.closeAllConnections(), drainMs);
	await closed;
	clearTimeout(late);
}
