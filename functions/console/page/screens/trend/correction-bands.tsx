import type { StoredCorrection } from '#page/core/definitions.ts';
import { percent, shareOf } from './plot-places.ts';
import { trendText } from './texts.ts';
import type { Curve } from './trend-model.ts';

interface CorrectionBandsProps {
	readonly corrections: readonly StoredCorrection[];
	/** The curves or strips at this place. */
	readonly lines: readonly Pick<Curve, 'varId' | 'name'>[];
	readonly bounds: readonly number[];
}

/** Draws the spans of corrections as bands behind the curves. In these spans, totals are not counted from the values that the curve shows. */
export function CorrectionBands({ corrections, lines, bounds }: CorrectionBandsProps) {
	return corrections.map(({ id, varId, from, to, at, reason }) => {
		const line = lines.find((candidate) => candidate.varId === varId);
		// A correction is of a span, or of one moment, `at`, such as the exchange of a meter. Stored times are numbers,
		// but their type also allows texts, because a save takes both.
		const left = Math.max(0, shareOf(Number(from ?? at), bounds));
		const right = Math.min(1, shareOf(Number(to ?? at), bounds));
		if (line === undefined || left > 1 || right < 0) return null;
		const title = trendText().corrected(line.name, reason);
		return (
			<i
				key={id}
				class="correction-band"
				title={title}
				style={{ left: percent(left), width: percent(Math.max(0, right - left)) }}
			/>
		);
	});
}
