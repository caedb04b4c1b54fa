import * as v from 'valibot';
import { expect, test } from 'vitest';
import { readChange } from '#domain/use-cases/read-change.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { changeHistoriesContract } from '#test/contract/change-histories.ts';
import { makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { casesOf } from '#test/support/cases.ts';

changeHistoriesContract(
	'SQLite',
	async (now) => {
		const database = openDatabase(':memory:');
		return {
			store: createSqliteSchemaStore(database),
			changes: createSqliteChangeJournal(database, now),
			schema: 's',
			close: () => database.close(),
		};
	},
	casesOf(400),
);

test('a large field that 250 saves keep is stored three times, and every version of the item can be read', async () => {
	const database = openDatabase(':memory:');
	const [store, changes] = [createSqliteSchemaStore(database), createSqliteChangeJournal(database, () => 2000)];
	const deps = { store, pause: async () => undefined, now: () => 1000, origin: testOrigin };
	const { variable } = await saveVariable(deps, 's', makeVariable());
	const pumps = Array.from({ length: 500 }, (_, id) => ({
		id,
		name: 'x'.repeat(100),
		varId: variable.id,
		type: 'pump' as const,
	}));
	const titles = Array.from({ length: 250 }, (_, index) => `Station ${index}`);
	for (const title of titles) await savePanel(deps, 's', { title, pumps, states: [] });
	const { bytes } = v.parse(
		v.object({ bytes: v.number() }),
		database.prepare('SELECT sum(length(before)) AS bytes FROM change').get(),
	);
	expect(bytes).toBeLessThan(3 * JSON.stringify(pumps).length + 250 * 1000);
	const nobody = { find: async () => null };
	for (const [index, title] of titles.entries()) {
		const key = { kind: 'panel', itemId: 0, rowVersion: index + 1 } as const;
		const { before, after } = await readChange({ store, changes, people: nobody, machines: nobody, grants: nobody }, 's', key);
		expect(after).toEqual({ version: index + 1, content: { title, pumps, states: [] } });
		expect(before?.content).toEqual(index === 0 ? undefined : { title: titles[index - 1], pumps, states: [] });
	}
});
