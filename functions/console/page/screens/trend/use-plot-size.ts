import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The sizes of a plot in CSS pixels. */
export interface PlotSize {
	/** The width of the curves. */
	readonly plotWidth: number;
	/** The height of the curves of one pane. */
	readonly paneHeight: number;
}

/** The least height of a pane's curves, in rem. */
const leastHeight = 11;

/** The height of a pane's curves in narrow windows, in pixels. */
const narrowHeight = 240;

/** The room below the plot, in pixels. */
const bottomRoom = 32;

/**
 * Measures a plot, and measures it again when its size, that of the window, or its contents change. All panes together fill the window.
 * @param panes the number of panes
 * @param contents any value that is another one when the contents of the plot have changed
 */
export function usePlotSize(area: RefObject<HTMLElement | null>, panes: number, contents: unknown): PlotSize {
	const size = useSignal<PlotSize>({ plotWidth: 0, paneHeight: narrowHeight });
	useLayoutEffect(() => {
		const element = area.current;
		if (element === null) return undefined;
		const measure = (): void => {
			const next = measured(element, panes);
			const { plotWidth, paneHeight } = size.peek();
			if (next.plotWidth !== plotWidth || next.paneHeight !== paneHeight) size.value = next;
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		addEventListener('resize', measure);
		return () => {
			observer.disconnect();
			removeEventListener('resize', measure);
		};
	}, [panes, contents]);
	return size.value;
}

function measured(element: HTMLElement, panes: number): PlotSize {
	const plotWidth = element.querySelector('.plot-over')?.getBoundingClientRect().width ?? 0;
	if (panes === 0 || matchMedia('(max-width: 900px)').matches) return { plotWidth, paneHeight: narrowHeight };
	const { top, height } = element.getBoundingClientRect();
	const curvesHeight = [...element.querySelectorAll('.pane-curves')].reduce(
		(sum, pane) => sum + pane.getBoundingClientRect().height,
		0,
	);
	const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	/** The height of all that is in the plot beside the curves: heads, strips and the time axis. */
	const otherHeight = height - curvesHeight;
	const room = innerHeight - (top + scrollY) - otherHeight - bottomRoom;
	return { plotWidth, paneHeight: Math.round(Math.max(leastHeight * rem, room / panes)) };
}
