import { loadPart } from '#page/core/load.ts';

/**
 * Continues a sign-in, or signing out, with an OpenID provider, or takes a link to set a password, where the address asks for it
 * (functions/console/page/openid/README.md#the-flow). That leaves the address first, so that it is in no history. Resolves when the page may begin.
 */
export async function takeOpenIdAddress(): Promise<void> {
	const { search, hash, pathname } = location;
	if (!/[?&](state|signIn)=/.test(search) && !hash.startsWith('#set-')) return;
	history.replaceState(null, '', pathname + hash.replace(/^#set-.*/, ''));
	await loadPart(() => import('#page/openid/openid.tsx'))
		.then(({ takeAddress }) => takeAddress(search, hash))
		// Without its file, and where it fails, nobody is signed in, and the session of this tab goes on.
		.catch(() => undefined);
}
