import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { dayMs } from '#domain/milliseconds.ts';
import { currentTime } from '#page/core/clock.ts';
import { isDue, useWhileLive } from '#page/core/past/past-store.ts';
import { createTrial } from '#page/core/trial.ts';
import { formatNumber } from '#page/format/number.ts';
import { formatAge, formatClock, formatUtc } from '#page/format/time.ts';
import type { VariableEditor } from './editor-state.ts';
import { resultText } from './editor-texts.ts';
import { curveOf, dayBodyOf, dayPeriodMsOf, ownPeriodMsOf, type TypedCurve } from './typed-curve.ts';
import { sendTrial } from './variable-requests.ts';
import type { VariableTrialState } from './variable-trial.ts';

/** The interval at which the last 24 h are read again, in milliseconds. It is long, because they need more reading than the newest value. */
const repeatMs = 300_000;

/** The curve of the draft's last 24 h. Its values come from a dry run of the draft with the type `history`. */
export function TypedHistory({ editor }: { readonly editor: VariableEditor }) {
	const text = resultText();
	const trial = useMemo(() => createTrial(sendTrial, currentTime), []);
	useSignalEffect(() => {
		trial.change(editor.isRight.value ? dayBodyOf(editor.content.value) : null);
	});
	useWhileLive((nowMs) => {
		const { phase, triedAt } = trial.state.peek();
		if (triedAt !== null && isDue({ askedAt: triedAt, hasFailed: phase === 'failed' }, repeatMs, nowMs)) trial.repeat();
	});
	useEffect(() => trial.stop, []);

	const { phase, answer, triedAt } = trial.state.value;
	const { unit } = editor.content.value;
	// From a day on there is no curve, and `whyNoCurve` says how long the windows are.
	const periodMs = dayPeriodMsOf(editor.content.value);
	const reading = answer?.reading;
	const curve =
		reading !== undefined && 'series' in reading && triedAt !== null
			? curveOf(reading.series, triedAt, periodMs, ownPeriodMsOf(editor.content.value))
			: null;
	return (
		<section class="plot typed-history" aria-label={text.typed24} aria-busy={phase === 'trying'}>
			<div class="panel-head">
				<h2>{text.typed24}</h2>
				<span class="muted">
					{unit} {periodMs < dayMs ? text.windows(formatAge(periodMs)) : ''}
				</span>
			</div>
			{curve === null || triedAt === null ? (
				<div class="typed-plot hatched">
					<div class="plot-message">
						<p>{whyNoCurve(editor, phase)}</p>
					</div>
				</div>
			) : (
				<Curve curve={curve} to={triedAt} isOld={phase === 'trying'} />
			)}
		</section>
	);
}

/** Returns why there is no curve. */
function whyNoCurve({ isRight, content }: VariableEditor, phase: VariableTrialState['phase']): string {
	const text = resultText();
	const periodMs = dayPeriodMsOf(content.value);
	if (!isRight.value) return content.value.kind === 'formula' ? text.noCurve : text.noCurveSimple;
	if (phase === 'failed') return text.curveFailed;
	if (periodMs >= dayMs) return text.longWindows(formatAge(periodMs));
	return phase === 'trying' ? text.trying : text.noPoints;
}

/** The times below the curve: its start, its end, and the quarters of the day between them. */
const dayQuarters = [0, 1, 2, 3, 4] as const;

interface CurveProps {
	readonly curve: TypedCurve;
	/** The time at which the curve ends, epoch milliseconds. */
	readonly to: number;
	/** Whether a newer draft is being tried. */
	readonly isOld: boolean;
}

/** The curve of 24 h with the lines of its scale and the times below it. Screen readers get its least and greatest value. */
function Curve({ curve, to, isOld }: CurveProps) {
	const text = resultText();
	const {
		path,
		scale: { ticks, decimals },
		missingFrom,
		least,
		greatest,
	} = curve;
	/** The distance between two lines of the scale, in the units of the drawing, which is 100 high. */
	const lineDistance = 100 / (ticks.length - 1);
	const label = text.curveLabel(formatNumber(least, { decimals }), formatNumber(greatest, { decimals }));
	return (
		<div class={isOld ? 'typed-plot trying' : 'typed-plot'}>
			<p class="sr">{label}</p>
			<div class="typed-lines" aria-hidden="true">
				{ticks.toReversed().map((value) => (
					<span key={value}>{formatNumber(value, { decimals })}</span>
				))}
			</div>
			<div class="typed-curve" aria-hidden="true">
				<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
					{ticks.map((value, index) => (
						<path key={value} class="grid" d={`M0 ${100 - index * lineDistance}H100`} />
					))}
					<path class="curve" d={path} />
				</svg>
				{missingFrom !== null && <i class="missing" style={{ left: `${missingFrom}%` }} />}
			</div>
			<div class="typed-times" aria-hidden="true">
				{dayQuarters.map((quarter) => {
					const at = to - ((4 - quarter) * dayMs) / 4;
					return (
						<time key={quarter} title={formatUtc(at)}>
							{formatClock(at)}
						</time>
					);
				})}
			</div>
		</div>
	);
}
