import { type ComponentChild, type RefObject, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Draws what is printed into an element at the moment of printing, and takes it out afterwards. The browser prints what is in the page
 * when `beforeprint` has been handled, so it is drawn at once.
 * @param sheet null where there is nothing to print
 */
export function usePrint(sheet: (() => ComponentChild) | null): RefObject<HTMLDivElement | null> {
	const holder = useRef<HTMLDivElement>(null);
	const latest = useRef(sheet);
	latest.current = sheet;
	useLayoutEffect(() => {
		const draw = (): void => {
			if (holder.current !== null && latest.current !== null) render(latest.current(), holder.current);
		};
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
