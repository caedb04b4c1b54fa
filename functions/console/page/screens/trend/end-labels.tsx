import { shareFromTop } from '#page/core/past/round-scale.ts';
import { spreadLabels } from './plot-places.ts';
import { seriesLook } from './series-look.ts';
import type { Pane } from './trend-model.ts';

interface EndLabelsProps {
	readonly pane: Pane;
	/** The height of the curves, in CSS pixels. */
	readonly height: number;
}

/** The height of a label, in rem. */
const labelHeight = 1;

/** The names of the curves, each as near to the end of its line as the others allow. */
export function EndLabels({ pane: { curves, scale }, height }: EndLabelsProps) {
	const step = labelHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	const labelled = curves.flatMap((curve) => {
		const last = curve.values.findLast((value) => value !== null) ?? null;
		return last === null ? [] : [{ curve, wanted: shareFromTop(scale, last) * height - step / 2 }];
	});
	const places = spreadLabels(
		labelled.map(({ wanted }) => wanted),
		step,
		height,
	);
	return (
		<div class="end-labels" aria-hidden="true">
			{labelled.map(({ curve: { key, name, look } }, index) => (
				<span key={key} title={name} style={{ top: `${places[index]}px`, color: `var(${seriesLook(look).colour})` }}>
					{name}
				</span>
			))}
		</div>
	);
}
