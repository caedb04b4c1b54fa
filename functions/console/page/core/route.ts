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

/** The parts of an address: a screen, an item of it, and its parameters. */
export interface Route {
	readonly screen: ScreenName;
	/** The part after the screen, such as the id of a variable or `new`; null where there is none. */
	readonly item: string | null;
	readonly params: URLSearchParams;
}

/** The route of the address. */
export const route = signal<Route>(parseRoute(location.hash));

/** Whether the address asks for the wall view, which has no controls (`#overview?wall=1`). */
export const isWall = computed(() => route.value.params.get('wall') === '1');

/** The editor on the screen, or null. Its functions are called at the moment of leaving, so that they see the newest state. */
export const leaveGuard: { editor: { readonly isChanged: () => boolean; readonly ask: () => boolean } | null } = { editor: null };

/** The address of the screen that is shown. */
let entered = location.hash;

addEventListener('hashchange', () => {
	// An address with a portal's credentials names no screen.
	if (location.hash === entered || !namesScreen(location.hash)) return;
	if (mayEnter(location.hash)) enter();
	else history.pushState(null, '', entered);
});

addEventListener('beforeunload', (event) => {
	if (leaveGuard.editor?.isChanged() === true) event.preventDefault();
});

/** Returns whether the screen may be left. It asks the person if edits would be lost. */
export function mayLeave(): boolean {
	const { editor } = leaveGuard;
	return editor === null || !editor.isChanged() || editor.ask();
}

/** Returns the address of a screen: `#/trend?ids=4%2C16`. In the wall view, the address leads to the wall view, too. */
export function hrefOf(screen: ScreenName, item?: string | number | null, params?: Readonly<Record<string, string>>): string {
	const query = new URLSearchParams(isWall.value ? { ...params, wall: '1' } : params).toString();
	return `#/${screen}${item === undefined || item === null ? '' : `/${encodeURIComponent(item)}`}${query === '' ? '' : `?${query}`}`;
}

/** Goes to an address that `hrefOf` has returned. With `replace`, the button Back does not lead to the present address. */
export function goTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
	if (!mayEnter(href)) return;
	if (replace) history.replaceState(null, '', href);
	else history.pushState(null, '', href);
	enter();
}

/** Restores the address of the screen after an address that names no screen. */
export function restoreAddress(): void {
	history.replaceState(null, '', entered === '' ? `${location.pathname}${location.search}` : entered);
}

/** Parses the hash of an address. An unknown screen leads to the overview. */
export function parseRoute(hash: string): Route {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
	const [name = '', item] = path.split('/', 2);
	const screen = screenNames.find((each) => each === name) ?? 'overview';
	return { screen, item: item === undefined || item === '' ? null : decoded(item), params: new URLSearchParams(query) };
}

/** Switches between the wall view and the screen with its controls. */
export function toggleWall(): void {
	const params = new URLSearchParams(route.value.params);
	if (isWall.value) params.delete('wall');
	else params.set('wall', '1');
	const { screen, item } = route.value;
	const { length } = params.toString();
	goTo(`#/${screen}${item === null ? '' : `/${encodeURIComponent(item)}`}${length === 0 ? '' : `?${params}`}`);
}

/** Whether a hash names a screen. A typed address may lack the slash. */
function namesScreen(hash: string): boolean {
	return hash === '' || hash.startsWith('#/') || screenNames.some((name) => new RegExp(`^#${name}\\b(?!=)`).test(hash));
}

/** Whether the address may change. Nobody is asked if only the parameters change, because the item stays open. */
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
