import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { tileDay, tileHour } from './kept-pasts.ts';
import { useWhileLive } from './past-store.ts';

/** The tiles on the screen: their variable, whether they show its last day, too, and whether they are in view or close to it. */
const tiles = new Map<Element, { readonly id: number; readonly needsDay: boolean; isInView: boolean }>();

/** How far outside of the view a tile counts as close to it. */
const nearView = '100px';

const observer = new IntersectionObserver(
	(entries) => {
		for (const { target, isIntersecting } of entries) {
			const tile = tiles.get(target);
			if (tile !== undefined) tile.isInView = isIntersecting;
		}
	},
	{ rootMargin: nearView },
);

/** Registers a tile, so that `useTilePasts` reads the last hour of its variable, and the last day if needed, while the tile is in view. Returns the reference for its element. */
export function useTileInView<Shown extends Element>(
	id: number,
	{ needsDay }: { readonly needsDay: boolean },
): RefObject<Shown | null> {
	const element = useRef<Shown>(null);
	useEffect(() => {
		const { current } = element;
		if (current === null) return;
		tiles.set(current, { id, needsDay, isInView: false });
		observer.observe(current);
		return () => {
			observer.unobserve(current);
			tiles.delete(current);
		};
	}, [id, needsDay]);
	return element;
}

/** Reads the pasts of the tiles in view, while the component is on the screen and the service answers. */
export function useTilePasts(): void {
	useWhileLive((nowMs) => {
		const shown = [...tiles.values()].filter(({ isInView }) => isInView);
		const idsOf = (some: typeof shown): readonly number[] => [...new Set(some.map(({ id }) => id))];
		void tileHour.refresh(idsOf(shown), nowMs);
		void tileDay.refresh(idsOf(shown.filter(({ needsDay }) => needsDay)), nowMs);
	});
}
