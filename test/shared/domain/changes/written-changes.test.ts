import { beforeEach, describe, expect, test } from 'vitest';
import { bindAlarms } from '#domain/alarm/bind-alarms.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { type Change, type ItemKind, itemKinds } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { gapsOf } from '#domain/changes/gaps.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { panelKey } from '#domain/transaction/read-set.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { boardsPerCommit, deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { toJson } from '#domain/variable/variable.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeAlarmBody, makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

describe('the changes that writes tell of', () => {
	let store: SchemaStore;
	let journal: ChangeJournal;
	let alarms: AlarmStore;
	let deps: WriteDeps;
	beforeEach(() => {
		const database = openDatabase(':memory:');
		store = createSqliteSchemaStore(database);
		alarms = createSqliteAlarmStore(database);
		journal = createSqliteChangeJournal(database, () => 1_000_000);
		deps = { store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
	});
	const chart = (id: number, ...varIds: readonly number[]) =>
		boardOf('chart', parseBoard('chart', { id, title: 'C', series: varIds.map((varId) => ({ varId })) }));
	const all = async () => {
		const page = { start: 0, end: 9e12, kinds: itemKinds, itemId: null, actor: null, limit: 5000, after: null };
		return (await journal.page('s', page)).entries;
	};
	const historyOf = async (kind: ItemKind, itemId: number) => journal.history('s', { kind, itemId }, 0, 100);
	const entries = (changes: readonly Change[]) => changes.map(({ entry }) => entry);

	test('a variable that is created, changed, saved as it is, and deleted', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		await saveVariable(deps, 's', { ...variable, process: 'intake', unit: 'l/s' });
		await saveVariable(deps, 's', { ...variable, process: 'intake', unit: 'l/s' });
		expect(await deleteVariable(deps, 's', variable.id)).toBe(true);
		const common = { ...testOrigin, at: 1_000_000, kind: 'variable', itemId: variable.id };
		const changed = { ...variable, process: 'intake', unit: 'l/s' };
		const { name } = variable;
		expect(await historyOf('variable', variable.id)).toEqual([
			{
				entry: { ...common, rowVersion: 1, action: 'created', name, version: 1, replaced: null, fields: [] },
				before: null,
			},
			{
				entry: { ...common, rowVersion: 2, action: 'changed', name, version: 2, replaced: 1, fields: ['unit', 'process'] },
				before: { version: 1, content: toJson(variable) },
			},
			{
				entry: { ...common, rowVersion: 3, action: 'deleted', name, version: 3, replaced: 2, fields: [] },
				before: { version: 2, content: toJson(changed) },
			},
		]);
		expect(await store.revision('s')).toMatchObject({ revision: 3 });
	});

	test('a chart that shows another variable: no entry of the variables, whose rows change with it', async () => {
		const ids = [];
		for (const unit of ['m', 'bar']) ids.push((await saveVariable(deps, 's', makeVariable({ unit }))).variable.id);
		const [a = 0, b = 0] = ids;
		const { board } = await saveBoard(deps, 's', chart(0, a));
		await saveBoard(deps, 's', chart(board.content.id, b));
		await deleteBoard(deps, 's', { kind: 'chart', id: board.content.id });
		expect((await all()).map(({ kind, action, version }) => [kind, action, version])).toEqual([
			['variable', 'created', 1],
			['variable', 'created', 1],
			['chart', 'deleted', 3],
			['chart', 'changed', 2],
			['chart', 'created', 1],
		]);
		await saveVariable(deps, 's', makeVariable({ id: a, unit: 'cm' }));
		const [, changed] = await historyOf('variable', a);
		// Its row changed twice between, when the chart took it up and dropped it.
		expect(changed?.entry).toMatchObject({ version: 2, replaced: 1, rowVersion: 4 });
	});

	test('a panel', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		await savePanel(deps, 's', makePanel(variable.id, { title: 'Station' }));
		await savePanel(deps, 's', makePanel(variable.id, { title: 'Station' }));
		await savePanel(deps, 's', makePanel(variable.id, { title: 'Pumps' }));
		const [, changed, ...more] = await historyOf('panel', 0);
		expect(changed).toMatchObject({ entry: { name: 'Pumps', fields: ['title'] }, before: { content: { title: 'Station' } } });
		expect(more).toEqual([]);
	});

	test('an alarm that is bound to a database, then saved: each change has a row version of its own', async () => {
		await saveVariable(deps, 's', makeVariable());
		const alarm = (id: number, name: string) => boardOf('alarm', parseBoard('alarm', makeAlarmBody({ id, name })));
		const { board } = await saveBoard(deps, 's', alarm(0, 'High flow'));
		const { id } = board.content;
		await bindAlarms({ ...deps, alarms }, 's', 'plant');
		await saveBoard(deps, 's', alarm(id, 'Flow'));
		const told = entries(await historyOf('alarm', id));
		expect(told.map(({ version, rowVersion }) => [version, rowVersion])).toEqual([
			[1, 1],
			[1, 2],
			[2, 3],
		]);
		expect(gapsOf(told, new Map([[itemKeyText({ kind: 'alarm', itemId: id }), 2]]))).toEqual([]);
	});

	test('a panel with more changes than saves, as a file may bring it: its row version goes on from there', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		const row = { kind: 'panel', version: 1, rowVersion: 3, panel: makePanel(variable.id) } as const;
		await store.commit('s', [{ key: panelKey, expected: null, put: row }]);
		expect(await savePanel(deps, 's', { ...row.panel, title: 'Pumps' })).toMatchObject({ version: 2, rowVersion: 4 });
	});

	test.each([
		['one commit', boardsPerCommit],
		['several commits', 2 * boardsPerCommit + 5],
	])('a variable that is deleted from its charts in %s: each tells of the deletion as its cause', async (_, count) => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		for (let index = 0; index < count; index += 1) await saveBoard(deps, 's', chart(0, variable.id));
		let commits = 0;
		const counting: SchemaStore = {
			...store,
			commit: (...commit) => {
				commits += 1;
				return store.commit(...commit);
			},
		};
		expect(await deleteVariable({ ...deps, store: counting }, 's', variable.id)).toBe(true);
		expect(commits).toBe(count === boardsPerCommit ? 1 : 4);
		const deletions = entries(await historyOf('variable', variable.id)).filter(({ action }) => action === 'deleted');
		expect(deletions).toHaveLength(1);
		const cause = { kind: 'variable', itemId: variable.id, rowVersion: deletions[0]?.rowVersion };
		expect(deletions[0]).not.toHaveProperty('cause');
		const ofCharts = (await all()).filter(({ kind, action }) => kind === 'chart' && action === 'changed');
		expect(ofCharts).toHaveLength(count);
		for (const entry of ofCharts) expect(entry).toMatchObject({ cause, fields: ['series'], version: 2, replaced: 1 });
	});

	test('a commit that is refused tells of nothing', async () => {
		const { variable } = await saveVariable(deps, 's', makeVariable());
		const failing: SchemaStore = { ...store, commit: async () => 'full' };
		await expect(saveVariable({ ...deps, store: failing }, 's', { ...variable, unit: 'x' })).rejects.toThrow();
		expect(await all()).toHaveLength(1);
	});
});
