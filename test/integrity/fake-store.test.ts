import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowCommit, RowKey } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { keyText, variableKey } from '#domain/transaction/read-set.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { contested, polled, scenario } from './commands.ts';
import type { pollerOf } from './harness.ts';
import { type OpenBackend, runScenario } from './run-scenario.ts';

const openFake: OpenBackend = async (step, random) => ({ schema: 's', ...createFakeStore(step, random) });

const seed = Date.now() % 2 ** 31;
const parameters = { numRuns: 10_000, seed };

describe(`integrity under any interleaving (seed ${seed})`, () => {
	test('holds on a store whose commits become visible item by item', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, (each) => runScenario(each, openFake)),
			parameters,
		);
	});

	/** Whether some scenario shows that something is broken. */
	const isCaught = async (scenarios: typeof scenario, open: OpenBackend, pollers?: typeof pollerOf): Promise<boolean> => {
		const result = await fc.check(
			fc.asyncProperty(scenarios, (each) => runScenario(each, open, pollers)),
			{ ...parameters, endOnFailure: true },
		);
		return result.failed;
	};

	/** A store that leaves out the conditions of some rows of every commit. */
	const without =
		(left: (row: RowCommit) => boolean): OpenBackend =>
		async (step, random) => {
			const { store, decided, ...backend } = { ...createFakeStore(step, random), schema: 's' };
			const stampOf = (key: RowKey): number | null => decided('s').get(keyText(key))?.rowVersion ?? null;
			const commit: typeof store.commit = (schema, rows, receipt) =>
				store.commit(
					schema,
					rows.map((row) => (left(row) ? { ...row, expected: stampOf(row.key) } : row)),
					receipt,
				);
			return { ...backend, store: { ...store, commit } };
		};

	test.each<[string, (row: RowCommit) => boolean]>([
		['a variable that is changed', ({ key, put }) => key.kind === 'variable' && put !== undefined],
		['a variable that is only relied on', ({ key, put }) => key.kind === 'variable' && put === undefined],
		['a board', ({ key }) => key.kind === 'chart' || key.kind === 'diagram' || key.kind === 'alarm'],
		['the panel', ({ key }) => key.kind === 'panel'],
	])('a commit that leaves out the condition of %s is caught', async (_, left) => {
		expect(await isCaught(contested, without(left))).toBe(true);
	});

	test('definitions filled by plain reads are caught', async () => {
		const pollers: typeof pollerOf = ({ store }) =>
			createDefinitionCache({
				...store,
				snapshot: async (schema, ids) => {
					const revision = await store.revision(schema);
					const listed = ids === 'all' ? await store.list(schema, 'variable') : await store.get(schema, ids.map(variableKey));
					const rows = listed.flatMap((row) => row ?? []);
					return { revision, variables: new Map(rows.map((row) => [row.variable.id, row])) };
				},
			});
		expect(await isCaught(polled, openFake, pollers)).toBe(true);
	});
});
