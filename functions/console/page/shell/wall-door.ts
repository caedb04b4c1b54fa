import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { loadPart } from '#page/core/load.ts';
import { goTo, hrefOf, isWall, route } from '#page/core/route.ts';
import { leaveSession, session } from '#page/core/session.ts';
import { kept } from '#page/core/storage.ts';

/** The key of the wall's credentials in the storage of this browser. */
const storageKey = 'caudal.wall';

/** What a wall shows while its machine is not signed in. Null: this page is no wall that signs in by itself. */
export const wallDoor = signal<ComponentType | null>(null);

/**
 * Lets a wall sign in by itself with the credentials of a machine (functions/console/page/shell/README.md#signing-in-by-itself). They are taken out of the
 * address, and kept by this browser. Returns whether the page is such a wall.
 */
export function startWall(): boolean {
	const given = takeKey();
	// A page that is open already begins anew with the credentials of a new address.
	addEventListener('hashchange', () => takeKey() !== null && location.reload());
	if (given !== null) leaveSession();
	const key = given ?? (isWall.value && session.value === null ? kept.read(storageKey) : null);
	if (key === null) return false;
	wallDoor.value = () => null;
	void openDoor(key);
	return true;
}

/** Lets people sign in again, such as after the wall was signed out. */
function leaveDoor(): void {
	forgetKey();
	wallDoor.value = null;
}

/** Removes the credentials from this browser. */
function forgetKey(): void {
	kept.remove(storageKey);
}

/** Loads what signs the machine in. Nobody stands before a wall, so it never gives up. */
async function openDoor(key: string): Promise<void> {
	try {
		const { startWallSession, WallDoor } = await loadPart(() => import('./wall-session.tsx'));
		wallDoor.value = WallDoor;
		startWallSession(key, forgetKey, leaveDoor);
	} catch {
		setTimeout(() => void openDoor(key), 10_000);
	}
}

/** Removes the credentials from the address, and returns them as a form if the address is that of a wall. */
function takeKey(): string | null {
	const { screen, item, params } = route.value;
	const { client_id = '', client_secret, ...others } = Object.fromEntries(params);
	if (client_secret === undefined) return null;
	goTo(hrefOf(screen, item, others), { replace: true });
	const key = new URLSearchParams({ client_id, client_secret }).toString();
	if (!isWall.value) return null;
	kept.write(storageKey, key);
	return key;
}
