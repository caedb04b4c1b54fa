import { signal } from '@preact/signals';

/** The screens, in the order of the navigation. */
export const screenNames = ['overview', 'station', 'trend', 'alarms', 'variables', 'diagram'] as const;

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

addEventListener('hashchange', () => {
	route.value = parseRoute(location.hash);
});

/** Asks before a screen with unsaved changes is left; `null` when there are none. */
export const leaveGuard: { mayLeave: (() => boolean) | null } = { mayLeave: null };

/** Returns the address of a screen: `#/trend?ids=4%2C16`. */
export function hrefOf(screen: ScreenName, item?: string | number | null, params?: Readonly<Record<string, string>>): string {
	const query = new URLSearchParams(params).toString();
	return `#/${screen}${item === undefined || item === null ? '' : `/${encodeURIComponent(item)}`}${query === '' ? '' : `?${query}`}`;
}

/** Goes to an address of `hrefOf`. With `replace`, the way back does not lead to the present one. */
export function goTo(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
	if (replace) history.replaceState(null, '', href);
	else history.pushState(null, '', href);
	route.value = parseRoute(location.hash);
}

/** Parses the hash of an address. An unknown screen is the overview. */
export function parseRoute(hash: string): Route {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
	const [name = '', item] = path.split('/', 2);
	const screen = screenNames.find((each) => each === name) ?? 'overview';
	return { screen, item: item === undefined || item === '' ? null : decoded(item), params: new URLSearchParams(query) };
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
