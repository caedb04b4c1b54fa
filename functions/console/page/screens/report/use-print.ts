import { type ComponentChild, type RefObject, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Draws the sheet into an element just before printing, and removes it afterwards. The browser prints the page as it is after
 * `beforeprint`, so the sheet is drawn synchronously.
 * @param sheet null if there is nothing to print
 */
export function usePrint(sheet: (() => ComponentChild) | null): RefObject<HTMLDivElement | null> {
	const holder = useRef<HTMLDivElement>(null);
	const latest = useRef(sheet);
	latest.current = sheet;
	useLayoutEffect(() => {
		const draw = (): void => {
			if (holder.current !== null && latest.current !== null) render(latest.current(), holder.current);
		};
		// Preact removes what it has drawn when it draws null.
		const clear = (): void => {
			if (holder.current !== null) render(null, holder.current);
		};
		addEventListener('beforeprint', draw);
		addEventListener('afterprint', clear);
		return () => {
			removeEventListener('beforeprint', draw);
			removeEventListener('afterprint', clear);
		};
	}, []);
	return holder;
}
