import { beforeEach, describe, expect, test } from 'vitest';
import { instrumentedIdentityProvider, instrumentedSchemaStore, instrumentedTimeSeries } from '#adapters/instrumented.ts';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { CommitOutcome, SchemaStore } from '#domain/ports/schema-store.ts';
import type { SeriesKey, TimeSeries } from '#domain/ports/time-series.ts';

let noted: [string, number][];
const metrics: Metrics = {
	count: (name, value = 1) => void noted.push([name, value]),
	time: (name, milliseconds) => void noted.push([name, milliseconds]),
};

/** Moves on by 25 ms whenever it is asked. */
const makeClock = () => {
	let time = 1000;
	return () => {
		time += 25;
		return time;
	};
};

beforeEach(() => {
	noted = [];
});

const slow = new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'x' });

describe('measured time series', () => {
	const key: SeriesKey = { read: 'newest', topic: 't', field: 'f', lookback: { ms: 1000 } };

	/** An adapter whose method needs its object, as a class's would. */
	class Adapter implements TimeSeries {
		readonly asked: unknown[] = [];
		async read(...parameters: Parameters<TimeSeries['read']>) {
			this.asked.push(parameters);
			return [{ fault: 'not_numeric' } as const];
		}
	}

	test('answer what the adapter answers, and say how long it took', async () => {
		const adapter = new Adapter();
		const { read } = instrumentedTimeSeries(adapter, metrics, makeClock());
		expect(await read('d', [key], 7)).toEqual([{ fault: 'not_numeric' }]);
		expect(adapter.asked).toEqual([['d', [key], 7]]);
		expect(noted).toEqual([['TsdbLatency', 25]]);
	});

	test.each([
		['as a promise', async () => Promise.reject(slow)],
		[
			'at once',
			() => {
				throw slow;
			},
		],
	])('count a read that fails, and pass its error on as it is: %s', async (_, read) => {
		await expect(instrumentedTimeSeries({ read }, metrics, makeClock()).read('d', [key], 7)).rejects.toBe(slow);
		expect(noted).toEqual([
			['TsdbFaults', 1],
			['TsdbLatency', 25],
		]);
	});
});

describe('a measured identity provider', () => {
	class Adapter implements IdentityProvider {
		readonly asked: unknown[] = [];
		async getUser(...parameters: [number]) {
			this.asked.push(parameters);
			return { email: 'e', token_apps: 't' };
		}
		async getSchemaProduct(...parameters: [number, number]) {
			this.asked.push(parameters);
			return [{ schema_name: 's', tsdb_name: 't', product_id: 1, client_id: 2 }];
		}
		async listProductxUserxClient(...parameters: [number, number]) {
			this.asked.push(parameters);
			return [{ id_product: 1 }];
		}
	}

	test('answers what the adapter answers, each call timed', async () => {
		const adapter = new Adapter();
		const { getUser, getSchemaProduct, listProductxUserxClient } = instrumentedIdentityProvider(adapter, metrics, makeClock());
		expect(await getUser(1)).toEqual({ email: 'e', token_apps: 't' });
		expect(await getSchemaProduct(2, 3)).toEqual([{ schema_name: 's', tsdb_name: 't', product_id: 1, client_id: 2 }]);
		expect(await listProductxUserxClient(4, 5)).toEqual([{ id_product: 1 }]);
		expect(adapter.asked).toEqual([[1], [2, 3], [4, 5]]);
		expect(noted).toEqual([
			['IdentityProviderLatency', 25],
			['IdentityProviderLatency', 25],
			['IdentityProviderLatency', 25],
		]);
	});

	test('counts each call that fails, and passes its error on as it is', async () => {
		const failing = async () => Promise.reject(slow);
		const provider = instrumentedIdentityProvider(
			{ getUser: failing, getSchemaProduct: failing, listProductxUserxClient: failing },
			metrics,
			makeClock(),
		);
		await expect(provider.getUser(1)).rejects.toBe(slow);
		await expect(provider.getSchemaProduct(1, 2)).rejects.toBe(slow);
		await expect(provider.listProductxUserxClient(1, 2)).rejects.toBe(slow);
		expect(noted.filter(([name]) => name === 'IdentityProviderFaults')).toHaveLength(3);
		expect(noted.filter(([name]) => name === 'IdentityProviderLatency')).toHaveLength(3);
	});
});

describe('a measured store', () => {
	/** A store whose methods note what they were given, and need their object to. */
	class Adapter {
		readonly asked: [string, ...unknown[]][] = [];
		outcome: CommitOutcome = 'committed';
		error: Error | null = null;

		#note<Answer>(name: string, parameters: readonly unknown[], answer: Answer): Promise<Answer> {
			this.asked.push([name, ...parameters]);
			return this.error === null ? Promise.resolve(answer) : Promise.reject(this.error);
		}
		revision(...given: unknown[]) {
			return this.#note('revision', given, 7);
		}
		get(...given: unknown[]) {
			return this.#note('get', given, []);
		}
		list(...given: unknown[]) {
			return this.#note('list', given, []);
		}
		snapshot(...given: unknown[]) {
			return this.#note('snapshot', given, { revision: 7, variables: new Map() });
		}
		nextId(...given: unknown[]) {
			return this.#note('nextId', given, 8);
		}
		commit(...given: unknown[]) {
			return this.#note('commit', given, this.outcome);
		}
		schemaMetadata(...given: unknown[]) {
			return this.#note('schemaMetadata', given, { revision: 7, variables: 0, lastId: 8 });
		}
		correctMetadata(...given: unknown[]): Promise<'committed' | 'conflict'> {
			return this.#note('correctMetadata', given, 'committed');
		}
	}

	const measured = (adapter: Adapter): SchemaStore => instrumentedSchemaStore(adapter, metrics);
	const receipt = { claim: { key: 'k', token: 't' }, response: '{}', keepUntil: 1 };
	const calls: [string, unknown, (store: SchemaStore) => Promise<unknown>, unknown[]][] = [
		['revision', 7, (store) => store.revision('s'), ['s']],
		['get', [], (store) => store.get('s', [{ kind: 'panel' }]), ['s', [{ kind: 'panel' }]]],
		['list', [], (store) => store.list('s', 'chart'), ['s', 'chart']],
		['snapshot', { revision: 7, variables: new Map() }, (store) => store.snapshot('s', 'all'), ['s', 'all']],
		['nextId', 8, (store) => store.nextId('s'), ['s']],
		['commit', 'committed', (store) => store.commit('s', [], receipt), ['s', [], receipt]],
		['schemaMetadata', { revision: 7, variables: 0, lastId: 8 }, (store) => store.schemaMetadata('s'), ['s']],
		[
			'correctMetadata',
			'committed',
			(store) => store.correctMetadata('s', { expectedRevision: 7, variables: 0, lastId: 8 }),
			['s', { expectedRevision: 7, variables: 0, lastId: 8 }],
		],
	];

	test.each(calls)('passes %s on, and what comes of it', async (name, answer, call, given) => {
		const adapter = new Adapter();
		expect(await call(measured(adapter))).toEqual(answer);
		expect(adapter.asked).toEqual([[name, ...given]]);
		adapter.error = new DomainError('store_failed', { cause: 'x' });
		await expect(call(measured(adapter))).rejects.toBe(adapter.error);
		expect(noted).toEqual([]);
	});

	test('is whole: no method is missing', () => {
		const names = Object.getOwnPropertyNames(Adapter.prototype).filter((name) => name !== 'constructor');
		expect(Object.keys(measured(new Adapter())).sort()).toEqual(names.sort());
		expect(calls.map(([name]) => name).sort()).toEqual(names.sort());
	});

	test.each<[CommitOutcome, number]>([
		['committed', 0],
		['conflict', 1],
		['full', 0],
		['claim_lost', 0],
	])('counts a commit that conflicts, and no other: %s', async (outcome, count) => {
		const adapter = new Adapter();
		adapter.outcome = outcome;
		expect(await measured(adapter).commit('s', [])).toBe(outcome);
		expect(noted).toEqual(Array.from({ length: count }, () => ['StoreConflicts', 1]));
	});

	test('counts a snapshot that was given up for writes between', async () => {
		const adapter = new Adapter();
		adapter.error = new DomainError('write_contention', { retryAfterMs: 1 });
		await expect(measured(adapter).snapshot('s', 'all')).rejects.toBe(adapter.error);
		expect(noted).toEqual([['StoreConflicts', 1]]);
	});
});
