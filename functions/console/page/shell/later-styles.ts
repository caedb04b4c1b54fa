import { loadPart } from '#page/core/load.ts';

/** The loading of the later style sheets; null before it was asked for, and after it has failed. */
let loading: Promise<unknown> | null = null;

/**
 * Loads, once, the style sheet of the screens that are not part of the first load. `index.html` names it in a link that browsers do not
 * load by themselves. Rejects when it cannot be loaded; the next call then tries again.
 */
export function laterStyles(): Promise<unknown> {
	loading ??= Promise.all(Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=later]'), loadStyle)).catch((error) => {
		loading = null;
		throw error;
	});
	return loading;
}

/** Loads the style sheet of the first load again if it was lost, together with the later ones. */
export function recoverFirstStyle(): void {
	const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
	// Browsers give a lost style sheet an object, too, so a property that it defines tells.
	if (link === null || getComputedStyle(document.documentElement).getPropertyValue('--ground') !== '') return;
	link.rel = 'later';
	loadPart(laterStyles).catch(() => undefined);
}

function loadStyle(link: HTMLLinkElement): Promise<void> {
	return new Promise((resolve, reject) => {
		link.onload = () => resolve();
		link.onerror = (error) => {
			// A browser loads a style sheet again when its link becomes one again.
			link.rel = 'later';
			reject(error);
		};
		link.rel = 'stylesheet';
	});
}
