import { beforeEach, describe, expect, test } from 'vitest';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { grantItemId } from '#domain/identity/grant-change.ts';
import type { Grant } from '#domain/identity/grants.ts';
import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import { readChange } from '#domain/use-cases/read-change.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { memoryState, readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openStores, type Stores } from '#infra/local/wiring/stores.ts';
import { endSessions } from '#infra/tools/end-sessions.ts';
import { addGrant, deleteGrant, isOpenTo } from '#infra/tools/grant/changes.ts';
import { setOwner } from '#infra/tools/schema/owner.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { makeGrant, makeSession, signedInAt } from '#test/support/builders/identity.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

let stores: Stores;
beforeEach(async () => {
	stores = await openStores(readLocalSettings(), await openState(memoryState));
});

const add = (grant: Grant = makeGrant()) => addGrant(stores, grant, { at: signedInAt, environment: ' --env dev' });

describe('adding a grant', () => {
	test('makes the client the owner of the tenant, stores the grant and tells the journal', async () => {
		expect([await add(), await add()]).toEqual(['added', 'unchanged']);
		expect(await stores.grants.list('entra')).toEqual([makeGrant()]);
		const names = [{ kind: 'schema', name: 's' } as const, { kind: 'database', name: 'd' } as const];
		expect(await Promise.all(names.map((name) => stores.owners.find(name)))).toEqual([7, 7]);
		const { entries } = await stores.changes.page('s', {
			start: signedInAt,
			end: signedInAt + 1,
			kinds: ['grant'],
			itemId: null,
			actor: null,
			limit: 9,
			after: null,
		});
		expect(entries).toMatchObject([
			{ action: 'created', name: 'entra: groups=plant-a-ops', via: 'tool', actor: { kind: 'tool', name: 'grant add' } },
		]);
	});

	test('refuses the tenant of another client, and stores nothing', async () => {
		await stores.owners.set({ kind: 'database', name: 'd', clientId: 8 });
		await expect(add()).rejects.toThrow(/another client than 7: npm run schema -- owner --schema s --database d --env dev/);
		expect(await stores.grants.list('entra')).toEqual([]);
		expect(await stores.owners.find({ kind: 'schema', name: 's' })).toBeNull();
	});

	test('refuses a schema with data that belongs to nobody, and says how to give it away', async () => {
		const { store } = stores;
		const deps = { store, pause: async () => undefined, now: Date.now, origin: testOrigin };
		await saveVariable(deps, 's', parseVariable(makeBody()));
		await expect(add()).rejects.toThrow('npm run schema -- owner --schema s --database d --set 7 --env dev.');
		await stores.owners.set({ kind: 'schema', name: 's', clientId: 7 });
		expect(await add()).toBe('added');
	});

	test('says what to do when the provider has no room', async () => {
		for (let index = 0; index < 500; index += 1) await add(makeGrant({ where: { groups: String(index) } }));
		await expect(add()).rejects.toThrow('entra has 500 grants, which is the most: grant a group in place of single people.');
	});

	test('goes on with the versions of the journal after a removal', async () => {
		await add();
		expect(await deleteGrant(stores, makeGrant(), signedInAt + 1)).toBe(true);
		expect(await deleteGrant(stores, makeGrant(), signedInAt + 2)).toBe(false);
		await add();
		const told = await stores.changes.history('s', { kind: 'grant', itemId: grantItemId(digest, makeGrant()) }, 0, 9);
		expect(told.map(({ entry }) => [entry.action, entry.version])).toEqual([
			['created', 1],
			['deleted', 2],
			['created', 3],
		]);
	});
});

test('the journal of its schema tells a grant before and after each change', async () => {
	await add();
	await add(makeGrant({ role: 'engineer' }));
	const itemId = grantItemId(digest, makeGrant());
	const read = (rowVersion: number, schema = 's') => readChange(stores, schema, { kind: 'grant', itemId, rowVersion });
	const told = (version: number, role: string) => ({
		version,
		content: { provider: 'entra', where: { groups: 'plant-a-ops' }, database: 'd', role },
	});
	expect(await read(1)).toMatchObject({ before: null, after: told(1, 'operator') });
	expect(await read(2)).toMatchObject({ before: told(1, 'operator'), after: told(2, 'engineer') });
	await deleteGrant(stores, makeGrant({ role: 'engineer' }), signedInAt + 1);
	expect(await read(2)).toMatchObject({ after: told(2, 'engineer') });
	expect(await read(3)).toMatchObject({ before: told(2, 'engineer'), after: null });
	await expect(read(1, 'other')).rejects.toMatchObject({ code: 'no_such_change' });
});

describe('ending the sessions of a tenant', () => {
	const signIn = async (sid: string, overrides: Partial<OpenIdSession> = {}) => {
		const session = makeSession({ id: sessionIds.idOf(sid), ...overrides });
		await stores.openIdSessions.create(session);
		await stores.openIdSessionTokens.put(sid, { refreshToken: 'refresh', idToken: null }, session.endsAt);
		return session;
	};
	const tenant = (schema: string, database: string) => ({ schema, database, owner: 7, role: 'viewer' }) as const;

	test('ends those of the provider that it is open to, and those that sign in meanwhile', async () => {
		await signIn('first', { tenants: [tenant('other', 'o'), tenant('s', 'd')] });
		await signIn('of another provider', { provider: 'google' });
		await signIn('of another tenant', { tenants: [tenant('s', 'other'), tenant('other', 'd')] });
		const pauses: number[] = [];
		const ended = await endSessions(stores, isOpenTo(makeGrant()), async (ms) => {
			pauses.push(ms);
			expect(await stores.openIdSessions.find(sessionIds.idOf('first'), signedInAt)).toBeNull();
			await signIn('late');
		});
		expect([ended, pauses]).toEqual([2, [30_000]]);
		const left = (await stores.openIdSessions.list()).map(({ id }) => id);
		expect(left.sort()).toEqual(['of another tenant', 'of another provider'].map(sessionIds.idOf).sort());
		for (const [sid, isThere] of [
			['first', false],
			['late', false],
			['of another tenant', true],
		] as const)
			expect((await stores.openIdSessionTokens.find(sid)) !== null).toBe(isThere);
	});

	test('ends those that are open to what belongs to another client now, of every provider', async () => {
		await add();
		await signIn('by schema', { tenants: [tenant('other', 'o'), tenant('s', 'z')] });
		await signIn('by database', { provider: 'google', tenants: [tenant('z', 'd')] });
		await signIn('of another tenant', { tenants: [tenant('other', 'o')] });
		const names = [{ kind: 'schema', name: 's' } as const, { kind: 'database', name: 'd' } as const];
		const pauses: number[] = [];
		const change = (clientId: number) =>
			setOwner(stores, names, clientId, async (ms) => {
				pauses.push(ms);
				await signIn('late', { tenants: [tenant('s', 'd')] });
				await signIn('of the new client', { tenants: [{ ...tenant('s', 'd'), owner: 8 }] });
			});
		expect(await change(7)).toBe(0);
		expect(await change(8)).toBe(3);
		expect(pauses).toEqual([30_000]);
		const left = (await stores.openIdSessions.list()).map(({ id }) => id);
		expect(left.sort()).toEqual(['of another tenant', 'of the new client'].map(sessionIds.idOf).sort());
		// A command that was interrupted is given again.
		await signIn('left over');
		expect([await change(8), pauses]).toEqual([1, [30_000]]);
		// Without a grant for the client before, nobody signs in meanwhile.
		expect([await change(9), pauses]).toEqual([1, [30_000]]);
	});
});
