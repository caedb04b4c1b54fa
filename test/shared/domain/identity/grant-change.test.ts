import { expect, test } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { grantChange } from '#domain/identity/grant-change.ts';
import { makeGrant, signedInAt } from '#test/support/builders/identity.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const change = (versions: Parameters<typeof grantChange>[1]) => grantChange(digest, versions, testOrigin, signedInAt);

test('a grant that is added again goes on from the last version that the journal tells of', () => {
	const after = makeGrant();
	expect(change({ before: null, after, lastVersion: 2 }).entry).toMatchObject({
		action: 'created',
		rowVersion: 3,
		replaced: null,
	});
	const before = { grant: after, rowVersion: 3 };
	expect(change({ before, after: null, lastVersion: 1 }).entry).toMatchObject({ action: 'deleted', rowVersion: 4, replaced: 3 });
});

test('tells of a change which fields differ, and never less than the item', () => {
	const before = { grant: makeGrant({ owner: 3 }), rowVersion: 1 };
	const { entry } = change({ before, after: makeGrant({ role: 'viewer' }), lastVersion: 1 });
	expect([entry.fields, entry.itemId]).toEqual([['role'], expect.stringMatching(/^entra:[0-9a-f]{32}$/)]);
	expect(() => change({ before: null, after: null, lastVersion: 0 })).toThrow(RangeError);
});
