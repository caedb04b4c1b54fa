import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import type { Log } from '#http/log.ts';
import type { TaskHandler } from '#http/task-handler.ts';
import type { TaskName } from '#shared/tasks.ts';
import { createJwkTokenSigner } from '../adapters/jwk-token-signer.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import { demoTenants } from '../demo/idp.ts';
import { createLagCheck, type ReadinessChecks } from '../gateway/operator-apps.ts';
import { createEndpointDeps, type LocalAdapters, type ServiceAddresses } from './endpoint-deps.ts';
import { createHandlers, type Handlers } from './handlers.ts';
import { createServiceMetrics, freeBytes, type ServiceMetrics } from './service-metrics.ts';
import { type LocalSettings, memoryState } from './settings.ts';
import { loadSigningKey } from './signing-key.ts';
import type { State } from './state.ts';
import { type LocalStores, openStores } from './stores.ts';
import { createTasks } from './tasks.ts';
import { openLocalSeries } from './time-series.ts';

/** All endpoints and tasks on this machine, with the stores and the other adapters that they share. */
export interface LocalService extends LocalStores {
	readonly handlers: Handlers;
	readonly tasks: Readonly<Record<TaskName, TaskHandler>>;
	readonly publicKeys: PublicKeys;
	/** The time series, whose writes are seen by shared reads at once. */
	readonly series: SqliteTimeSeries;
	/** What operators see of the service. */
	readonly measures: ServiceMetrics;
	readonly readiness: ReadinessChecks;
	/** Closes the stores and the time series, but not the state. */
	close(): Promise<void>;
}

/** What the service is opened on. */
export interface LocalServiceOptions {
	readonly settings: LocalSettings;
	/** The open state directory. It must stay open until the service is closed. */
	readonly state: State;
	readonly addresses: ServiceAddresses;
	readonly log: Log;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Opens the adapters of this machine, and creates the handlers of all endpoints and tasks on them.
 * @throws ConfigError when a store or the time series cannot be opened
 */
export async function openService(options: LocalServiceOptions): Promise<LocalService> {
	const { settings, state, addresses, now } = options;
	const measures = createServiceMetrics(settings.STATE_DIR, now);
	const [log, { metrics }] = [measures.measured(options.log), measures];
	const stores = await openStores(settings, state);
	const signer = createJwkTokenSigner(await loadSigningKey(state.keyValues));
	const series = await openLocalSeries(settings, state.seriesFile);
	const sharedReads = shareReads(series, settings.READINGS_SHARED_MS);
	const adapters = { settings, addresses, stores, series, sharedReads, signer, metrics, log, now };
	const deps = createEndpointDeps(adapters);
	return {
		...stores,
		handlers: createHandlers(deps),
		tasks: createTasks(settings, {
			...deps.reports,
			metrics,
			baseUrl: addresses.baseUrl,
			timeSeries: series,
			closings: stores.closings,
			owners: stores.owners,
			packs: stores.packs,
		}),
		publicKeys: signer,
		series: seriesForWriters(adapters, measures),
		measures,
		readiness: readinessOf(options, series),
		close: async () => {
			await series.close();
			stores.close();
		},
	};
}

/** Returns the time series as those who write samples see it: tenants have databases, and shared reads see what was written. */
function seriesForWriters(
	{ settings, stores: { owners }, series, sharedReads }: LocalAdapters,
	measures: ServiceMetrics,
): SqliteTimeSeries {
	// The demo's tenants have databases before anybody signed in and became their owner.
	const demoDatabases: readonly string[] =
		settings.DEMO_PLANT === 'on' || settings.hasDemoIdp ? demoTenants.map(({ database }) => database) : [];
	const belongsToTenant = async (name: string): Promise<boolean> =>
		demoDatabases.includes(name) || (await owners.find({ kind: 'database', name })) !== null;
	return {
		...series,
		// With InfluxDB, only InfluxDB knows which buckets exist. Otherwise the first write creates the database of a tenant.
		hasBucket: async (database) =>
			(await series.hasBucket(database)) || (settings.INFLUX_URL === undefined && (await belongsToTenant(database))),
		write: async (database, points) => {
			// Clears the shared reads even after a failed write, which may have stored some points.
			await series.write(database, points).finally(() => sharedReads.clear(database));
		},
		writeLines: measures.measuredWrites((database, ...sent) =>
			series.writeLines(database, ...sent).finally(() => sharedReads.clear(database)),
		),
	};
}

/** The disk must have so many bytes left: what is written in some minutes, and in a checkpoint of SQLite. */
const minFreeBytes = 128 * 1024 * 1024;

/** For how long the event loop may be busy, in milliseconds. */
const maxLagMs = 2000;

/** Returns the checks that the state can be written, the disk has room, the series answer, and nothing blocks the service. */
function readinessOf({ settings, state, now }: LocalServiceOptions, series: SqliteTimeSeries): ReadinessChecks {
	return {
		state: () => state.keyValues.set('ready-at', now()),
		disk: async () => {
			const free = settings.STATE_DIR === memoryState ? minFreeBytes : await freeBytes(settings.STATE_DIR);
			if (free < minFreeBytes) throw new Error(`${free} bytes are free, fewer than ${minFreeBytes}.`);
		},
		series: async () => {
			await series.hasBucket('ready');
		},
		lag: createLagCheck(maxLagMs),
	};
}
