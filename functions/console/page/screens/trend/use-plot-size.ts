import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { theme } from '#page/core/preferences.ts';

/** The sizes of a plot in CSS pixels. */
export interface PlotSize {
	/** From the left edge to the curves. */
	readonly axisWidth: number;
	/** The width of the curves. */
	readonly plotWidth: number;
	/** The height of the curves of one pane. */
	readonly paneHeight: number;
	/** Changes whenever the colours do: a canvas does not follow them by itself. */
	readonly theme: string;
}

/** The share of the window's height that all panes have together. */
const sharedHeight = 0.6;

/** Measures a plot, and again whenever its size or the theme changes. The widths of axis and labels are custom properties of `.plot-area`. */
export function usePlotSize(area: RefObject<HTMLElement | null>, panes: number): PlotSize {
	const size = useSignal<PlotSize>({ axisWidth: 0, plotWidth: 0, paneHeight: 0, theme: '' });
	const chosen = theme.value;
	useLayoutEffect(() => {
		const element = area.current;
		if (element === null) return;
		const isDark = matchMedia('(prefers-color-scheme: dark)');
		const measure = (): void => {
			const probe = element.querySelector('.plot-over');
			const [outer, inner] = [element.getBoundingClientRect(), probe?.getBoundingClientRect()];
			const isNarrow = matchMedia('(max-width: 900px)').matches;
			const least = Number.parseFloat(getComputedStyle(element).fontSize) * 12;
			const shared = (innerHeight * sharedHeight) / Math.max(1, panes);
			size.value = {
				axisWidth: (inner?.left ?? 0) - outer.left,
				plotWidth: Math.max(0, inner?.width ?? 0),
				paneHeight: Math.round(isNarrow ? Math.max(240, least) : Math.max(least, shared)),
				theme: `${chosen} ${isDark.matches}`,
			};
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		isDark.addEventListener('change', measure);
		addEventListener('resize', measure);
		return () => {
			observer.disconnect();
			isDark.removeEventListener('change', measure);
			removeEventListener('resize', measure);
		};
	}, [panes, chosen]);
	return size.value;
}
