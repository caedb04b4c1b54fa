import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { noteValues } from '#page/format/decimals.ts';
import { now } from './clock.ts';
import { createHistories } from './histories.ts';
import { lineOf, rangeOf, type ValueRange } from './past.ts';
import { connection } from './poll.ts';

const hourMs = 3_600_000;

/** The values of the last hour, oldest first, null where there is none. Read again every minute while a tile is in view. */
export const lastHour = createHistories<readonly (number | null)[]>({
	spanMs: hourMs,
	points: 62,
	aggregates: ['own'],
	renewMs: 60_000,
	pastOf: (history, bounds) => {
		noteValues(history.id, history.unit, history.values.own ?? []);
		return lineOf(history, bounds);
	},
});

/** The range of the last 24 hours; null without values. It changes little, so it is read again every 15 minutes. */
export const lastDay = createHistories<ValueRange | null>({
	spanMs: 24 * hourMs,
	points: 98,
	aggregates: ['own', 'min', 'max'],
	renewMs: 15 * 60_000,
	pastOf: (history) => {
		const range = rangeOf(history);
		if (range !== null) noteValues(history.id, history.unit, [range.from, range.to]);
		return range;
	},
});

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

/** Reads the pasts of what is in view, with the clock, while the component is on the screen and the service answers. */
export function useTrends(): void {
	useSignalEffect(() => {
		const nowMs = now.value;
		if (connection.value !== 'live' || document.hidden) return;
		const shown = [...inView.values()];
		const ids = (isWanted: (one: { readonly needsDay: boolean }) => boolean): readonly number[] => [
			...new Set(shown.filter(isWanted).map(({ id }) => id)),
		];
		void lastHour.refresh(
			ids(() => true),
			nowMs,
		);
		void lastDay.refresh(
			ids(({ needsDay }) => needsDay),
			nowMs,
		);
	});
}
