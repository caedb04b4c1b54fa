/** The loading of the style sheet; null before it was asked for. */
let loading: Promise<void> | null = null;

/**
 * Loads, once, the style sheet of the screens that are not part of the first load. `index.html` names it in a link that browsers do not
 * load by themselves. Rejects when it cannot be loaded.
 */
export function laterStyles(): Promise<void> {
	loading ??= new Promise((resolve, reject) => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=later]');
		// A page without the link has nothing to load later.
		if (link === null) {
			resolve();
			return;
		}
		link.onload = () => resolve();
		link.onerror = reject;
		link.rel = 'stylesheet';
	});
	return loading;
}
