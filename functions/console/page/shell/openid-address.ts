import { loadPart } from '#page/core/load.ts';

/**
 * Continues a sign-in, or signing out, with an OpenID provider where the address asks for it (functions/console/page/openid/README.md#the-flow). The
 * query leaves the address first, so that it is in no history. Resolves when the page may begin.
 */
export async function takeOpenIdAddress(): Promise<void> {
	const { search, href } = location;
	if (!/[?&](state|signIn)=/.test(search)) return;
	history.replaceState(null, '', href.replace(search, ''));
	await loadPart(() => import('#page/openid/openid.tsx'))
		.then(({ takeAddress }) => takeAddress(search))
		// Without its file, and where it fails, nobody is signed in, and the session of this tab goes on.
		.catch(() => undefined);
}
