import { beforeEach, describe, expect, test } from 'vitest';
import type { CommitOutcome, SchemaStore } from '#domain/ports/schema-store.ts';
import { panelKey } from '#domain/transaction/read-set.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteVariable, previewDeletion } from '#domain/use-cases/delete-variable.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { previewVariable, saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBitsBody, makeBoardRow, makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

describe('writes', () => {
	let store: SchemaStore;
	let deps: WriteDeps;
	let pauses: number[];

	beforeEach(() => {
		store = createSqliteSchemaStore(openDatabase(':memory:'));
		pauses = [];
		deps = { store, pause: async (attempt) => void pauses.push(attempt), now: () => 1_000_000, origin: testOrigin };
	});

	/** A store whose first commits have the given outcomes. Later commits succeed. */
	const failing = (...outcomes: readonly CommitOutcome[]): WriteDeps => {
		const left = [...outcomes];
		return { ...deps, store: { ...store, commit: async (schema, rows) => left.shift() ?? store.commit(schema, rows) } };
	};

	test('id 0 creates a variable with the next id; saving that id again is its next version', async () => {
		const first = await saveVariable(deps, 's', makeVariable());
		const second = await saveVariable(deps, 's', makeVariable());
		expect([first.variable.id, first.version, second.variable.id]).toEqual([1, 1, 2]);
		const again = await saveVariable(deps, 's', { ...first.variable, unit: 'm3/h' });
		expect(again).toEqual({ ...first, version: 2, rowVersion: 2, variable: { ...first.variable, unit: 'm3/h' } });
		expect(await store.list('s', 'variable')).toEqual([again, second]);
	});

	test('an id that does not exist or was deleted is rejected and not stored', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		expect(await deleteVariable(deps, 's', variable.id)).toBe(true);
		expect(await deleteVariable(deps, 's', variable.id)).toBe(false);
		await expect(saveVariable(deps, 's', variable)).rejects.toMatchObject({
			code: 'not_found',
			payload: { kind: 'variable', id: variable.id },
		});
		await expect(saveVariable(deps, 's', makeVariable({ id: 99 }))).rejects.toMatchObject({ code: 'not_found' });
		expect(await store.list('s', 'variable')).toEqual([]);
		expect((await saveVariable(deps, 's', makeVariable())).variable.id).toBe(2);
	});

	test('a preview stores nothing and uses no id', async () => {
		expect(await previewVariable(deps, 's', makeVariable())).toMatchObject({
			row: { version: 1, variable: { id: 0 } },
			stored: null,
		});
		await expect(previewVariable(deps, 's', makeVariable({ id: 5 }))).rejects.toMatchObject({ code: 'not_found' });
		expect(await store.revision('s')).toMatchObject({ revision: 0 });
		expect((await saveVariable(deps, 's', makeVariable())).variable.id).toBe(1);
	});

	test('an item of a panel has a whole number as its id, unless the stored panel has it already', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		const pump = (id: number) => ({ id, name: 'P', varId: variable.id, type: 'pump' }) as const;
		const panelOf = (...ids: readonly number[]) => makePanel(variable.id, { pumps: ids.map(pump), states: [] });
		await expect(savePanel(deps, 's', panelOf(1, 1.5))).rejects.toMatchObject({
			code: 'invalid',
			payload: { issues: [{ path: 'pumps.1.id', code: 'not_whole_number' }] },
		});
		const row = { kind: 'panel', version: 1, rowVersion: 1, panel: panelOf(1.5) } as const;
		await store.commit('s', [{ key: panelKey, expected: null, put: row }]);
		expect((await savePanel(deps, 's', panelOf(1.5, 2))).panel.pumps.map(({ id }) => id)).toEqual([1.5, 2]);
		await expect(savePanel(deps, 's', panelOf(1.5, 2.5))).rejects.toMatchObject({ code: 'invalid' });
	});

	test('a conflict repeats the transaction with the rows as they are now', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		const saved = await saveVariable(failing('conflict', 'conflict'), 's', { ...variable, unit: 'bar' });
		expect(saved.version).toBe(2);
		expect(pauses).toEqual([1, 2]);
	});

	test('too many conflicts fail with a time to wait', async () => {
		const always = failing(...Array<CommitOutcome>(100).fill('conflict'));
		await expect(saveVariable(always, 's', makeVariable())).rejects.toMatchObject({
			code: 'write_contention',
			payload: { retryAfterMs: expect.any(Number) },
		});
	});

	test('a variable beyond the limit of the schema is rejected', async () => {
		await expect(saveVariable(failing('full'), 's', makeVariable())).rejects.toMatchObject({ code: 'too_large' });
	});

	test.each([
		['chart', 10_000],
		['diagram', 10_000],
		['alarm', 1000],
	] as const)('a %s beyond the limit of the schema is rejected with what to do', async (kind, limit) => {
		await saveVariable(deps, 's', makeVariable());
		const { board } = makeBoardRow(kind, 0);
		await expect(saveBoard(failing('full'), 's', board)).rejects.toMatchObject({
			code: 'too_large',
			payload: {
				counted: `${kind}s_in_schema`,
				actual: limit + 1,
				limit,
				remedy: `Delete ${kind}s that are not needed, then save again.`,
			},
		});
	});

	test('a row over 350 KB is rejected, a row under 350 KB is stored', async () => {
		const panel = (items: number) =>
			makePanel(1, {
				pumps: Array.from({ length: items }, (_, id) => ({ id, name: 'n'.repeat(1000), varId: 1, type: 'pump' as const })),
			});
		await saveVariable(deps, 's', makeVariable());
		await savePanel(deps, 's', panel(330));
		await expect(savePanel(deps, 's', panel(340))).rejects.toMatchObject({ code: 'too_large', payload: { limit: 350_000 } });
	});

	test('a panel that refers to a missing variable or an undefined bit is rejected', async () => {
		const { variable: flow } = await saveVariable(deps, 's', makeVariable());
		const { variable: byte } = await saveVariable(deps, 's', parseVariable(makeBitsBody({ id: 0 })));
		const item = (id: number, varId: number, bit?: number) => ({
			id,
			name: 'Valve',
			varId,
			type: 'status' as const,
			...(bit === undefined ? {} : { bit }),
		});
		const states = [
			item(1, flow.id),
			item(2, 77),
			item(3, flow.id, 0),
			item(4, byte.id, 7),
			item(5, byte.id, 3),
			item(6, byte.id),
		];
		await expect(savePanel(deps, 's', makePanel(flow.id, { states }))).rejects.toMatchObject({
			payload: { issues: [{ path: 'states.1.varId' }, { path: 'states.2.bit' }, { path: 'states.4.bit' }] },
		});
		expect(await store.get('s', [{ kind: 'panel' }])).toEqual([null]);
		const good = makePanel(flow.id, { states: [item(1, flow.id), item(4, byte.id, 7), item(6, byte.id)] });
		expect(await savePanel(deps, 's', good)).toEqual({ kind: 'panel', version: 1, rowVersion: 1, panel: good });
		expect(await savePanel(deps, 's', good)).toMatchObject({ version: 1, rowVersion: 1 });
		expect((await savePanel(deps, 's', { ...good, title: 'Other' })).version).toBe(2);
	});

	test('a panel is rejected when its variable is deleted between the read and the commit', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		const racing: WriteDeps = {
			...deps,
			store: {
				...store,
				get: async (schema, keys) => {
					const rows = await store.get(schema, keys);
					await deleteVariable(deps, 's', variable.id);
					return rows;
				},
			},
		};
		await expect(savePanel(racing, 's', makePanel(variable.id))).rejects.toMatchObject({ code: 'invalid' });
	});

	test('previewing a deletion returns the usages and deletes nothing', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		await savePanel(deps, 's', makePanel(variable.id, { title: 'Main station' }));
		const usages = [{ kind: 'panel', id: 0, name: 'Main station' }];
		expect(await previewDeletion(store, 's', variable.id)).toEqual({ exists: true, usages });
		expect(await previewDeletion(store, 's', 99)).toEqual({ exists: false, usages: [] });
		expect(await store.list('s', 'variable')).toHaveLength(1);
	});
});
