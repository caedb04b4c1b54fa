import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to an element that is added to the page by the next rendering. `focusNext` takes selectors. After the next rendering in
 * which one of them matches a visible element, the first such element gets the focus.
 */
export function useNextFocus<Root extends HTMLElement>(): {
	readonly root: RefObject<Root | null>;
	readonly focusNext: RefObject<readonly string[]>;
	/**
	 * Moves the focus now. Needed for elements that are added without a rendering of the component, such as content that is loaded when it is
	 * first shown.
	 */
	readonly moveFocus: () => void;
} {
	const root = useRef<Root>(null);
	const focusNext = useRef<readonly string[]>([]);
	const moveFocus = (): void => {
		const found = focusNext.current.flatMap((selector) => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])]);
		// `offsetParent` is null for an element that is not displayed.
		const target = found.find((element) => element.offsetParent !== null);
		if (target === undefined) return;
		focusNext.current = [];
		target.focus();
	};
	useLayoutEffect(moveFocus);
	return { root, focusNext, moveFocus };
}
