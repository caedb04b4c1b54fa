import { beforeEach, describe, expect, test } from 'vitest';
import { type Change, type ChangeEntry, itemKinds } from '#domain/changes/change-entry.ts';
import type { ChangeJournal, ChangePageRequest } from '#domain/ports/change-journal.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** A journal, and the store whose commits write it. */
export interface ChangeBackend {
	readonly store: SchemaStore;
	readonly changes: ChangeJournal;
}

/** In the future: DynamoDB deletes expired items by its own clock. */
const base = Date.UTC(2100, 0, 1);

const makeEntry = (fields: Partial<ChangeEntry> = {}): ChangeEntry => ({
	...testOrigin,
	kind: 'variable',
	itemId: 7,
	rowVersion: 1,
	at: base + 1000,
	action: 'changed',
	name: 'Flow',
	version: 1,
	replaced: null,
	fields: [],
	...fields,
});
const makeChange = (fields: Partial<ChangeEntry> = {}, before: Change['before'] = null): Change => ({
	entry: makeEntry(fields),
	before,
});
const wholeTime: ChangePageRequest = {
	start: 0,
	end: 9e12,
	kinds: itemKinds,
	itemId: null,
	actor: null,
	limit: 100,
	after: null,
};

/**
 * Tests of every `ChangeJournal`. `open` creates an empty one, whose clock shows `now` and whose entries stay for `days` days (0: for
 * ever).
 */
export function changeJournalContract(name: string, open: (days: number, now: () => number) => Promise<ChangeBackend>): void {
	describe(`ChangeJournal: ${name}`, () => {
		let clock: number;
		let store: SchemaStore;
		let changes: ChangeJournal;
		beforeEach(async () => {
			clock = base;
			({ store, changes } = await open(30, () => clock));
		});
		const add = (schema: string, ...added: Change[]) => store.commit(schema, [], undefined, { changes: added });
		const page = async (schema: string, more: Partial<ChangePageRequest> = {}) =>
			(await changes.page(schema, { ...wholeTime, ...more })).entries;
		const versions = (entries: readonly ChangeEntry[]) => entries.map(({ rowVersion }) => rowVersion);

		test('is empty at first', async () => {
			expect(await changes.page('s', wholeTime)).toEqual({ entries: [], next: null });
			expect(await changes.history('s', { kind: 'panel', itemId: 0 }, 0, 9)).toEqual([]);
		});

		test('leaves out entries that cannot be read, and no other', async () => {
			const later = { action: 'later' as never };
			await add('s', makeChange(), makeChange({ rowVersion: 2, ...later }), makeChange({ rowVersion: 3, at: base + 2000 }));
			await add('s', makeChange({ kind: 'note' as never, itemId: 8 }));
			expect(versions(await page('s'))).toEqual([3, 1]);
			expect(versions(await changes.all('s')).sort()).toEqual([1, 3]);
			const history = await changes.history('s', { kind: 'variable', itemId: 7 }, 1, 9);
			expect(history.map(({ entry }) => entry.rowVersion)).toEqual([1, 3]);
		});

		test('returns entries as they were added, newest first, and what they replaced with their history alone', async () => {
			const created = makeChange();
			const before = { version: 1, content: { id: 7, name: 'Flow', list: [1, null, 'é'] }, database: 'plant' };
			const cause = { kind: 'variable', itemId: 9, rowVersion: 3 } as const;
			const changed = makeChange({ rowVersion: 2, at: base + 2000, replaced: 1, fields: ['name'], cause }, before);
			expect(await add('s', created, changed)).toBe('committed');
			expect(await page('s')).toEqual([changed.entry, created.entry]);
			expect(await changes.history('s', created.entry, 0, 9)).toEqual([created, changed]);
			expect(await changes.history('s', created.entry, 2, 9)).toEqual([changed]);
			expect(await changes.history('s', created.entry, 0, 1)).toEqual([created]);
		});

		test('orders the entries of an item by row version, whatever its clocks said', async () => {
			const rows = [10, 9, 100, 2].map((rowVersion) => makeChange({ rowVersion, at: base + 5000 - rowVersion }));
			await add('s', ...rows);
			const item = { kind: 'variable', itemId: 7 } as const;
			expect(versions((await changes.history('s', item, 0, 9)).map(({ entry }) => entry))).toEqual([2, 9, 10, 100]);
			expect(versions(await page('s'))).toEqual([2, 9, 10, 100]);
		});

		test('tells items, kinds and schemas apart', async () => {
			const people = ['a', 'a#b', 'a%23b', 'A@x.example'].map((itemId) => makeChange({ kind: 'person', itemId }));
			await add('s', makeChange(), makeChange({ itemId: 70 }), makeChange({ kind: 'chart' }), ...people);
			await add('t', makeChange({ name: 'Other' }));
			for (const { entry } of [makeChange(), makeChange({ kind: 'chart' }), ...people]) {
				expect((await changes.history('s', entry, 0, 9)).map((each) => each.entry)).toEqual([entry]);
				expect(await page('s', { kinds: [entry.kind], itemId: entry.itemId })).toEqual([entry]);
			}
			expect((await page('t')).map((entry) => entry.name)).toEqual(['Other']);
			expect(await page('s', { kinds: [] })).toEqual([]);
			expect(await page('s', { kinds: ['chart', 'person'] })).toHaveLength(5);
		});

		test('selects by time, actor and item', async () => {
			const machine = { kind: 'machine', id: 'm1', name: 'grafana' } as const;
			await add('s', ...[1, 2, 3].map((rowVersion) => makeChange({ rowVersion, at: base + rowVersion * 1000 })));
			await add('s', makeChange({ rowVersion: 4, at: base + 4000, actor: machine }));
			expect(versions(await page('s', { start: base + 2000, end: base + 4000 }))).toEqual([3, 2]);
			expect(versions(await page('s', { start: base + 4001 }))).toEqual([]);
			expect(versions(await page('s', { actor: 'm1' }))).toEqual([4]);
			expect(await page('s', { kinds: ['variable'], itemId: 8 })).toEqual([]);
		});

		test('returns pages that follow each other, with entries of one millisecond', async () => {
			await add(
				's',
				...Array.from({ length: 25 }, (_, index) => makeChange({ rowVersion: index + 1, at: base + 1000 + (index % 3) })),
			);
			const all = await page('s');
			const read: ChangeEntry[] = [];
			let after: string | null = null;
			do {
				const { entries, next }: Awaited<ReturnType<ChangeJournal['page']>> = await changes.page('s', {
					...wholeTime,
					limit: 4,
					after,
				});
				expect(entries.length).toBeLessThanOrEqual(4);
				read.push(...entries);
				after = next;
			} while (after !== null);
			expect(all).toHaveLength(25);
			expect(read).toEqual(all);
		});

		test('takes a second entry of a row version from another time: tables were restored from a backup', async () => {
			await add('s', makeChange(), makeChange({ rowVersion: 2, at: base + 2000 }));
			expect(await add('s', makeChange({ rowVersion: 2, at: base + 9000, name: 'Again' }))).toBe('committed');
			const told = await changes.history('s', { kind: 'variable', itemId: 7 }, 0, 9);
			expect(told.map(({ entry }) => [entry.rowVersion, entry.name])).toEqual([
				[1, 'Flow'],
				[2, 'Flow'],
				[2, 'Again'],
			]);
		});

		test('refuses an entry whose key is stored, and keeps nothing of that commit', async () => {
			await add('s', makeChange());
			const row = makeVariableRow(1);
			const key = { kind: 'variable', id: 1 } as const;
			const told = { changes: [makeChange({ rowVersion: 2 }), makeChange({ name: 'Another' })] };
			expect(await store.commit('s', [{ key, expected: null, put: row }], undefined, told)).toBe('conflict');
			expect(await page('s')).toEqual([makeEntry()]);
			expect(await store.get('s', [key])).toEqual([null]);
		});

		test('returns every entry, each item after another by ascending row version', async () => {
			await add('s', makeChange({ rowVersion: 10 }), makeChange({ rowVersion: 9 }), makeChange({ kind: 'alarm', itemId: 12 }));
			await add('t', makeChange());
			const read = await changes.all('s');
			expect(read.map(({ kind, rowVersion }) => [kind, rowVersion])).toEqual([
				['alarm', 1],
				['variable', 9],
				['variable', 10],
			]);
		});

		test('returns no entry after its days, and every entry for ever with 0 days', async () => {
			const all = async ({ changes: journal }: ChangeBackend) => {
				return [
					(await journal.all('s')).length,
					(await journal.page('s', wholeTime)).entries.length,
					(await journal.history('s', makeEntry(), 0, 9)).length,
				];
			};
			const lasting = await open(0, () => clock);
			for (const backend of [{ store, changes }, lasting])
				await backend.store.commit('s', [], undefined, { changes: [makeChange()] });
			clock = base + 30 * 86_400_000;
			expect([await all({ store, changes }), await all(lasting)]).toEqual([
				[1, 1, 1],
				[1, 1, 1],
			]);
			clock += 2000;
			expect([await all({ store, changes }), await all(lasting)]).toEqual([
				[0, 0, 0],
				[1, 1, 1],
			]);
		});
	});
}
