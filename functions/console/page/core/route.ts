import { computed, signal } from '@preact/signals';

/** The screens, in the order of the navigation. */
export const screenNames = [
	'overview',
	'station',
	'trend',
	'alarms',
	'variables',
	'diagram',
	'report',
	'changes',
	'access',
] as const;

export type ScreenName = (typeof screenNames)[number];

/** What the address names: a screen, an item of it, and its parameters. */
export interface Route {
	readonly screen: ScreenName;
	/** The part after the screen, such as the id of a variable or `new`; null where there is none. */
	readonly item: string | null;
	readonly params: URLSearchParams;
}

/** The route of the address. */
export const route = signal<Route>(parseRoute(location.hash));

/** Whether the address asks for a wall: a screen without controls (`#overview?wall=1`). */
export const isWall = computed(() => route.value.params.get('wall') === '1');

/** An editor that is on the screen, or null. Its functions are called when somebody is about to leave, so they never lag behind. */
export const leaveGuard: { editor: { readonly isChanged: () => boolean; readonly ask: () => boolean } | null } = { editor: null };

/** The address that the screen belongs to. */
let entered = location.hash;

addEventListener('hashchange', () => {
	// What a portal puts into the address names no screen.
	if (location.hash === entered || !namesScreen(location.hash)) return;
	if (mayEnter(location.hash)) enter();
	else history.pushState(null, '', entered);
});

addEventListener('beforeunload', (event) => {
	if (leaveGuard.editor?.isChanged() === true) event.preventDefault();
});

/** Returns whether the screen may be left. It asks where something would be lost. */
export function mayLeave(): boolean {
	const { editor } = leaveGuard;
	return editor === null || !editor.isChanged() || editor.ask();
}

/** Returns the address of a screen: `#/trend?ids=4%2C16`. A wall leads to walls. */
export function hrefOf(screen: ScreenName, item?: string | number | null, params?: Readonly<Record<string, string>>): string {
	const query = new URLSearchParams(isWall.value ? { ...params, wall: '1' } : params).toString();
	return `#/${screen}${item === undefined || item === null ? '' : `/${encodeURIComponent(item)}`}${query === '' ? '' : `?${query}`}`;
}

/** Goes to an address of `hrefOf`. With `replace`, the way back does not lead to the present one. */
export function goTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
	if (!mayEnter(href)) return;
	if (replace) history.replaceState(null, '', href);
	else history.pushState(null, '', href);
	enter();
}

/** Puts the address of the screen back, in place of one that belongs to none. */
export function restoreAddress(): void {
	history.replaceState(null, '', entered === '' ? `${location.pathname}${location.search}` : entered);
}

/** Parses the hash of an address. An unknown screen is the overview. */
export function parseRoute(hash: string): Route {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
	const [name = '', item] = path.split('/', 2);
	const screen = screenNames.find((each) => each === name) ?? 'overview';
	return { screen, item: item === undefined || item === '' ? null : decoded(item), params: new URLSearchParams(query) };
}

/** Shows the screen as a wall, or with its controls again. */
export function toggleWall(): void {
	const params = new URLSearchParams(route.value.params);
	if (isWall.value) params.delete('wall');
	else params.set('wall', '1');
	const { screen, item } = route.value;
	const { length } = params.toString();
	goTo(`#/${screen}${item === null ? '' : `/${encodeURIComponent(item)}`}${length === 0 ? '' : `?${params}`}`);
}

/** Typed addresses need no slash. */
function namesScreen(hash: string): boolean {
	return hash === '' || hash.startsWith('#/') || screenNames.some((name) => new RegExp(`^#${name}\\b(?!=)`).test(hash));
}

/** Another address of the same item, such as one with other parameters, leaves nothing behind. */
function mayEnter(hash: string): boolean {
	const { screen, item } = parseRoute(hash);
	const isSame = screen === route.value.screen && item === route.value.item;
	return isSame || mayLeave();
}

function enter(): void {
	entered = location.hash;
	route.value = parseRoute(entered);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
