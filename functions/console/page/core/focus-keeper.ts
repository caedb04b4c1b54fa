/** The regions of a page. When an element in a region loses the focus, the region's heading gets it. */
const regions = 'tr[tabindex], section, form, header, .head, dialog, main';

/** The controls that may take the focus in a region without a heading. */
const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * Keeps the focus in the page. If the element with the focus is removed or disabled, the heading or the first control of its region gets
 * the focus. Components that move the focus themselves have done so before. Returns a function that stops it.
 */
export function startFocusKeeper(): () => void {
	/** The element that had the focus last, and its ancestors, from the inside out. Empty after a click that took the focus from all controls. */
	let path: readonly Element[] = [];
	const isLost = (): boolean => path[0] !== undefined && !isUsable(path[0]) && !isUsable(document.activeElement);
	const note = (): void => {
		path = isUsable(document.activeElement) ? pathOf(document.activeElement) : [];
	};
	const restore = (): void => {
		if (isLost()) targetIn(path)?.focus({ preventScroll: true });
	};
	const observer = new MutationObserver(() => {
		if (isLost()) requestAnimationFrame(restore);
	});
	observer.observe(document, {
		subtree: true,
		childList: true,
		attributes: true,
		attributeFilter: ['disabled', 'inert', 'open'],
	});
	document.addEventListener('focusin', note);
	document.addEventListener('click', note, { capture: true });
	return () => {
		observer.disconnect();
		document.removeEventListener('focusin', note);
		document.removeEventListener('click', note, { capture: true });
	};
}

function isUsable(element: Element | null): element is Element {
	return element !== null && element !== document.body && element.isConnected && !element.matches(':disabled, [inert] *');
}

/** Returns an element and its ancestors, from the inside out. */
function pathOf(element: Element): readonly Element[] {
	return element.parentElement === null ? [element] : [element, ...pathOf(element.parentElement)];
}

/** Returns the element that gets the focus; null while the page has none. */
function targetIn(path: readonly Element[]): HTMLElement | null {
	const modal = document.querySelector('dialog[open]');
	const place = path.find((element) => isUsable(element) && (modal === null || modal.contains(element)));
	const region = place?.closest(regions) ?? modal ?? document.getElementById('content');
	if (!(region instanceof HTMLElement)) return null;
	const inner = region.querySelector<HTMLElement>('h1, h2, h3') ?? region.querySelector<HTMLElement>(focusable);
	// A region that may take the focus takes it itself, such as a row of a table. Only `content`, the whole screen, is too large for that.
	const target = region.hasAttribute('tabindex') && region.id !== 'content' ? region : (inner ?? region);
	if (!target.hasAttribute('tabindex') && !target.matches(focusable)) target.tabIndex = -1;
	return target;
}
