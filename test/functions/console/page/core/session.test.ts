import { afterAll, describe, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
	getItem: (key: string) => stored.get(key) ?? null,
	setItem: (key: string, text: string) => stored.set(key, text),
	removeItem: (key: string) => stored.delete(key),
});
// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { hasSeveralPlants, leaveSession, openIdSessionOf, personName, renewSession, restoreSession, session } = await import(
	'#page/core/session.ts'
);

const key = 'caudal.session';
const kept = { token: 't', email: 'ana@example.com', schema: 'plant', database: 'samples', role: 'operator' };

afterAll(() => {
	leaveSession();
	// Other files share the process.
	vi.unstubAllGlobals();
});

test('the session that this tab has stored goes on, unless a portal names another person', () => {
	stored.set(key, JSON.stringify(kept));
	restoreSession({ email: 'eva@example.com' });
	expect([session.value, stored.has(key)]).toEqual([null, false]);
	stored.set(key, JSON.stringify(kept));
	restoreSession({ email: 'ana@example.com' });
	expect(session.value).toEqual(kept);
});

test.each(['', '{"token":', 'null', '[]', '{"token":"t"}'])(
	'the stored text %j is no session: the page asks to sign in',
	(text) => {
		leaveSession();
		stored.set(key, text);
		restoreSession({});
		expect(session.value).toBeNull();
	},
);

describe('the session of a person of an OpenID provider', () => {
	const plant = (name: string, role: 'viewer' | 'engineer') => ({ schemaName: name, tsdb_name: `${name}_db`, role });
	const answer = {
		token: 't2',
		user: { id: 'person:1', name: 'Ada (entra)', provider: 'entra', role: 'viewer' as const },
		tenant: { schemaName: 'a', tsdb_name: 'a_db' },
		tenants: [plant('a', 'viewer'), plant('b', 'engineer')],
	};
	const found = {
		...{ token: 't2', email: 'person:1', name: 'Ada (entra)', schema: 'a', database: 'a_db', role: 'viewer' },
		tenants: answer.tenants,
	};

	test('has the id for the e-mail, the name, and every plant; it survives a reload, and each renewal replaces the plants', () => {
		expect(openIdSessionOf(answer)).toEqual(found);
		stored.set(key, JSON.stringify(found));
		restoreSession({});
		expect([session.value, personName.value, hasSeveralPlants.value]).toEqual([found, 'Ada (entra)', true]);
		renewSession({ ...answer, token: 't3', user: { ...answer.user, role: 'engineer' }, tenants: [plant('a', 'engineer')] });
		expect(session.value).toMatchObject({ token: 't3', role: 'engineer', tenants: [plant('a', 'engineer')] });
		expect(hasSeveralPlants.value).toBe(false);
	});

	test('with anything but a list of plants is none', () => {
		leaveSession();
		stored.set(key, JSON.stringify({ ...found, tenants: 'a' }));
		restoreSession({});
		expect(session.value).toBeNull();
	});
});
