import { DomainError, type ErrorCode } from '#domain/errors.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import type { CountMetric, Metrics, TimingMetric } from '#domain/ports/metrics.ts';
import type { OpenIdProviders } from '#domain/ports/openid-providers.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SchemaReader, SchemaStore } from '#domain/ports/schema-store.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';

/** Returns milliseconds since any origin. */
type Clock = () => number;

const monotonic: Clock = () => performance.now();

/** Returns the same time series, with each read timed and each failed read counted. A fault of one series is not a failed read. */
export function instrumentedTimeSeries(timeSeries: TimeSeries, metrics: Metrics, clock: Clock = monotonic): TimeSeries {
	const timed = timer(metrics, clock, 'TsdbLatency', 'TsdbFaults');
	return { read: (...parameters) => timed(() => timeSeries.read(...parameters)) };
}

/** Returns the same reader of spans, with each read timed and each failed read counted, as `instrumentedTimeSeries` does. */
export function instrumentedSpanReader(spans: SpanReader, metrics: Metrics, clock: Clock = monotonic): SpanReader {
	const timed = timer(metrics, clock, 'TsdbLatency', 'TsdbFaults');
	return { readSpans: (...parameters) => timed(() => spans.readSpans(...parameters)) };
}

/** Returns the same reader of samples, with each count and read timed and each failed one counted, as `instrumentedTimeSeries` does. */
export function instrumentedSampleReader(samples: SampleReader, metrics: Metrics, clock: Clock = monotonic): SampleReader {
	const timed = timer(metrics, clock, 'TsdbLatency', 'TsdbFaults');
	return {
		countSamples: (...parameters) => timed(() => samples.countSamples(...parameters)),
		maxSamples: (database) => samples.maxSamples?.(database) ?? Number.POSITIVE_INFINITY,
		readSamples: (...parameters) => timed(() => samples.readSamples(...parameters)),
	};
}

/** Returns the same catalog, with each read timed and each failed one counted, as `instrumentedTimeSeries` does. */
export function instrumentedTopicCatalog(catalog: TopicCatalog, metrics: Metrics, clock: Clock = monotonic): TopicCatalog {
	const timed = timer(metrics, clock, 'TsdbLatency', 'TsdbFaults');
	return {
		topics: (...parameters) => timed(() => catalog.topics(...parameters)),
		newest: (...parameters) => timed(() => catalog.newest(...parameters)),
		newestTimes: (...parameters) => timed(() => catalog.newestTimes(...parameters)),
	};
}

/** Returns the same identity provider, with each call timed and each failed call counted. */
export function instrumentedIdentityProvider(
	provider: IdentityProvider,
	metrics: Metrics,
	clock: Clock = monotonic,
): IdentityProvider {
	const timed = timer(metrics, clock, 'IdentityProviderLatency', 'IdentityProviderFaults');
	return {
		getUser: (id) => timed(() => provider.getUser(id)),
		getSchemaProduct: (...ids) => timed(() => provider.getSchemaProduct(...ids)),
		listProductxUserxClient: (...ids) => timed(() => provider.listProductxUserxClient(...ids)),
	};
}

/**
 * Returns the same OpenID providers, with faults of the providers counted, and the requests of clients timed. Documents and keys are mostly
 * cached, so what only needs those is not timed.
 */
export function instrumentedOpenIdProviders(
	providers: OpenIdProviders,
	metrics: Metrics,
	clock: Clock = monotonic,
): OpenIdProviders {
	const timed = timer(metrics, clock, 'OpenIdProviderLatency', 'OpenIdProviderFaults');
	const counted = faultCounter(metrics, 'OpenIdProviderFaults');
	return {
		...providers,
		authorization: (provider) => counted(() => providers.authorization(provider)),
		redeem: (...parameters) => timed(() => providers.redeem(...parameters)),
		refresh: (...parameters) => timed(() => providers.refresh(...parameters)),
		userinfo: (...parameters) => timed(() => providers.userinfo(...parameters)),
		verifyIdToken: (...parameters) => counted(() => providers.verifyIdToken(...parameters)),
		verifyLogoutToken: (token) => counted(() => providers.verifyLogoutToken(token)),
		verifyForeign: (token) => counted(() => providers.verifyForeign(token)),
	};
}

/** Returns the same reader. Counts a conflict for each snapshot that fails because of concurrent writes. */
export function instrumentedSchemaReader(reader: SchemaReader, metrics: Metrics): SchemaReader {
	return {
		revision: (schema) => reader.revision(schema),
		packed: (schema, ids) => reader.packed(schema, ids),
		get: (schema, keys) => reader.get(schema, keys),
		list: (schema, kind) => reader.list(schema, kind),
		page: (schema, kind, page) => reader.page(schema, kind, page),
		snapshot: async (schema, ids) => {
			try {
				return await reader.snapshot(schema, ids);
			} catch (error) {
				if (error instanceof DomainError && error.code === 'write_contention') metrics.count('StoreConflicts');
				throw error;
			}
		},
	};
}

/** Returns the same store, with conflicts counted: commits that conflict, and snapshots as `instrumentedSchemaReader` counts them. */
export function instrumentedSchemaStore(store: SchemaStore, metrics: Metrics): SchemaStore {
	return {
		...instrumentedSchemaReader(store, metrics),
		nextId: (schema) => store.nextId(schema),
		schemaMetadata: (schema) => store.schemaMetadata(schema),
		correctMetadata: (schema, correction) => store.correctMetadata(schema, correction),
		commit: async (...parameters) => {
			const outcome = await store.commit(...parameters);
			if (outcome === 'conflict') metrics.count('StoreConflicts');
			return outcome;
		},
	};
}

/** Returns the same store, with commits that conflict counted. */
export function instrumentedAlarmStore(alarms: AlarmStore, metrics: Metrics): AlarmStore {
	return {
		...alarms,
		commit: async (schema, commit) => {
			const outcome = await alarms.commit(schema, commit);
			if (outcome === 'conflict') metrics.count('StoreConflicts');
			return outcome;
		},
	};
}

/** Returns a function that makes a call, records how long it took, and counts it when it fails. */
function timer(metrics: Metrics, clock: Clock, latency: TimingMetric, faults: CountMetric) {
	const counted = faultCounter(metrics, faults);
	return async <Result>(call: () => Promise<Result>): Promise<Result> => {
		const startedAt = clock();
		try {
			return await counted(call);
		} finally {
			metrics.time(latency, clock() - startedAt);
		}
	};
}

/** The errors of a dependency's calls that are those of the client: a request that is too large, a token that is refused. */
const clientErrors: ReadonlySet<ErrorCode> = new Set(['too_large', 'sign_in_refused']);

/** Returns a function that makes a call, and counts it when it fails. */
function faultCounter(metrics: Metrics, faults: CountMetric) {
	return async <Result>(call: () => Promise<Result>): Promise<Result> => {
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof DomainError && clientErrors.has(error.code))) metrics.count(faults);
			throw error;
		}
	};
}
