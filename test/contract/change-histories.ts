import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { ItemKey } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { gapsOf } from '#domain/changes/gaps.ts';
import { DomainError } from '#domain/errors.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import { idOfRow, type Row, type SchemaStore } from '#domain/ports/schema-store.ts';
import { panelKey } from '#domain/transaction/read-set.ts';
import { contentOfRow, itemKeyOf } from '#domain/transaction/row-change.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { readChange } from '#domain/use-cases/read-change.ts';
import { type Deletion, restoreItem } from '#domain/use-cases/restore-item.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { firstSeed } from '#test/support/cases.ts';

/** A step of a history. `at` picks the item; `crash`: the process ends just before, or just after, its first commit. */
const step = fc.record({
	act: fc.constantFrom('variable', 'chart', 'panel', 'change', 'deleteVariable', 'deleteChart', 'restore'),
	at: fc.nat(50),
	text: fc.constantFrom('m', 'bar', 'l/s'),
	/** How often the items of a chart or panel occur: 60 make a field so large that the journal keeps it once. */
	count: fc.constantFrom(1, 60, 60),
	crash: fc.constantFrom('no', 'no', 'no', 'before', 'after'),
});

/** A store of definitions with its journal. The clock of the journal is `now`. */
export interface HistoryBackend {
	readonly store: SchemaStore;
	readonly changes: ChangeJournal;
	/** A schema that nothing is in. */
	readonly schema: string;
	readonly close: () => void;
}

/**
 * Tests that the commits of every store leave a journal without a gap, whenever a process ends.
 * @param open opens a backend with an empty schema
 * @param histories how many random histories are tried
 */
export const changeHistoriesContract = (
	name: string,
	open: (now: () => number) => Promise<HistoryBackend>,
	histories: number,
): void => {
	test(`${name}: any version of any item of ${histories} random histories can be read again, whenever the process ends (seed ${firstSeed})`, {
		timeout: 60_000 + histories * 3000,
	}, async () => {
		await readHistories(open, histories);
	});
};

const readHistories = async (open: (now: () => number) => Promise<HistoryBackend>, histories: number): Promise<void> => {
	let clock = 1000;
	let restored = 0;
	let interrupted = 0;
	const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
		const { store, changes, schema, close } = await open(() => clock);
		const nobody = { find: async () => null };
		const seen = new Map<string, ReadonlyMap<number, unknown>>();
		const rowsOf = async (): Promise<readonly Row[]> => {
			const [variables, charts] = [await store.list(schema, 'variable'), await store.list(schema, 'chart')];
			return [
				...variables.filter(({ deleting }) => !deleting),
				...charts,
				...(await store.get(schema, [panelKey])).flatMap((row) => row ?? []),
			];
		};
		const keyOf = (row: Row): ItemKey => itemKeyOf(row.kind === 'panel' ? panelKey : { kind: row.kind, id: idOfRow(row) });
		const note = async (): Promise<void> => {
			for (const row of await rowsOf()) {
				const key = itemKeyText(keyOf(row));
				const { version, content } = contentOfRow(row);
				seen.set(key, new Map([...(seen.get(key) ?? []), [version, content]]));
			}
		};
		for (const { act, at, text, crash, count } of steps) {
			clock += 1;
			const deps: WriteDeps & { readonly changes: typeof changes } = {
				store: crashing(store, crash),
				changes,
				pause: async () => undefined,
				now: () => clock,
				origin: testOrigin,
			};
			const ids = (await store.list(schema, 'variable')).map(({ variable }) => variable.id);
			const charts = (await store.list(schema, 'chart')).map(idOfRow);
			const [varId = 9999, chartId = 9999] = [ids[at % ids.length], charts[at % charts.length]];
			const deletions = (await changes.all(schema)).flatMap(({ action, kind, itemId, rowVersion }): Deletion[] =>
				action === 'deleted' && (kind === 'variable' || kind === 'chart') && typeof itemId === 'number'
					? [{ kind, itemId, rowVersion }]
					: [],
			);
			const deletion = deletions[at % deletions.length];
			const chart = (id: number) =>
				boardOf(
					'chart',
					parseBoard('chart', {
						id,
						title: text,
						series: times(
							count,
							ids.slice(0, 2).map((each) => ({ varId: each, label: 'x'.repeat(100) })),
						),
					}),
				);
			const acts: Readonly<Record<typeof act, () => Promise<unknown>>> = {
				variable: () => saveVariable(deps, schema, makeVariable({ unit: text })),
				chart: () => saveBoard(deps, schema, chart(at % 2 === 0 ? 0 : chartId)),
				panel: () =>
					savePanel(
						deps,
						schema,
						makePanel(varId, {
							title: text,
							pumps: Array.from({ length: count }, (_, id) => ({ id, name: 'x'.repeat(100), varId, type: 'pump' as const })),
						}),
					),
				change: () => saveVariable(deps, schema, makeVariable({ id: varId, unit: text })),
				deleteVariable: () => deleteVariable(deps, schema, varId),
				deleteChart: () => deleteBoard(deps, schema, { kind: 'chart', id: chartId }),
				restore: async () => {
					if (deletion === undefined) return;
					await restoreItem(deps, { schema, database: 'd' }, deletion);
					restored += 1;
				},
			};
			await acts[act]().catch((error: unknown) => {
				if (error instanceof Crash) interrupted += 1;
				else if (!(error instanceof DomainError)) throw error;
			});
			await note();
		}
		const entries = await changes.all(schema);
		const stored = new Map((await rowsOf()).map((row) => [itemKeyText(keyOf(row)), row.version]));
		expect(gapsOf(entries, stored)).toEqual([]);
		for (const key of stored.keys()) expect(entries.map(itemKeyText)).toContain(key);
		for (const entry of entries) {
			const versions = seen.get(itemKeyText(entry));
			const { before, after } = await readChange(
				{ store, changes, people: nobody, machines: nobody, grants: nobody },
				schema,
				entry,
			);
			if (before !== null) expect(before.content).toEqual(JSON.parse(JSON.stringify(versions?.get(before.version))));
			expect(before?.version ?? null).toBe(entry.replaced);
			if (entry.action === 'deleted') expect(after).toBeNull();
			else
				expect(JSON.parse(JSON.stringify(after))).toEqual({
					version: entry.version,
					content: JSON.parse(JSON.stringify(versions?.get(entry.version))),
				});
		}
		close();
	});
	await fc.assert(property, { seed: firstSeed, numRuns: histories });
	expect(Math.min(restored, interrupted)).toBeGreaterThan(histories / 200);
};

const times = <Item>(count: number, items: readonly Item[]): Item[] => Array.from({ length: count }, () => items).flat();

class Crash extends Error {}

/** The store of a process that ends at its first commit. */
const crashing = (store: SchemaStore, crash: 'no' | 'before' | 'after'): SchemaStore => ({
	...store,
	commit: async (...commit) => {
		if (crash === 'before') throw new Crash();
		const outcome = await store.commit(...commit);
		if (crash === 'after') throw new Crash();
		return outcome;
	},
});
