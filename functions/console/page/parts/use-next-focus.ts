import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to what a change brings into the page. `focusNext` has selectors: after the next rendering in which one of them is in
 * view, the first that is gets the focus.
 */
export function useNextFocus<Root extends HTMLElement>(): {
	readonly root: RefObject<Root | null>;
	readonly focusNext: RefObject<readonly string[]>;
	/** Moves the focus now, for what comes into the page without a rendering of the component: what is loaded when it is first shown. */
	readonly moveFocus: () => void;
} {
	const root = useRef<Root>(null);
	const focusNext = useRef<readonly string[]>([]);
	const moveFocus = (): void => {
		const found = focusNext.current.flatMap((selector) => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])]);
		const target = found.find((element) => element.offsetParent !== null);
		if (target === undefined) return;
		focusNext.current = [];
		target.focus();
	};
	useLayoutEffect(moveFocus);
	return { root, focusNext, moveFocus };
}
