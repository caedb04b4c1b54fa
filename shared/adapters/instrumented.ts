import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import type { Count, Metrics, Timing } from '#domain/ports/metrics.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';

/** Milliseconds of whatever origin. */
type Clock = () => number;

const monotonic: Clock = () => performance.now();

/** The same series, with each read timed and each failed one counted. A series that alone cannot be read is no failure. */
export function instrumentedTimeSeries(timeSeries: TimeSeries, metrics: Metrics, clock: Clock = monotonic): TimeSeries {
	const names = { latency: 'TsdbLatency', faults: 'TsdbFaults' } as const;
	return { read: (database, keys, now) => timed(metrics, clock, names, () => timeSeries.read(database, keys, now)) };
}

/** The same provider, with each call timed and each failed one counted. */
export function instrumentedIdentityProvider(
	provider: IdentityProvider,
	metrics: Metrics,
	clock: Clock = monotonic,
): IdentityProvider {
	const names = { latency: 'IdentityProviderLatency', faults: 'IdentityProviderFaults' } as const;
	return {
		getUser: (id) => timed(metrics, clock, names, () => provider.getUser(id)),
		getSchemaProduct: (clientId, productId) => timed(metrics, clock, names, () => provider.getSchemaProduct(clientId, productId)),
		listProductxUserxClient: (userId, clientId) =>
			timed(metrics, clock, names, () => provider.listProductxUserxClient(userId, clientId)),
	};
}

/** The same store, with what others were in the way of counted: commits that conflict, snapshots given up for writes between. */
export function instrumentedSchemaStore(store: SchemaStore, metrics: Metrics): SchemaStore {
	return {
		revision: (schema) => store.revision(schema),
		get: (schema, keys) => store.get(schema, keys),
		list: (schema, kind) => store.list(schema, kind),
		snapshot: async (schema, ids) => {
			try {
				return await store.snapshot(schema, ids);
			} catch (error) {
				if (error instanceof DomainError && error.code === 'write_contention') metrics.count('StoreConflicts');
				throw error;
			}
		},
		nextId: (schema) => store.nextId(schema),
		commit: async (schema, rows, receipt) => {
			const outcome = await store.commit(schema, rows, receipt);
			if (outcome === 'conflict') metrics.count('StoreConflicts');
			return outcome;
		},
		schemaMetadata: (schema) => store.schemaMetadata(schema),
		correctMetadata: (schema, correction) => store.correctMetadata(schema, correction),
	};
}

/** Times a call whatever comes of it, and counts it where it fails. */
async function timed<Answer>(
	metrics: Metrics,
	clock: Clock,
	names: { readonly latency: Timing; readonly faults: Count },
	call: () => Promise<Answer>,
): Promise<Answer> {
	const startedAt = clock();
	try {
		return await call();
	} catch (error) {
		metrics.count(names.faults);
		throw error;
	} finally {
		metrics.time(names.latency, clock() - startedAt);
	}
}
