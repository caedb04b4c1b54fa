import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { tileDay, tileHour } from './kept-pasts.ts';
import { useWhileLive } from './past-store.ts';

/** The tiles in view, or nearly, with the ids of their variables, and whether they show the last day. */
const inView = new Map<Element, { readonly id: number; readonly needsDay: boolean }>();

/** What tiles tell of themselves. */
const watched = new WeakMap<Element, { readonly id: number; readonly needsDay: boolean }>();

const observer = new IntersectionObserver(
	(entries) => {
		for (const { target, isIntersecting } of entries) {
			const shows = watched.get(target);
			if (isIntersecting && shows !== undefined) inView.set(target, shows);
			else inView.delete(target);
		}
	},
	{ rootMargin: '100px' },
);

/** Has the past of a variable read while the element is in view. */
export function useInView<Shown extends Element>(id: number, needsDay: boolean): RefObject<Shown | null> {
	const element = useRef<Shown>(null);
	useEffect(() => {
		const { current } = element;
		if (current === null) return;
		watched.set(current, { id, needsDay });
		observer.observe(current);
		return () => {
			observer.unobserve(current);
			inView.delete(current);
		};
	}, [id, needsDay]);
	return element;
}

/** Reads the pasts of the tiles in view, while the component is on the screen and the service answers. */
export function useTilePasts(): void {
	useWhileLive((nowMs) => {
		const shown = [...inView.values()];
		const idsOf = (tiles: typeof shown): readonly number[] => [...new Set(tiles.map(({ id }) => id))];
		void tileHour.refresh(idsOf(shown), nowMs);
		void tileDay.refresh(idsOf(shown.filter(({ needsDay }) => needsDay)), nowMs);
	});
}
