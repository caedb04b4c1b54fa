/** The regions of a page. When an element in a region loses the focus, the region's heading gets it. */
const regions = 'tr[tabindex], section, form, header, .head, dialog, [role="dialog"], main';

/** The controls that may take the focus in a region without a heading. */
const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * Keeps the focus in the page. A browser moves the focus to the body when the element that has it is removed or disabled. Then the heading
 * or the first control of the element's region gets the focus, unless a component has moved it already. Returns a function that stops this.
 */
export function startFocusKeeper(): () => void {
	/** The element that had the focus last. Null after a click beside all controls, which takes the focus on purpose. */
	let focused: Element | null = null;
	/** Its ancestors, from the inside out, noted while it still had them. */
	let ancestors: readonly Element[] = [];
	const note = (): void => {
		focused = isUsable(document.activeElement) ? document.activeElement : null;
		ancestors = focused === null ? [] : ancestorsOf(focused);
	};
	const isLost = (): boolean => focused !== null && !isUsable(focused) && !isUsable(document.activeElement);
	const restore = (): void => {
		if (isLost()) successorIn(ancestors)?.focus({ preventScroll: true });
	};
	const observer = new MutationObserver(() => {
		// Components that move the focus themselves do so before the next frame.
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

/** Whether an element is in the page and can have the focus. */
function isUsable(element: Element | null): element is Element {
	return element !== null && element !== document.body && element.isConnected && !element.matches(':disabled, [inert] *');
}

/** Returns the ancestors of an element, from the inside out. */
function ancestorsOf({ parentElement }: Element): readonly Element[] {
	return parentElement === null ? [] : [parentElement, ...ancestorsOf(parentElement)];
}

/** Returns the element that gets the focus in place of one with these ancestors; null while the page has none. */
function successorIn(ancestors: readonly Element[]): HTMLElement | null {
	const modal = document.querySelector('dialog[open]');
	const nearest = ancestors.find((element) => isUsable(element) && (modal === null || modal.contains(element)));
	const region = nearest?.closest(regions) ?? modal ?? document.getElementById('content');
	if (!(region instanceof HTMLElement)) return null;
	// A region that may have the focus takes it itself, such as a row of a table. `content`, the whole screen, is too large for that.
	const takesFocus = region.hasAttribute('tabindex') && region.id !== 'content';
	const heading = region.querySelector<HTMLElement>('h1, h2, h3');
	const target = takesFocus ? region : (heading ?? region.querySelector<HTMLElement>(focusable) ?? region);
	if (!target.hasAttribute('tabindex') && !target.matches(focusable)) target.tabIndex = -1;
	return target;
}
