import type { Ref } from 'preact';
import { formatUtc } from '#page/format/time.ts';
import { percent, shareOf } from './plot-places.ts';
import { formatWindow } from './trend-format.ts';
import { middleOf } from './trend-model.ts';

/** A span that is being chosen, as shares of the width. */
export interface Selection {
	readonly from: number;
	readonly to: number;
}

interface CrosshairProps {
	/** Gets the element over the curves, whose width is the range. */
	readonly box: Ref<HTMLDivElement>;
	readonly bounds: readonly number[];
	/** The window of the crosshair. */
	readonly index: number | null;
	readonly selection: Selection | null;
}

/** The line through all panes with the time of its window, and the span that is being chosen. */
export function Crosshair({ box, bounds, index, selection }: CrosshairProps) {
	const left = index === null ? 0 : shareOf(middleOf(bounds, index), bounds);
	return (
		<div ref={box} class="plot-over" aria-hidden="true">
			{index !== null && (
				<>
					<i class="crosshair" style={{ left: percent(left) }} />
					<span
						class="crosshair-time"
						title={formatUtc(bounds[index] ?? 0)}
						style={{ left: percent(Math.min(0.93, Math.max(0.07, left))) }}
					>
						{formatWindow(bounds, index)}
					</span>
				</>
			)}
			{selection !== null && (
				<i
					class="plot-selection"
					style={{
						left: percent(Math.min(selection.from, selection.to)),
						width: percent(Math.abs(selection.to - selection.from)),
					}}
				/>
			)}
		</div>
	);
}
