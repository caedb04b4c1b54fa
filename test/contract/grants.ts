import { beforeEach, describe, expect, test } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { grantChange, grantItemId } from '#domain/identity/grant-change.ts';
import { type Grant, grantText, maxGrants } from '#domain/identity/grants.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { StoredGrants } from '#domain/ports/grants.ts';
import { makeGrant, signedInAt } from '#test/support/builders/identity.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

/** Grants, and the journal that their changes are told in. */
export interface GrantBackend {
	readonly grants: StoredGrants;
	readonly changes: Pick<ChangeJournal, 'history'>;
}

/** Tests of every `StoredGrants`. `open` creates an empty one; `races`: how many commands there are at once. */
export function grantsContract(name: string, open: () => Promise<GrantBackend>, races: number): void {
	describe(`StoredGrants: ${name}`, () => {
		let grants: StoredGrants;
		let changes: Pick<ChangeJournal, 'history'>;
		beforeEach(async () => {
			({ grants, changes } = await open());
		});
		const add = (grant: Grant, at = signedInAt) =>
			grants.add(grant, (before) => grantChange(digest, { before, after: grant, lastVersion: 0 }, testOrigin, at));
		const remove = (grant: Grant) =>
			grants.remove(grant, (before) => grantChange(digest, { before, after: null, lastVersion: 0 }, testOrigin, signedInAt));
		const historyOf = (grant: Grant) =>
			changes.history(grant.schema, { kind: 'grant', itemId: grantItemId(digest, grant) }, 0, 999);

		test('is empty at first', async () => {
			expect(await grants.list('entra')).toEqual([]);
		});

		test('returns the grants of one provider as they were added, by schema, database and claims', async () => {
			const stored = [
				makeGrant({ schema: 'a', database: 'z' }),
				makeGrant({ schema: 'b', database: 'y', where: { hd: 'é "x"', groups: 'a=b' } }),
				makeGrant({ schema: 'b', database: 'z', where: { groups: 'a' } }),
				makeGrant({ schema: 'b', database: 'z', where: { groups: 'A' }, role: 'administrator', owner: 8 }),
			];
			for (const grant of stored) expect(await add(grant)).toBe('added');
			await add(makeGrant({ provider: 'google' }));
			const [first, second, lower, upper] = stored;
			expect(await grants.list('entra')).toEqual([first, second, upper, lower]);
			expect(await grants.list('google')).toEqual([makeGrant({ provider: 'google' })]);
			expect((await grants.all()).map(({ provider }) => provider).sort()).toEqual([...stored.map(() => 'entra'), 'google']);
		});

		test('leaves out a grant that cannot be read, and no other', async () => {
			const [good, newer] = [makeGrant({ schema: 'a' }), makeGrant({ schema: 'b', role: 'later' as never })];
			for (const grant of [good, newer]) await add(grant);
			expect(await grants.list('entra')).toEqual([good]);
			expect(await grants.all()).toEqual([good]);
			expect(await grants.find({ provider: newer.provider, key: digest(grantText(newer)) })).toBeNull();
		});

		test('replaces and removes a grant that cannot be read, and tells the journal', async () => {
			const newer = makeGrant({ role: 'later' as never });
			await add(newer);
			const replacing = makeGrant({ role: 'viewer' });
			expect(await add(replacing)).toBe('added');
			expect(await grants.list('entra')).toEqual([replacing]);
			await add(newer);
			expect(await remove(newer)).toBe(true);
			expect(await remove(newer)).toBe(false);
			expect((await historyOf(newer)).map(({ entry }) => entry.action)).toEqual(['created', 'changed', 'changed', 'deleted']);
		});

		test('has one grant for a tenant and claims, in whatever order the claims are written', async () => {
			await add(makeGrant({ where: { a: '1', b: '2' } }));
			const other = makeGrant({ where: { b: '2', a: '1' }, role: 'engineer' });
			expect(await add(other)).toBe('added');
			expect(await add(other)).toBe('unchanged');
			expect(await grants.list('entra')).toEqual([other]);
			expect(await remove(makeGrant({ where: { a: '1', b: '2' } }))).toBe(true);
			expect(await remove(other)).toBe(false);
			expect(await grants.list('entra')).toEqual([]);
		});

		test('tells the journal of each change in its commit', async () => {
			const grant = makeGrant();
			await add(grant);
			await add({ ...grant, role: 'engineer' });
			await add({ ...grant, role: 'engineer' });
			await remove(grant);
			const told = await historyOf(grant);
			expect(told.map(({ entry }) => [entry.action, entry.version, entry.replaced, entry.fields, entry.name])).toEqual([
				['created', 1, null, [], 'entra: groups=plant-a-ops'],
				['changed', 2, 1, ['role'], 'entra: groups=plant-a-ops'],
				['deleted', 3, 2, [], 'entra: groups=plant-a-ops'],
			]);
			expect(told[2]?.before?.content).toEqual({
				provider: 'entra',
				where: { groups: 'plant-a-ops' },
				database: 'd',
				role: 'engineer',
			});
		});

		test('holds so many grants of one provider, and the same one again', async () => {
			const numbered = (index: number) => makeGrant({ where: { groups: String(index) } });
			for (let index = 0; index < maxGrants; index += 1) expect(await add(numbered(index))).toBe('added');
			expect(await add(numbered(maxGrants))).toBe('full');
			expect(await historyOf(numbered(maxGrants))).toEqual([]);
			expect(await add({ ...numbered(7), role: 'viewer' })).toBe('added');
			expect(await add(makeGrant({ provider: 'google' }))).toBe('added');
			expect(await grants.list('entra')).toHaveLength(maxGrants);
			// Of several at once that would take the last place, one does.
			for (let race = 0; race < 5; race += 1) {
				expect(await remove(numbered(race))).toBe(true);
				const late = [1, 2, 3].map((each) => makeGrant({ where: { groups: `late ${race} ${each}` } }));
				const outcomes = await Promise.all(late.map((grant) => add(grant)));
				expect(outcomes.sort()).toEqual(['added', 'full', 'full']);
				expect(await grants.list('entra')).toHaveLength(maxGrants);
			}
		}, 120_000);

		test('loses none of many that are added at once', async () => {
			const many = Array.from({ length: races }, (_, index) => makeGrant({ where: { groups: String(index) } }));
			expect(await Promise.all(many.map((grant) => add(grant)))).toEqual(many.map(() => 'added'));
			expect(await grants.list('entra')).toHaveLength(races);
		});

		test('of two that add one grant with two roles at once, each is told, and the last one holds', async () => {
			for (let race = 0; race < races; race += 1) {
				const grant = makeGrant({ schema: `s${race}` });
				await Promise.all([add({ ...grant, role: 'viewer' }), add({ ...grant, role: 'engineer' }, signedInAt + 1)]);
				const told = await historyOf(grant);
				expect(told.map(({ entry }) => entry.version)).toEqual([1, 2]);
				const [stored] = (await grants.list('entra')).filter(({ schema }) => schema === grant.schema);
				expect([stored?.role, told[1]?.before?.content['role']].sort()).toEqual(['engineer', 'viewer']);
			}
		});
	});
}
