import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { SchemaStore, VariableRow } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { usagesOf } from '#domain/transaction/usages.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { boardsPerCommit, deleteVariable, previewDeletion } from '#domain/use-cases/delete-variable.ts';
import { listedVariables } from '#domain/use-cases/list-variables.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBitsBody, makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

describe('references from boards and the panel', () => {
	let store: SchemaStore;
	let deps: WriteDeps;
	beforeEach(() => {
		store = createSqliteSchemaStore(openDatabase(':memory:'));
		deps = { store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
	});

	const variable = async (bits = false): Promise<number> => {
		const sent = bits ? parseVariable(makeBitsBody()) : makeVariable();
		return (await saveVariable(deps, 's', sent)).variable.id;
	};
	const chart = async (id: number, ...ids: number[]): Promise<number> => {
		const content = parseBoard('chart', { id, title: `Chart of ${ids.join()}`, series: ids.map((varId) => ({ varId })) });
		return (await saveBoard(deps, 's', boardOf('chart', content))).board.content.id;
	};
	const diagram = async (id: number, varId: number, bit?: number): Promise<number> => {
		const content = parseBoard('diagram', { id, title: 'Hall', items: [{ varId, bit, x: 0.5, y: 0.5 }] });
		return (await saveBoard(deps, 's', boardOf('diagram', content))).board.content.id;
	};
	const alarm = async (id: number, varId: number, bit?: number): Promise<number> => {
		const rule = { condition: '>', threshold: 1, severity: 'info', message: 'm' };
		const content = parseBoard('alarm', { id, name: 'High', varId, bit, ...rule });
		return (await saveBoard(deps, 's', boardOf('alarm', content))).board.content.id;
	};
	const referencedByOf = async (id: number) =>
		Object.fromEntries((await store.get('s', [{ kind: 'variable', id }]))[0]?.referencedBy ?? []);

	test('a variable lists the boards that refer to it, as boards add and remove references', async () => {
		const [a, b] = [await variable(), await variable(true)];
		const first = await chart(0, a, b, a);
		expect([await referencedByOf(a), await referencedByOf(b)]).toEqual([{ [`chart#${first}`]: [] }, { [`chart#${first}`]: [] }]);
		await chart(first, b);
		const hall = await diagram(0, b, 7);
		expect([await referencedByOf(a), await referencedByOf(b)]).toEqual([
			{},
			{ [`chart#${first}`]: [], [`diagram#${hall}`]: [7] },
		]);
		await diagram(hall, b, 0);
		await deleteBoard(deps, 's', { kind: 'chart', id: first });
		expect(await referencedByOf(b)).toEqual({ [`diagram#${hall}`]: [0] });
	});

	test('a board that refers to a missing variable or an undefined bit is rejected, and nothing is stored', async () => {
		const [a, b] = [await variable(), await variable(true)];
		await expect(chart(0, a, 99)).rejects.toMatchObject({ payload: { issues: [{ path: 'series.1.varId' }] } });
		await expect(diagram(0, a, 0)).rejects.toMatchObject({ payload: { issues: [{ path: 'items.0.bit' }] } });
		await expect(diagram(0, b, 3)).rejects.toMatchObject({ payload: { issues: [{ path: 'items.0.bit' }] } });
		await expect(alarm(0, 99)).rejects.toMatchObject({ payload: { issues: [{ path: 'varId' }] } });
		await expect(alarm(0, b, 3)).rejects.toMatchObject({ payload: { issues: [{ path: 'bit' }] } });
		await expect(chart(77, a)).rejects.toMatchObject({ code: 'not_found', payload: { kind: 'chart', id: 77 } });
		expect([await referencedByOf(a), await referencedByOf(b)]).toEqual([{}, {}]);
		expect([await store.list('s', 'chart'), await store.list('s', 'diagram'), await store.list('s', 'alarm')]).toEqual([
			[],
			[],
			[],
		]);
	});

	test('the usages of a variable are its boards and the panel, with their names', async () => {
		const a = await variable();
		const ids = [await chart(0, a), await diagram(0, a), await alarm(0, a)];
		await savePanel(deps, 's', makePanel(a, { title: 'Station' }));
		const usages = [
			{ kind: 'alarm', id: ids[2], name: 'High' },
			{ kind: 'chart', id: ids[0], name: `Chart of ${a}` },
			{ kind: 'diagram', id: ids[1], name: 'Hall' },
			{ kind: 'panel', id: 0, name: 'Station' },
		];
		expect(await usagesOf(store, 's', a)).toEqual(usages);
		expect(await previewDeletion(store, 's', a)).toEqual({ exists: true, usages });
		expect(await usagesOf(store, 's', 99)).toEqual([]);
	});

	test('deleting a variable removes it from charts and diagrams, deletes its alarms, and leaves other boards alone', async () => {
		const [a, b] = [await variable(), await variable()];
		const both = await chart(0, a, b);
		const [hall, high, other] = [await diagram(0, a), await alarm(0, a), await alarm(0, b)];
		await savePanel(deps, 's', makePanel(a));
		expect(await deleteVariable(deps, 's', a)).toBe(true);
		expect(
			(await store.list('s', 'chart')).map(({ board, version }) => [board.content.id, board.content, version]),
		).toMatchObject([[both, { series: [{ varId: b }] }, 2]]);
		expect((await store.list('s', 'diagram')).map(({ board }) => board.content)).toMatchObject([{ id: hall, items: [] }]);
		expect((await store.list('s', 'alarm')).map(({ board }) => board.content.id)).toEqual([other]);
		expect(high).not.toBe(other);
		expect(await referencedByOf(b)).toEqual({ [`chart#${both}`]: [], [`alarm#${other}`]: [] });
		expect((await store.get('s', [{ kind: 'panel' }]))[0]?.panel.pumps[0]?.varId).toBe(a);
	});

	test('a bit in use cannot be removed, neither alone nor with all bits, and the error names its usages', async () => {
		const b = await variable(true);
		const hall = await diagram(0, b, 7);
		const without = (...bits: number[]) =>
			parseVariable(makeBitsBody({ id: b, bits: bits.map((bit) => ({ id: bit, name: 'n', bit })) }));
		const usages = [{ kind: 'diagram', id: hall, name: 'Hall' }];
		// Bit 0 is lost, too, and nothing uses it.
		await expect(saveVariable(deps, 's', without(1))).rejects.toMatchObject({
			code: 'in_use',
			payload: { field: 'bits', bits: [7], usages },
		});
		await expect(saveVariable(deps, 's', makeVariable({ id: b }))).rejects.toMatchObject({
			code: 'in_use',
			payload: { field: 'binary_compressed', bits: [7], usages },
		});
		expect((await saveVariable(deps, 's', without(7, 1))).version).toBe(2);
		await deleteBoard(deps, 's', { kind: 'diagram', id: hall });
		const item = { id: 1, name: 'Alarm', varId: b, type: 'status' as const, bit: 7 };
		await savePanel(deps, 's', makePanel(b, { title: 'Station', states: [item] }));
		await expect(saveVariable(deps, 's', without(1))).rejects.toMatchObject({
			payload: { bits: [7], usages: [{ kind: 'panel', id: 0, name: 'Station' }] },
		});
		await savePanel(deps, 's', makePanel(b));
		expect((await saveVariable(deps, 's', makeVariable({ id: b }))).version).toBe(3);
	});

	test('a write is rejected unless the stored version is one of those accepted', async () => {
		const a = await variable();
		const c = await chart(0, a);
		const board = boardOf('chart', parseBoard('chart', { id: c, title: 'T', series: [] }));
		await expect(saveBoard(deps, 's', board, [2])).rejects.toMatchObject({ code: 'version_mismatch', payload: { stored: 1 } });
		expect((await saveBoard(deps, 's', board, [1])).version).toBe(2);
		await expect(deleteBoard(deps, 's', { kind: 'chart', id: c }, [1])).rejects.toMatchObject({ code: 'version_mismatch' });
		await expect(saveVariable(deps, 's', makeVariable({ id: a }), [2])).rejects.toMatchObject({ code: 'version_mismatch' });
		await expect(saveVariable(deps, 's', makeVariable(), 'any')).rejects.toMatchObject({ payload: { stored: null } });
		await expect(deleteVariable(deps, 's', a, [2])).rejects.toMatchObject({ code: 'version_mismatch' });
		await expect(savePanel(deps, 's', makePanel(a), 'any')).rejects.toMatchObject({ payload: { stored: null } });
		await savePanel(deps, 's', makePanel(a));
		expect((await savePanel(deps, 's', makePanel(a), [7, 1])).version).toBe(1);
		expect((await savePanel(deps, 's', makePanel(a, { title: 'Other' }), [7, 1])).version).toBe(2);
	});

	test('a new reference to a variable does not change its version', async () => {
		const a = await variable();
		await chart(0, a);
		expect((await saveVariable(deps, 's', makeVariable({ id: a, unit: 'other' }), [1])).version).toBe(2);
	});

	test('boards that are too large together for one commit are changed in several', async () => {
		const a = await variable();
		const label = 'l'.repeat(600);
		for (let count = 0; count < 20; count += 1) {
			const series = Array.from({ length: 500 }, () => ({ varId: a, label }));
			await saveBoard(deps, 's', boardOf('chart', parseBoard('chart', { id: 0, title: 'Large', series })));
		}
		const sizes: number[] = [];
		const measuring: WriteDeps = {
			...deps,
			store: {
				...store,
				get: async (schema, keys) => {
					const rows = await store.get(schema, keys);
					sizes.push(JSON.stringify(rows).length);
					return rows;
				},
			},
		};
		expect(await deleteVariable(measuring, 's', a)).toBe(true);
		expect(Math.max(...sizes)).toBeLessThan(3_000_000);
		expect(
			(await store.list('s', 'chart')).every(({ board }) => board.kind === 'chart' && board.content.series.length === 0),
		).toBe(true);
	});

	test('refuses the board that would be the 1,001st to refer to a variable, and goes on with the others', async () => {
		const [a, b] = [await variable(), await variable()];
		const other = await chart(0, b);
		const [row] = await store.get('s', [{ kind: 'variable', id: a }]);
		const known = await chart(0, a);
		const referencedBy = new Map(Array.from({ length: 999 }, (_, index) => [`chart#${index + 5000}`, []] as const));
		const full = { ...row, rowVersion: 3, referencedBy: new Map([...referencedBy, [`chart#${known}`, []]]) } as VariableRow;
		await store.commit('s', [{ key: { kind: 'variable', id: a }, expected: 2, put: full }]);
		const refusal = {
			code: 'too_large',
			payload: { counted: 'boards_of_variable', variable: a, actual: 1001, limit: 1000 },
		};
		await expect(chart(0, a)).rejects.toMatchObject(refusal);
		await expect(alarm(0, a)).rejects.toMatchObject(refusal);
		await expect(chart(other, a, b)).rejects.toMatchObject(refusal);
		expect(await chart(known, a, b)).toBe(known);
		expect(await chart(known, b)).toBe(known);
		expect(await chart(other, a, b)).toBe(other);
		await expect(chart(known, a)).rejects.toMatchObject(refusal);
		expect(await deleteBoard(deps, 's', { kind: 'chart', id: other })).toBe(true);
		expect(await chart(known, a)).toBe(known);
	});

	test('deletes a variable of 1,000 boards when each commit is interrupted and the deletion is called again', async () => {
		const [a, b] = [await variable(), await variable()];
		for (let count = 0; count < 1000; count += 1) await (count % 3 === 0 ? alarm(0, a) : chart(0, a, b));
		let commits = 0;
		let interrupted = 0;
		const failingAt = (at: number): WriteDeps => ({
			...deps,
			store: {
				...store,
				commit: async (...commit) => {
					if (commits === at) throw new Error('interrupted before the commit');
					const outcome = await store.commit(...commit);
					commits += 1;
					if (commits === at) throw new Error('interrupted after the commit');
					return outcome;
				},
			},
		});
		let deleted: boolean | undefined;
		for (let at = 1; deleted === undefined; at += 1) {
			commits = at % 2 === 0 ? at : at - 1;
			deleted = await deleteVariable(failingAt(at), 's', a).catch(() => undefined);
			if (deleted !== undefined) break;
			interrupted += 1;
			const [row] = await store.get('s', [{ kind: 'variable', id: a }]);
			if (row === null || row === undefined) break;
			if (!row.deleting) continue;
			// During the deletion the variable is not listed or read, and nothing new may refer to it.
			expect(listedVariables(await store.list('s', 'variable')).map(({ variable: { id } }) => id)).toEqual([b]);
			expect((await createDefinitionCache(store).get('s', [a])).size).toBe(0);
			await expect(chart(0, a)).rejects.toMatchObject({ code: 'invalid' });
			await expect(saveVariable(deps, 's', makeVariable({ id: a }))).rejects.toMatchObject({ code: 'not_found' });
		}
		expect(interrupted).toBeGreaterThanOrEqual(Math.floor(1000 / boardsPerCommit));
		expect(await store.get('s', [{ kind: 'variable', id: a }])).toEqual([null]);
		expect(await store.list('s', 'alarm')).toEqual([]);
		const charts = await store.list('s', 'chart');
		expect(charts).toHaveLength(666);
		for (const { board } of charts) expect(board.content).toMatchObject({ series: [{ varId: b }] });
		expect(Object.keys(await referencedByOf(b))).toHaveLength(666);
	});
});
