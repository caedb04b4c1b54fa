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

/** The name of a screen, as it stands in addresses. */
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

/** `editor`: the editor on the screen, or null. Its functions are called at the moment of leaving, so that they see the newest state. */
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

/**
 * Returns the address of a screen, or of an item of it: `#/report/46?length=month`. In the wall view, the address leads to the wall view,
 * too.
 */
export function hrefOf(screen: ScreenName, item?: string | number | null, params: Readonly<Record<string, string>> = {}): string {
	return hashOf({
		screen,
		item: item === undefined || item === null ? null : String(item),
		params: new URLSearchParams(isWall.value ? { ...params, wall: '1' } : params),
	});
}

/** Returns the address of a screen without an item, with parameters: `#/changes?kind=alarm`. */
export function hrefWithParams(screen: ScreenName, params: Readonly<Record<string, string>>): string {
	return hrefOf(screen, null, params);
}

/** Returns the address of the trend of one variable: `#/trend?ids=4`. */
export function trendHrefOf(varId: number): string {
	return hrefWithParams('trend', { ids: String(varId) });
}

/** Goes to an address that a function above has returned. With `replace`, the button Back does not lead to the present address. */
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
	goTo(hashOf({ ...route.value, params }));
}

/** Writes the hash that `parseRoute` parses. */
function hashOf({ screen, item, params }: Route): string {
	const path = item === null ? screen : `${screen}/${encodeURIComponent(item)}`;
	const query = params.toString();
	return query === '' ? `#/${path}` : `#/${path}?${query}`;
}

/** Whether a hash names a screen. A typed address may lack the slash: `#trend`. A portal's credentials look like `#email=…`. */
function namesScreen(hash: string): boolean {
	return hash === '' || hash.startsWith('#/') || screenNames.some((name) => new RegExp(`^#${name}\\b(?!=)`).test(hash));
}

/** Whether the address may change. Nobody is asked if only the parameters change, because the item stays open. */
function mayEnter(hash: string): boolean {
	const { screen, item } = parseRoute(hash);
	const isSame = screen === route.value.screen && item === route.value.item;
	return isSame || mayLeave();
}

/** Shows the screen that the address names now. */
function enter(): void {
	entered = location.hash;
	route.value = parseRoute(entered);
}

/** Decodes a part of an address. A text with a broken escape stays as it is. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
