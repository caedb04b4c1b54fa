import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '#domain/changes/change-entry.ts';
import { changeKeyText } from '#domain/changes/change-key.ts';
import type { RowCommit, RowKey } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { keyText, variableKey } from '#domain/transaction/read-set.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { contested, polled, scenario } from './commands.ts';
import { type Backend, pollerOf } from './harness.ts';
import { type OpenBackend, runScenario } from './run-scenario.ts';

/** What the journal of a fake store holds, in the order of its keys. */
const journalOf = (changes: (schema: string) => readonly Change[]) => async () =>
	changes('s')
		.map(({ entry }) => entry)
		.sort((a, b) => (changeKeyText(a) < changeKeyText(b) ? -1 : 1));

const openFake: OpenBackend = async (step, random) => {
	const { changes, ...backend } = createFakeStore(step, random);
	return { schema: 's', journal: journalOf(changes), ...backend };
};

const parameters = { numRuns: casesOf(4000), seed: firstSeed };
const timeout = 60_000 + parameters.numRuns * 20;

describe(`integrity in an interleaving of requests (seed ${firstSeed})`, () => {
	test('holds on a store whose commits become visible item by item', { timeout }, async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async (each) => void (await runScenario(each, openFake))),
			parameters,
		);
	});

	test('holds where all clients poll through one definition cache', { timeout }, async () => {
		const caches = new WeakMap<Backend, DefinitionCache>();
		const pollers: typeof pollerOf = (backend, turn) => {
			const cache = caches.get(backend) ?? pollerOf(backend, turn);
			caches.set(backend, cache);
			return cache;
		};
		await fc.assert(
			fc.asyncProperty(polled, async (each) => void (await runScenario(each, openFake, pollers))),
			{ ...parameters, numRuns: casesOf(750) },
		);
	});

	/** Whether a scenario fails. */
	const isCaught = async (scenarios: typeof scenario, open: OpenBackend, pollers?: typeof pollerOf): Promise<boolean> => {
		const result = await fc.check(
			fc.asyncProperty(scenarios, async (each) => void (await runScenario(each, open, pollers))),
			{ ...parameters, numRuns: 10_000, endOnFailure: true },
		);
		return result.failed;
	};

	/** Opens a store that ignores the conditions of some rows in every commit. */
	const without =
		(isIgnored: (row: RowCommit) => boolean): OpenBackend =>
		async (step, random) => {
			const { store, committed, changes, ...backend } = createFakeStore(step, random);
			const rowVersionOf = (key: RowKey): number | null => committed('s').get(keyText(key))?.rowVersion ?? null;
			let commits = 0;
			/** Gives an entry a key of its own. A second entry of a row version would be refused, and hide that the condition is ignored. */
			const apart = (change: Change): Change => ({ ...change, entry: { ...change.entry, at: change.entry.at + commits } });
			const commit: typeof store.commit = (schema, rows, record, journals) => {
				commits += 1;
				return store.commit(
					schema,
					rows.map((row) => (isIgnored(row) ? { ...row, expected: rowVersionOf(row.key) } : row)),
					record,
					journals?.changes === undefined ? journals : { ...journals, changes: journals.changes.map(apart) },
				);
			};
			return { ...backend, schema: 's', journal: journalOf(changes), store: { ...store, commit } };
		};

	test.each<[string, (row: RowCommit) => boolean]>([
		['a variable that is changed', ({ key, put }) => key.kind === 'variable' && put !== undefined],
		['a variable that is only read', ({ key, put }) => key.kind === 'variable' && put === undefined],
		['a board', ({ key }) => key.kind === 'chart' || key.kind === 'diagram' || key.kind === 'alarm'],
		['the panel', ({ key }) => key.kind === 'panel'],
	])('fails when commits ignore the condition of %s', async (_, isIgnored) => {
		expect(await isCaught(contested, without(isIgnored))).toBe(true);
	});

	test('fails when cached definitions come from plain reads', async () => {
		const pollers: typeof pollerOf = ({ store }) =>
			createDefinitionCache({
				...store,
				snapshot: async (schema, ids) => {
					const metadata = await store.schemaMetadata(schema);
					const listed = ids === 'all' ? await store.list(schema, 'variable') : await store.get(schema, ids.map(variableKey));
					const rows = listed.flatMap((row) => row ?? []);
					return { ...metadata, variables: new Map(rows.map((row) => [row.variable.id, row])) };
				},
			});
		expect(await isCaught(polled, openFake, pollers)).toBe(true);
	});

	test('fails when cached definitions that a commit changed are not read again', async () => {
		const pollers: typeof pollerOf = ({ store }) =>
			createDefinitionCache({
				...store,
				snapshot: async (schema, ids) => {
					const snapshot = await store.snapshot(schema, ids);
					return { ...snapshot, changes: snapshot.changes.map(() => []) };
				},
			});
		expect(await isCaught(polled, openFake, pollers)).toBe(true);
	});
});
