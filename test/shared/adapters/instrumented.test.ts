import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import {
	instrumentedAlarmStore,
	instrumentedIdentityProvider,
	instrumentedOpenIdProviders,
	instrumentedSampleReader,
	instrumentedSchemaStore,
	instrumentedSpanReader,
	instrumentedTimeSeries,
} from '#adapters/instrumented.ts';
import { DomainError } from '#domain/errors.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { SampleKey } from '#domain/ports/sample-reader.ts';
import type { CommitOutcome, SchemaStore } from '#domain/ports/schema-store.ts';
import type { SpanKey, SpanReader } from '#domain/ports/span-reader.ts';
import type { SeriesKey, TimeSeries } from '#domain/ports/time-series.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';

let recorded: [string, number][];
const metrics: Metrics = {
	count: (name, value = 1) => void recorded.push([name, value]),
	gauge: () => undefined,
	time: (name, milliseconds) => void recorded.push([name, milliseconds]),
};

/** Creates a clock that advances by 25 ms with each reading. */
const makeClock = () => {
	let time = 1000;
	return () => {
		time += 25;
		return time;
	};
};

beforeEach(() => {
	recorded = [];
});

const slow = new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'x' });

describe('instrumentedOpenIdProviders', () => {
	const provider = interactiveProvider(
		v.parse(openIdProvidersSchema, [{ name: 'a', label: 'A', issuer: 'https://a.example', clientId: 'c' }]),
		'a',
	);
	const createProviders = (fail: () => Promise<never>) =>
		instrumentedOpenIdProviders(
			{
				providers: [],
				authorization: fail,
				redeem: async () => 'invalid_grant',
				refresh: fail,
				userinfo: fail,
				verifyIdToken: fail,
				revoke: async () => undefined,
				endSessionEndpoint: async () => null,
				verifyLogoutToken: fail,
				verifyForeign: fail,
			},
			metrics,
			makeClock(),
		);

	test('times the requests of clients, and counts those that fail', async () => {
		if (provider === null) throw new Error('The settings have no provider.');
		const providers = createProviders(() => Promise.reject(slow));
		expect(await providers.redeem(provider, { code: 'c', codeVerifier: 'v', redirectUri: 'r' })).toBe('invalid_grant');
		await expect(providers.refresh(provider, 'r', 'ada')).rejects.toBe(slow);
		expect(recorded).toEqual([
			['OpenIdProviderLatency', 25],
			['OpenIdProviderFaults', 1],
			['OpenIdProviderLatency', 25],
		]);
	});

	test('counts keys and documents that cannot be read, and no token that is refused', async () => {
		await expect(createProviders(() => Promise.reject(slow)).verifyForeign('t')).rejects.toBe(slow);
		expect(recorded).toEqual([['OpenIdProviderFaults', 1]]);
		const refusal = new DomainError('sign_in_refused', { cause: 'aud' });
		await expect(createProviders(() => Promise.reject(refusal)).verifyLogoutToken('t')).rejects.toBe(refusal);
		expect(recorded).toHaveLength(1);
	});
});

describe('instrumentedSampleReader', () => {
	const key: SampleKey = { topic: 't', field: 'f', from: 0, to: 1000 };

	test('records the durations of counts and reads, and counts those that fail', async () => {
		const reader = instrumentedSampleReader(
			{
				countSamples: async (...parameters) => [parameters.length, 3],
				maxSamples: () => 5,
				readSamples: async () => {
					throw slow;
				},
			},
			metrics,
			makeClock(),
		);
		expect(await reader.countSamples('d', [key])).toEqual([2, 3]);
		expect(reader.maxSamples?.('d')).toBe(5);
		await expect(reader.readSamples('d', [key])).rejects.toBe(slow);
		expect(recorded).toEqual([
			['TsdbLatency', 25],
			['TsdbFaults', 1],
			['TsdbLatency', 25],
		]);
	});
});

describe('instrumentedTimeSeries', () => {
	const key: SeriesKey = { read: 'newest', topic: 't', field: 'f', lookback: { ms: 1000 } };

	/** An adapter whose method uses `this`. */
	class Adapter implements TimeSeries {
		readonly calls: unknown[] = [];
		async read(...parameters: Parameters<TimeSeries['read']>) {
			this.calls.push(parameters);
			return [{ fault: 'not_numeric' } as const];
		}
	}

	test('returns the result of the adapter and records the duration', async () => {
		const adapter = new Adapter();
		const { read } = instrumentedTimeSeries(adapter, metrics, makeClock());
		expect(await read('d', [key], 7)).toEqual([{ fault: 'not_numeric' }]);
		expect(adapter.calls).toEqual([['d', [key], 7]]);
		expect(recorded).toEqual([['TsdbLatency', 25]]);
	});

	test('does not count a read that is too large as a fault of InfluxDB', async () => {
		const tooLarge = new DomainError('too_large', { field: 'request', counted: 'bytes_to_store', actual: 2, limit: 1 });
		const read = async () => Promise.reject(tooLarge);
		await expect(instrumentedTimeSeries({ read }, metrics, makeClock()).read('d', [key], 7)).rejects.toBe(tooLarge);
		expect(recorded).toEqual([['TsdbLatency', 25]]);
	});

	test.each([
		['by a rejected promise', async () => Promise.reject(slow)],
		[
			'by an exception',
			() => {
				throw slow;
			},
		],
	])('counts a read that fails %s, and rethrows its error', async (_, read) => {
		await expect(instrumentedTimeSeries({ read }, metrics, makeClock()).read('d', [key], 7)).rejects.toBe(slow);
		expect(recorded).toEqual([
			['TsdbFaults', 1],
			['TsdbLatency', 25],
		]);
	});
});

describe('instrumentedSpanReader', () => {
	const key: SpanKey = { topic: 't', field: 'f', bounds: [0, 1], aggregates: ['mean'] };

	test('returns the result of the adapter and records the duration', async () => {
		const calls: unknown[] = [];
		const adapter: SpanReader = {
			readSpans: async (...parameters) => {
				calls.push(parameters);
				return [{ fault: 'not_numeric' }];
			},
		};
		expect(await instrumentedSpanReader(adapter, metrics, makeClock()).readSpans('d', [key])).toEqual([{ fault: 'not_numeric' }]);
		expect(calls).toEqual([['d', [key]]]);
		expect(recorded).toEqual([['TsdbLatency', 25]]);
	});

	test('counts a read that fails, and rethrows its error', async () => {
		const readSpans = async () => Promise.reject(slow);
		await expect(instrumentedSpanReader({ readSpans }, metrics, makeClock()).readSpans('d', [key])).rejects.toBe(slow);
		expect(recorded).toEqual([
			['TsdbFaults', 1],
			['TsdbLatency', 25],
		]);
	});
});

describe('instrumentedIdentityProvider', () => {
	class Adapter implements IdentityProvider {
		readonly calls: unknown[] = [];
		async getUser(...parameters: [number]) {
			this.calls.push(parameters);
			return { email: 'e', token_apps: 't' };
		}
		async getSchemaProduct(...parameters: [number, number]) {
			this.calls.push(parameters);
			return [{ schema_name: 's', tsdb_name: 't', product_id: 1, client_id: 2 }];
		}
		async listProductxUserxClient(...parameters: [number, number]) {
			this.calls.push(parameters);
			return [{ id_product: 1 }];
		}
	}

	test('returns the results of the adapter and records each duration', async () => {
		const adapter = new Adapter();
		const { getUser, getSchemaProduct, listProductxUserxClient } = instrumentedIdentityProvider(adapter, metrics, makeClock());
		expect(await getUser(1)).toEqual({ email: 'e', token_apps: 't' });
		expect(await getSchemaProduct(2, 3)).toEqual([{ schema_name: 's', tsdb_name: 't', product_id: 1, client_id: 2 }]);
		expect(await listProductxUserxClient(4, 5)).toEqual([{ id_product: 1 }]);
		expect(adapter.calls).toEqual([[1], [2, 3], [4, 5]]);
		expect(recorded).toEqual([
			['IdentityProviderLatency', 25],
			['IdentityProviderLatency', 25],
			['IdentityProviderLatency', 25],
		]);
	});

	test('counts each call that fails, and rethrows its error', async () => {
		const failing = async () => Promise.reject(slow);
		const provider = instrumentedIdentityProvider(
			{ getUser: failing, getSchemaProduct: failing, listProductxUserxClient: failing },
			metrics,
			makeClock(),
		);
		await expect(provider.getUser(1)).rejects.toBe(slow);
		await expect(provider.getSchemaProduct(1, 2)).rejects.toBe(slow);
		await expect(provider.listProductxUserxClient(1, 2)).rejects.toBe(slow);
		expect(recorded.filter(([name]) => name === 'IdentityProviderFaults')).toHaveLength(3);
		expect(recorded.filter(([name]) => name === 'IdentityProviderLatency')).toHaveLength(3);
	});
});

describe('instrumentedAlarmStore', () => {
	test.each(['committed', 'conflict', 'claim_lost'] as const)(
		'counts a conflict, and passes everything on: %s',
		async (outcome) => {
			const seen: unknown[] = [];
			const store: AlarmStore = {
				...createSqliteAlarmStore(openDatabase(':memory:')),
				commit: async (...parameters) => {
					seen.push(parameters);
					return outcome;
				},
			};
			const alarms = instrumentedAlarmStore(store, metrics);
			const commit = { alarmId: 7, events: [] };
			expect(await alarms.commit('s', commit)).toBe(outcome);
			expect(seen).toEqual([['s', commit]]);
			expect(recorded).toEqual(outcome === 'conflict' ? [['StoreConflicts', 1]] : []);
			await alarms.startEvaluation('s', 1000);
			expect(await alarms.progress('s')).toMatchObject({ createdAt: 1000 });
		},
	);
});

describe('instrumentedSchemaStore', () => {
	const boards = { chart: 1, diagram: null, alarm: 0, correction: null, report: null, entry: null };
	const revision = { revision: 7, listed: 1, changes: [[2]], marks: [5] };
	const snapshot = { ...revision, variables: new Map() };
	const metadata = { ...revision, variables: 0, boards, lastId: 8 };

	/** A store whose methods use `this` to record their calls. */
	class Adapter {
		readonly calls: [string, ...unknown[]][] = [];
		outcome: CommitOutcome = 'committed';
		error: Error | null = null;

		#call<Result>(name: string, parameters: readonly unknown[], result: Result): Promise<Result> {
			this.calls.push([name, ...parameters]);
			return this.error === null ? Promise.resolve(result) : Promise.reject(this.error);
		}
		revision(...parameters: unknown[]) {
			return this.#call('revision', parameters, revision);
		}
		packed(...parameters: unknown[]) {
			return this.#call('packed', parameters, null);
		}
		get(...parameters: unknown[]) {
			return this.#call('get', parameters, []);
		}
		list(...parameters: unknown[]) {
			return this.#call('list', parameters, []);
		}
		page(...parameters: unknown[]) {
			return this.#call('page', parameters, { rows: [], next: null });
		}
		snapshot(...parameters: unknown[]) {
			return this.#call('snapshot', parameters, snapshot);
		}
		nextId(...parameters: unknown[]) {
			return this.#call('nextId', parameters, 8);
		}
		commit(...parameters: unknown[]) {
			return this.#call('commit', parameters, this.outcome);
		}
		schemaMetadata(...parameters: unknown[]) {
			return this.#call('schemaMetadata', parameters, metadata);
		}
		correctMetadata(...parameters: unknown[]): Promise<'committed' | 'conflict'> {
			return this.#call('correctMetadata', parameters, 'committed');
		}
	}

	const instrumented = (adapter: Adapter): SchemaStore => instrumentedSchemaStore(adapter, metrics);
	const page = { after: 0, limit: 2 };
	const record = { claim: { key: 'k', token: 't' }, response: '{}', keepUntil: 1 };
	const calls: [string, unknown, (store: SchemaStore) => Promise<unknown>, unknown[]][] = [
		['revision', revision, (store) => store.revision('s'), ['s']],
		['packed', null, (store) => store.packed('s', 'all'), ['s', 'all']],
		['get', [], (store) => store.get('s', [{ kind: 'panel' }]), ['s', [{ kind: 'panel' }]]],
		['list', [], (store) => store.list('s', 'chart'), ['s', 'chart']],
		['page', { rows: [], next: null }, (store) => store.page('s', 'chart', page), ['s', 'chart', page]],
		['snapshot', snapshot, (store) => store.snapshot('s', 'all'), ['s', 'all']],
		['nextId', 8, (store) => store.nextId('s'), ['s']],
		['commit', 'committed', (store) => store.commit('s', [], record, { events: [] }), ['s', [], record, { events: [] }]],
		['schemaMetadata', metadata, (store) => store.schemaMetadata('s'), ['s']],
		[
			'correctMetadata',
			'committed',
			(store) => store.correctMetadata('s', { expectedRevision: 7, variables: 0, lastId: 8 }),
			['s', { expectedRevision: 7, variables: 0, lastId: 8 }],
		],
	];

	test.each(calls)('forwards %s with its parameters, and its result or error', async (name, result, call, parameters) => {
		const adapter = new Adapter();
		expect(await call(instrumented(adapter))).toEqual(result);
		expect(adapter.calls).toEqual([[name, ...parameters]]);
		adapter.error = new DomainError('store_failed', { cause: 'x' });
		await expect(call(instrumented(adapter))).rejects.toBe(adapter.error);
		expect(recorded).toEqual([]);
	});

	test('has every method of the store', () => {
		const names = Object.getOwnPropertyNames(Adapter.prototype).filter((name) => name !== 'constructor');
		expect(Object.keys(instrumented(new Adapter())).sort()).toEqual(names.sort());
		expect(calls.map(([name]) => name).sort()).toEqual(names.sort());
	});

	test.each<[CommitOutcome, number]>([
		['committed', 0],
		['conflict', 1],
		['full', 0],
		['claim_lost', 0],
	])('counts conflicts only: %s', async (outcome, count) => {
		const adapter = new Adapter();
		adapter.outcome = outcome;
		expect(await instrumented(adapter).commit('s', [])).toBe(outcome);
		expect(recorded).toEqual(Array.from({ length: count }, () => ['StoreConflicts', 1]));
	});

	test('counts a snapshot that fails with write_contention', async () => {
		const adapter = new Adapter();
		adapter.error = new DomainError('write_contention', { retryAfterMs: 1 });
		await expect(instrumented(adapter).snapshot('s', 'all')).rejects.toBe(adapter.error);
		expect(recorded).toEqual([['StoreConflicts', 1]]);
	});
});
