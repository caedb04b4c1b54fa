import { expect, test } from 'vitest';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { gapsOf } from '#domain/changes/gaps.ts';
import { readChange } from '#domain/use-cases/read-change.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const item = { kind: 'chart', itemId: 7 } as const;

/** An entry from the version that it replaced and the version that it made. */
const entry = (replaced: number | null, version: number, more: Partial<ChangeEntry> = {}): ChangeEntry => ({
	...testOrigin,
	...item,
	rowVersion: version,
	at: version * 1000,
	action: replaced === null ? 'created' : 'changed',
	name: 'C',
	version,
	replaced,
	fields: [],
	...more,
});
const deletion = (replaced: number) => entry(replaced, replaced + 1, { action: 'deleted' });
const stored = (version: number) => new Map([[itemKeyText(item), version]]);

test.each<[string, readonly ChangeEntry[], ReadonlyMap<string, number>, readonly object[]]>([
	['nothing', [], stored(3), []],
	['an item that is stored as its last entry says', [entry(null, 1), entry(1, 2)], stored(2), []],
	['an item that is deleted', [entry(null, 1), deletion(1)], new Map(), []],
	['an item that came back', [entry(null, 1), deletion(1), entry(null, 3, { action: 'restored' })], stored(3), []],
	['versions that nobody told of', [entry(null, 1), entry(3, 4)], stored(4), [{ kind: 'skipped', from: 1, to: 4 }]],
	[
		'two entries of one row version',
		[entry(null, 1), entry(1, 2), entry(1, 2, { at: 9000 })],
		stored(2),
		[{ kind: 'forked', from: 2, to: 2 }],
	],
	['a row from a backup', [entry(null, 1), entry(1, 2)], stored(1), [{ kind: 'ahead', from: 2, to: 1 }]],
	['an item that is missing', [entry(null, 1)], new Map(), [{ kind: 'ahead', from: 1, to: 0 }]],
	['a deleted item that is stored', [entry(null, 1), deletion(1)], stored(1), [{ kind: 'ahead', from: 2, to: 1 }]],
	['a change of an earlier release at the end', [entry(null, 1)], stored(2), [{ kind: 'behind', from: 1, to: 2 }]],
])('the journal of %s', (_, entries, versions, gaps) => {
	expect(gapsOf(entries, versions)).toEqual(gaps.map((gap) => ({ item, ...gap })));
});

test.each<[string, readonly ChangeEntry[], boolean]>([
	['the next entry replaced it', [entry(1, 2), entry(2, 3)], true],
	['an earlier release changed it next', [entry(1, 2), entry(3, 4)], false],
	['tables were restored, and it was changed again', [entry(1, 2), entry(1, 2, { at: 9000 }), entry(2, 3)], false],
	['the next entry is of the time before a backup was restored', [entry(1, 2, { at: 9000 }), entry(2, 3)], false],
])('what a change made is known: %s', async (_, entries, isKnown) => {
	const history = async () =>
		entries.map((each) => ({ entry: each, before: { version: each.replaced ?? 0, content: { title: `v${each.replaced}` } } }));
	const deps = {
		changes: { history },
		store: { get: async () => [] },
		people: { find: async () => null },
		machines: { find: async () => null },
		grants: { find: async () => null },
	};
	const { after } = await readChange(deps, 's', { ...item, rowVersion: 2 });
	expect(after).toEqual(isKnown ? { version: 2, content: { title: 'v2' } } : undefined);
});
