import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

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
const { leaveSession, session, startSession } = await import('#page/core/session.ts');
const { startSessionTabs } = await import('#page/core/session-tabs.ts');

const tenants = ['a', 'b'].map((name) => ({ schemaName: name, tsdb_name: name, role: 'viewer' as const }));
const plant = (name: string) => ({
	token: 't',
	email: 'person:1',
	schema: name,
	database: name,
	role: 'viewer' as const,
	tenants,
});

let stop: () => void;
let other: BroadcastChannel;
beforeEach(() => {
	stop = startSessionTabs();
	other = new BroadcastChannel('caudal.session');
});
afterEach(() => {
	stop();
	other.close();
});
afterAll(() => {
	leaveSession();
	// Other files share the process.
	vi.unstubAllGlobals();
});

/** Resolves when this tab has answered, as one does that is signed in and is asked for its session. */
const answered = () =>
	new Promise<void>((resolve) => {
		other.onmessage = () => resolve();
		other.postMessage({ event: 'asked', session: null });
	});

test.each([
	['the same person in another plant', plant('b'), plant('a'), true],
	['the same person in the same plant', plant('a'), plant('a'), true],
	['somebody else', { ...plant('a'), email: 'person:2' }, plant('a'), false],
	[
		'a person with credentials in another plant',
		{ ...plant('b'), tenants: undefined },
		{ ...plant('a'), tenants: undefined },
		false,
	],
])('the sign-out of %s in another tab', async (_, said, own, ends) => {
	const { tenants: list, ...rest } = own;
	startSession(list === undefined ? rest : { ...rest, tenants: list }, true);
	// Its own sign-in reaches the other tab.
	await answered();
	other.postMessage({ event: 'signedOut', session: said });
	if (ends) await expect.poll(() => session.value).toBeNull();
	else await answered();
	expect([session.value === null, stored.has('caudal.session')]).toEqual([ends, !ends]);
});
