import { expect, test } from 'vitest';
import { changeWriter, createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { changeJournalContract } from '#test/contract/change-journal.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

changeJournalContract('SQLite', async (days, now) => {
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database, { events: 400, changes: days });
	return { store, changes: createSqliteChangeJournal(database, now) };
});

test('a page ends after 5,000 entries that its filters leave out, and the next one goes on', async () => {
	const database = openDatabase(':memory:');
	const journal = createSqliteChangeJournal(database);
	const common = { ...testOrigin, rowVersion: 1, action: 'changed', name: 'x', version: 1, replaced: null } as const;
	const added = Array.from({ length: 5001 }, (_, index) => ({
		entry: {
			...common,
			itemId: index + 1,
			fields: [],
			kind: index === 0 ? ('chart' as const) : ('variable' as const),
			at: index,
		},
		before: null,
	}));
	changeWriter(database, 0).add('s', added);
	const request = { start: 0, end: 9e12, kinds: ['chart'], itemId: null, actor: null, limit: 10, after: null } as const;
	const first = await journal.page('s', request);
	expect(first.entries).toEqual([]);
	const second = await journal.page('s', { ...request, after: first.next });
	expect(second).toMatchObject({ entries: [{ itemId: 1 }], next: null });
});
