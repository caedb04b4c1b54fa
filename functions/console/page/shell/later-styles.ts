let loaded: Promise<void> | null = null;

/** Loads the style sheet of the screens that are not of the first load, once: `index.html` names it in a link that browsers leave alone. Rejects where it cannot be loaded. */
export function laterStyles(): Promise<void> {
	loaded ??= new Promise((resolve, reject) => {
		const link = document.querySelector<HTMLLinkElement>('link[rel=later]');
		if (link === null) {
			resolve();
			return;
		}
		link.onload = () => resolve();
		link.onerror = reject;
		link.rel = 'stylesheet';
	});
	return loaded;
}
