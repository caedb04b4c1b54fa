import { afterAll, expect, test, vi } from 'vitest';

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
const { leaveSession, restoreSession, session } = await import('#page/core/session.ts');

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
