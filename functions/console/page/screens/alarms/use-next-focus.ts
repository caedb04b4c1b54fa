import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A part of the screen, and where in it the focus goes next. */
export interface NextFocus<Root> {
	readonly root: RefObject<Root | null>;
	/** Selectors. After the next rendering in which one of them is in view, the first that is gets the focus. */
	readonly focusNext: RefObject<readonly string[]>;
}

/** Moves the focus to what a change brings into the page. */
export function useNextFocus<Root extends HTMLElement>(): NextFocus<Root> {
	const root = useRef<Root>(null);
	const focusNext = useRef<readonly string[]>([]);
	useLayoutEffect(() => {
		const found = focusNext.current.flatMap((selector) => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])]);
		const target = found.find((element) => element.offsetParent !== null);
		if (target === undefined) return;
		focusNext.current = [];
		target.focus();
	});
	return { root, focusNext };
}
