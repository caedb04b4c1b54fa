import { access, api, resultOf } from '#page/core/api.ts';
import { session, signOut } from '#page/core/session.ts';
import { keptByTab } from '#page/core/storage.ts';

/** The key of the state with which the provider sends the page back, in the storage of this tab. */
export const signOutKey = 'caudal.signOut';

/** Signs out in all tabs, and at the provider where the person signed in with one that has an address for it. Works without a connection, too. */
export async function signOutEverywhere(): Promise<void> {
	const headers = { authorization: `Bearer ${access.token}` };
	const sent = session.value?.tenants === undefined ? null : resultOf(api.POST('/signOut', { headers }));
	signOut();
	const result = await sent;
	if (result?.ok !== true || result.data.address === null) return;
	keptByTab.write(signOutKey, JSON.stringify(new URL(result.data.address).searchParams.get('state')));
	location.assign(result.data.address);
}
