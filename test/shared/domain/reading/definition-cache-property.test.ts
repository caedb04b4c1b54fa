import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serializeRow } from '#adapters/stored-row.ts';
import { minListedRevisions, type SchemaStore, type VariableRow } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBoardRow, makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { randomFrom, Scheduler } from '#test/support/fakes/scheduler.ts';

/** A change of variable `id`. `save as the first release` advances the revision and lists nothing. */
interface Write {
	readonly do: 'save' | 'save often' | 'delete' | 'mark as deleting' | 'save a board' | 'save as the first release';
	readonly id: number;
}

/** A call of one of two caches. `during` has the writes before each of its snapshots. */
interface Poll {
	readonly do: 'poll';
	readonly cache: number;
	readonly ids: readonly number[] | 'all';
	readonly during: readonly (readonly Write[])[];
}

const write: fc.Arbitrary<Write> = fc.record({
	do: fc.constantFrom(
		'save',
		'save',
		'save',
		'save often',
		'delete',
		'mark as deleting',
		'save a board',
		'save as the first release',
	),
	id: fc.integer({ min: 1, max: 5 }),
});
const poll: fc.Arbitrary<Poll> = fc.record({
	do: fc.constant('poll' as const),
	cache: fc.nat(1),
	ids: fc.oneof(fc.constant('all' as const), fc.subarray([1, 2, 3, 4, 5, 6], { minLength: 1 })),
	during: fc.array(fc.array(write, { maxLength: 2 }), { maxLength: 6 }),
});

/** A store whose writes each store another unit. */
const openWrites = () => {
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database);
	let units = 0;

	const put = async (before: VariableRow | null, id: number, changes: Partial<VariableRow> | null, keepsDefinition = false) => {
		units += 1;
		const counters = { version: (before?.version ?? 0) + 1, rowVersion: (before?.rowVersion ?? 0) + 1 };
		const next = makeVariableRow(id, { variable: makeVariable({ id, unit: `unit ${units}` }), ...counters, ...changes });
		const chart = { key: { kind: 'chart', id: units } as const, expected: null, put: makeBoardRow('chart', units) };
		const change = { key: variableKey(id), expected: before?.rowVersion ?? null, put: changes && next, keepsDefinition };
		expect(await store.commit('s', keepsDefinition ? [chart, change] : [change])).toBe('committed');
	};

	const apply = async ({ do: kind, id }: Write): Promise<void> => {
		const [row = null] = await store.get('s', [variableKey(id)]);
		if (kind === 'save') return put(row, id, {});
		if (kind === 'mark as deleting') return put(row, id, { deleting: true });
		if (kind === 'save often') {
			for (let save = 0; save <= minListedRevisions; save += 1) await apply({ do: 'save', id });
			return;
		}
		if (row === null) return;
		if (kind === 'delete') return put(row, id, null);
		const { version, variable, deleting } = row;
		if (kind === 'save a board') {
			const referencedBy = new Map([[`chart#${units}`, []]]);
			return put(row, id, { version, variable, deleting, referencedBy }, true);
		}
		units += 1;
		const stored = serializeRow({ ...row, variable: { ...variable, unit: `unit ${units}` } });
		database.prepare("UPDATE row SET body = ? WHERE schema = 's' AND kind = 'variable' AND id = ?").run(stored, id);
		database.exec("UPDATE head SET revision = revision + 1 WHERE schema = 's'");
	};
	return { store, apply, close: () => database.close() };
};

const unitsOf = async (definitions: DefinitionCache, ids: Poll['ids']): Promise<readonly string[]> =>
	[...(await definitions.get('s', ids))].map(([id, { variable }]) => `${id} ${variable.unit}`).sort();

test('a cache returns what reading everything returns, whatever is written before and during a call', {
	timeout: 60_000,
}, async () => {
	let polls = 0;
	let partial = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(write, poll), { maxLength: 30, size: 'max' }), async (commands) => {
			const { store, apply, close } = openWrites();
			let beforeSnapshot = async (): Promise<void> => undefined;
			let read: Poll['ids'][] = [];
			const observed: SchemaStore = {
				...store,
				snapshot: async (schema, ids) => {
					read.push(ids);
					await beforeSnapshot();
					return store.snapshot(schema, ids);
				},
			};
			const caches = [createDefinitionCache(observed), createDefinitionCache(observed)];
			for (const command of commands) {
				if (command.do !== 'poll') {
					await apply(command);
					continue;
				}
				const { cache, ids } = command;
				const everything = () => unitsOf(createDefinitionCache(store), ids);
				const right = [await everything()];
				const during = [...command.during];
				beforeSnapshot = async () => {
					for (const each of during.shift() ?? []) {
						await apply(each);
						right.push(await everything());
					}
				};
				read = [];
				expect(right).toContainEqual(await unitsOf(caches[cache] ?? createDefinitionCache(observed), ids));
				polls += 1;
				if (read.length > 0 && read.every((each) => each !== 'all' && (ids === 'all' || each.length < ids.length))) partial += 1;
			}
			close();
		}),
		{ numRuns: 200 },
	);
	// Enough polls read less than they returned.
	expect([polls > 1000, partial > 60]).toEqual([true, true]);
});

test('concurrent calls of one cache each return one revision, at least the one that was stored before', {
	timeout: 60_000,
}, async () => {
	const ids = [1, 2, 3];
	const asked = fc.oneof(fc.constant('all' as const), fc.subarray([...ids, 4], { minLength: 1 }));
	const pollers = fc.array(fc.array(asked, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 6 }), pollers, async (seed, writes, clients) => {
			const random = randomFrom(seed);
			const scheduler = new Scheduler(random);
			const { store } = createFakeStore(() => scheduler.turn(), random);
			const definitions = createDefinitionCache(store);
			let stored = 0;
			// Every commit changes all variables, so that all have the same version.
			const writer = async () => {
				for (let version = 1; version <= writes; version += 1) {
					const expected = version === 1 ? null : version - 1;
					const rows = ids.map((id) => ({
						key: variableKey(id),
						expected,
						put: makeVariableRow(id, { version, rowVersion: version }),
					}));
					expect(await store.commit('s', rows)).toBe('committed');
					stored = version;
				}
			};
			const poller = async (polls: readonly Poll['ids'][]) => {
				for (const each of polls) {
					const before = stored;
					const rows = [...(await definitions.get('s', each)).values()];
					const existing = each === 'all' ? ids : each.filter((id) => ids.includes(id));
					const versions = new Set(rows.map(({ version }) => version));
					expect(versions.size).toBeLessThanOrEqual(1);
					for (const version of versions) expect(version).toBeGreaterThanOrEqual(before);
					if (before > 0) expect(rows).toHaveLength(existing.length);
				}
			};
			const running = [writer(), ...clients.map(poller)];
			await scheduler.runAll(running);
			await Promise.all(running);
		}),
		{ numRuns: 1000 },
	);
});

test('concurrent calls of one cache each return what was stored at one moment of the call, whatever an earlier release writes', {
	timeout: 60_000,
}, async () => {
	const pollers = fc.array(
		fc.array(
			poll.map(({ ids }) => ids),
			{ minLength: 2, maxLength: 6 },
		),
		{ minLength: 2, maxLength: 4 },
	);
	await fc.assert(
		fc.asyncProperty(fc.integer(), fc.array(write, { minLength: 1, maxLength: 8 }), pollers, async (seed, writes, clients) => {
			const scheduler = new Scheduler(randomFrom(seed));
			const { store, apply, close } = openWrites();
			const slowly = async <Result>(read: () => Promise<Result>): Promise<Result> => {
				await scheduler.turn();
				const result = await read();
				await scheduler.turn();
				return result;
			};
			const definitions = createDefinitionCache({
				...store,
				revision: (schema) => slowly(() => store.revision(schema)),
				snapshot: (schema, ids) => slowly(() => store.snapshot(schema, ids)),
			});
			const everything = () => unitsOf(createDefinitionCache(store), 'all');
			const stored = [await everything()];
			const writer = async () => {
				for (const each of writes) {
					await scheduler.turn();
					await apply(each);
					stored.push(await everything());
				}
			};
			const poller = async (polls: readonly Poll['ids'][]) => {
				for (const ids of polls) {
					const since = stored.length - 1;
					const found = await unitsOf(definitions, ids);
					const isAsked = (row: string): boolean => ids === 'all' || ids.includes(Number.parseInt(row, 10));
					expect(stored.slice(since).map((rows) => rows.filter(isAsked))).toContainEqual(found);
				}
			};
			const running = [writer(), ...clients.map(poller)];
			await scheduler.runAll(running);
			await Promise.all(running);
			close();
		}),
		{ numRuns: 300 },
	);
});
