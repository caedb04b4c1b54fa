import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { findInconsistencies } from '#domain/integrity/find-inconsistencies.ts';
import { rebuild } from '#domain/integrity/rebuild.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import { idOfRow, type RowKey, type SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { correctionsOf } from '#domain/totals/corrections-of.ts';
import { keyText, panelKey, variableKey } from '#domain/transaction/read-set.ts';
import { usagesOf } from '#domain/transaction/usages.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { restoreItem } from '#domain/use-cases/restore-item.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { makeBody, makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** The adapters of one database that is empty. */
interface UnreadBackend {
	readonly store: SchemaStore;
	readonly changes: ChangeJournal;
	/** Returns the stored text of a row. */
	readonly textOf: (schema: string, key: RowKey) => Promise<string>;
	/** Replaces the stored text of a row. Its row version stays or is lost. */
	readonly setText: (schema: string, key: RowKey, text: string) => Promise<void>;
}

const rule = { condition: '>', threshold: 1, severity: 'info', message: 'm' } as const;

/** Ways in which a row cannot be read. */
const damages: readonly (readonly [string, (text: string) => string])[] = [
	['half of its text is lost', (text) => text.slice(0, text.length / 2)],
	[
		'a newer release wrote a field of it',
		(text) => JSON.stringify({ ...JSON.parse(text), content: { id: 'new form' }, added: 1 }),
	],
	['a newer release wrote it in another form', (text) => JSON.stringify({ ...JSON.parse(text), kind: 'note' })],
	['its references are lost', (text) => JSON.stringify({ ...JSON.parse(text), usedBy: 'lost', version: 'lost' })],
];

/** Tests of rows that cannot be read: each costs one row (shared/domain/integrity/README.md#rows-that-cannot-be-read). */
export function unreadRowsContract(name: string, open: () => Promise<UnreadBackend>): void {
	describe(`rows that cannot be read: ${name}`, () => {
		let backend: UnreadBackend;
		let store: SchemaStore;
		let deps: Parameters<typeof restoreItem>[0];
		let boards: Readonly<Record<(typeof boardKinds)[number], number>>;
		const saved = async (...[kind, content]: Parameters<typeof parseBoard>) =>
			idOfRow(await saveBoard(deps, 's', boardOf(kind, parseBoard(kind, { id: 0, ...Object(content) }))));
		const damage = async (key: RowKey, damaged: (text: string) => string) =>
			backend.setText('s', key, damaged(await backend.textOf('s', key)));
		const get = async <Key extends RowKey>(key: Key) => (await store.get('s', [key]))[0] ?? null;
		const problems = async () => findInconsistencies(await readStoredSchema(deps, 's'));
		beforeEach(async () => {
			backend = await open();
			store = backend.store;
			let time = 1_000_000;
			// A row that lost its row version begins again at 1: only the time tells its entries of the journal from earlier ones.
			deps = { store, changes: backend.changes, pause: async () => undefined, now: () => time++, origin: testOrigin };
			// Variables 1 and 2. Everything refers to 1, and the chart to 2.
			for (const unit of ['m', 'bar']) await saveVariable(deps, 's', makeVariable({ unit }));
			const line = { key: 'a', varId: 1, function: 'mean', name: 'L', unit: '' };
			const entered = { key: 'e', function: 'entered', name: 'E', unit: 'm³' };
			const report = await saved('report', { title: 'T', lines: [line, entered] });
			const days = { from: '2026-10-01', to: '2026-10-31' };
			boards = {
				chart: await saved('chart', { title: 'C', series: [{ varId: 1 }, { varId: 2 }] }),
				diagram: await saved('diagram', { title: 'D', items: [{ varId: 1, x: 0, y: 0 }] }),
				alarm: await saved('alarm', { name: 'A', varId: 1, ...rule }),
				correction: await saved('correction', { varId: 1, type: 'exclude', from: 1.7e12, to: 1.7e12 + 1, reason: 'R' }),
				report,
				entry: await saved('entry', { reportId: report, key: 'e', ...days, value: 7, reason: 'Read by hand' }),
			};
			await savePanel(deps, 's', makePanel(2));
		});

		describe.each(damages)('%s', (_, damaged) => {
			test('hides no other variable', async () => {
				await damage(variableKey(1), damaged);
				const listed = await store.list('s', 'variable');
				expect(listed.map(idOfRow)).toEqual([1, 2]);
				expect(listed.map(({ unread }) => unread === undefined)).toEqual([false, true]);
				expect(listed[1]).toEqual(await get(variableKey(2)));
				expect(await get(variableKey(1))).toEqual(listed[0]);
				expect((await store.page('s', 'variable', { after: 0, limit: 9 })).rows).toEqual(listed);
				expect([...(await store.snapshot('s', 'all')).variables.values()]).toEqual(listed);
				expect([...(await store.snapshot('s', [2, 1])).variables.values()]).toEqual(listed.toReversed());
				expect([...(await createDefinitionCache(store).get('s', 'all')).keys()].sort()).toEqual([1, 2]);
			});

			test('hides no other board, and no panel', async () => {
				for (const kind of boardKinds) {
					const other = await store.list('s', kind);
					const key = { kind, id: 10 + boards[kind] } as const;
					await store.commit('s', [
						{
							key,
							expected: null,
							put: { kind, version: 1, rowVersion: 1, board: boardOf(kind, { ...Object(other[0]?.board.content), id: key.id }) },
						},
					]);
					await damage(key, damaged);
					const listed = await store.list('s', kind);
					expect(listed.filter(({ unread }) => unread === undefined)).toEqual(other);
					expect(listed.filter(({ unread }) => unread !== undefined).map(idOfRow)).toEqual([key.id]);
				}
				await damage(panelKey, damaged);
				expect((await get(panelKey))?.panel).toMatchObject({ pumps: [], states: [] });
			});

			test('is deleted with all references to it, and comes back as it was deleted', async () => {
				const content = JSON.parse(await backend.textOf('s', variableKey(1))).content;
				await damage(variableKey(1), damaged);
				const usages = await usagesOf(store, 's', 1);
				expect(usages.map(({ kind, id }) => keyText({ kind: kind === 'panel' ? 'chart' : kind, id })).sort()).toEqual(
					// An entry refers to a report.
					boardKinds.flatMap((kind) => (kind === 'entry' ? [] : [`${kind}#${boards[kind]}`])).sort(),
				);
				expect(await deleteVariable(deps, 's', 1)).toBe(true);
				expect(await get(variableKey(1))).toBeNull();
				expect((await store.list('s', 'chart'))[0]?.board.content).toMatchObject({ series: [{ varId: 2 }] });
				expect(await store.list('s', 'alarm')).toEqual([]);
				expect(await problems()).toEqual([]);
				const [deletion] = (await backend.changes.history('s', { kind: 'variable', itemId: 1 }, 1, 9)).slice(-1);
				expect(deletion?.entry).toMatchObject({ action: 'deleted' });
				const entry = { kind: 'variable', itemId: 1, rowVersion: deletion?.entry.rowVersion ?? 0 } as const;
				await restoreItem(deps, { schema: 's', database: 'd' }, entry);
				const restored = await get(variableKey(1));
				if (restored?.unread === undefined)
					expect(JSON.parse(await backend.textOf('s', variableKey(1))).content).toEqual(content);
				else expect(deletion?.before?.content).toEqual(restored.unread.content);
			});

			test.each(boardKinds)('is deleted: a %s, whose variables forget it', async (kind) => {
				const key = { kind, id: boards[kind] } as const;
				await damage(key, damaged);
				expect(await problems()).toEqual([{ kind: 'unread_row', key, version: (await get(key))?.version }]);
				expect(await deleteBoard(deps, 's', key)).toBe(true);
				expect(await get(key)).toBeNull();
				expect((await get(variableKey(1)))?.referencedBy.has(keyText(key))).toBe(false);
				expect(await problems()).toEqual([]);
			});

			test('is replaced by a save', async () => {
				await damage(variableKey(1), damaged);
				await saveVariable(deps, 's', makeVariable({ id: 1, unit: 'new' }), [(await get(variableKey(1)))?.version ?? 0]);
				const replaced = await get(variableKey(1));
				expect(replaced).toMatchObject({ variable: { unit: 'new' } });
				expect(replaced?.unread).toBeUndefined();
				expect(replaced?.version).toBeGreaterThan(1);
				const key = { kind: 'chart', id: boards.chart } as const;
				await damage(key, damaged);
				const chart = { id: key.id, title: 'new', series: [{ varId: 2 }] };
				await saveBoard(deps, 's', boardOf('chart', parseBoard('chart', chart)));
				expect((await get(key))?.board.content).toEqual(chart);
				await damage(panelKey, damaged);
				await savePanel(deps, 's', makePanel(2, { title: 'new' }));
				expect(await get(panelKey)).toMatchObject({ version: 2, panel: { title: 'new' } });
			});

			test('does not keep others from being saved, also those that refer to it', async () => {
				await damage(variableKey(1), damaged);
				// Nobody knows its bits.
				await saved('alarm', { name: 'B', varId: 1, bit: 3, ...rule });
				const chart = { id: boards.chart, title: 'C2', series: [{ varId: 1 }, { varId: 2 }] };
				await saveBoard(deps, 's', boardOf('chart', parseBoard('chart', chart)));
				expect((await store.list('s', 'chart'))[0]?.board.content).toEqual(chart);
				await saveVariable(deps, 's', makeVariable({ id: 2, unit: 'Pa' }));
				expect(await deleteVariable(deps, 's', 2)).toBe(true);
				expect((await get(variableKey(1)))?.referencedBy.size).toBeGreaterThan(1);
			});

			test('is set aside by the repair, and nothing else', async () => {
				const keys: RowKey[] = [variableKey(2), { kind: 'report', id: boards.report }, panelKey];
				for (const key of keys) await damage(key, damaged);
				const found = await problems();
				expect(found.map((each) => each.kind === 'unread_row' && keyText(each.key)).sort()).toEqual(keys.map(keyText).sort());
				const repairs = [];
				for await (const repair of rebuild(deps, 's', found)) repairs.push(repair);
				expect(repairs).toEqual(found.map((inconsistency) => ({ inconsistency, left: null })));
				expect(await problems()).toEqual([]);
				expect(await store.list('s', 'variable')).toMatchObject([{ variable: { id: 1 } }]);
				expect((await store.list('s', 'chart'))[0]?.board.content).toMatchObject({ series: [{ varId: 1 }] });
				for (const key of keys) expect(await get(key)).toBeNull();
			});
		});

		test('a row that was saved meanwhile is not set aside', async () => {
			await damage(variableKey(2), () => '{');
			const found = await problems();
			await saveVariable(deps, 's', makeVariable({ id: 2 }));
			for await (const repair of rebuild(deps, 's', found)) expect(repair).toBeUndefined();
			expect((await get(variableKey(2)))?.unread).toBeUndefined();
		});

		test('a variable whose correction cannot be read has no totals', async () => {
			expect((await correctionsOf(store, 's', [1, 2])).uncountable).toEqual(new Set());
			await damage({ kind: 'correction', id: boards.correction }, () => '{');
			expect(await correctionsOf(store, 's', [1, 2])).toMatchObject({ uncountable: new Set([1]) });
		});

		test('a variable that boards of unknown kinds refer to is saved, and deleted', async () => {
			const text = JSON.parse(await backend.textOf('s', variableKey(1)));
			await damage(variableKey(1), () => JSON.stringify({ ...text, usedBy: [...text.usedBy, ['note#77', []]] }));
			expect((await usagesOf(store, 's', 1)).map(({ kind }) => kind)).not.toContain('note');
			// A repair must not take it away: the newer release comes back.
			expect(await problems()).toEqual([]);
			await saveVariable(deps, 's', makeVariable({ id: 1, unit: 'new' }));
			expect((await get(variableKey(1)))?.referencedBy.has('note#77')).toBe(true);
			expect(await deleteVariable(deps, 's', 1)).toBe(true);
		});

		test('a variable of more boards than one commit takes is deleted, and its text is kept', async () => {
			for (let each = 0; each < 35; each += 1) await saved('chart', { title: `C${each}`, series: [{ varId: 1 }] });
			await damage(variableKey(1), () => JSON.stringify({ kind: 'variable', content: makeBody({ type: 'map' }) }));
			expect(await deleteVariable(deps, 's', 1)).toBe(true);
			expect(await problems()).toEqual([]);
			const history = await backend.changes.history('s', { kind: 'variable', itemId: 1 }, 1, 9);
			expect(history.at(-1)?.before?.content).toEqual(makeBody({ type: 'map' }));
		});
	});
}
