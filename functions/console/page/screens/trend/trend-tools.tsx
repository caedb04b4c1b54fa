import type { ComponentChildren } from 'preact';
import { hourMs } from '#domain/milliseconds.ts';
import { currentTime, now } from '#page/core/clock.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { Button } from '#page/parts/button.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { trendText } from './texts.ts';
import { panned, spanOf, type TimeRange, zoomed, zoomInFactor, zoomOutFactor } from './time-range.ts';
import { formatPeriod, formatSpan } from './trend-format.ts';
import type { TrendModel } from './trend-model.ts';
import { ViewSteps } from './view-steps.tsx';

interface TrendToolsProps {
	readonly range: TimeRange;
	/** The length of the shown windows; null while no data is shown. */
	readonly period: TrendModel['period'] | null;
	/** The time of the crosshair; null without one. Zooming keeps it in the middle. */
	readonly marker: number | null;
	readonly onRange: (range: TimeRange) => void;
	/** Like `onRange`, but the button Back does not return to the present range. */
	readonly onPan: (range: TimeRange) => void;
	/** Opens the dialog that asks for start and end. */
	readonly onChoose: () => void;
	/** Further choices, drawn beside the buttons of the range. */
	readonly children: ComponentChildren;
}

/** The ranges that have a button. Each value is the length in hours. */
const lengths = [
	{ value: '1', label: '1 h' },
	{ value: '6', label: '6 h' },
	{ value: '24', label: '24 h' },
	{ value: '168', label: '7 d' },
	{ value: '720', label: '30 d' },
] as const;

/** How far one press moves a range, as a share of its length. */
const panShare = 0.5;

/** The place that the time of the crosshair gets by zooming, as a share of the length. */
const middle = 0.5;

/** The buttons and keys that change the range, and the range in words. */
export function TrendTools({ range, period, marker, onRange, onPan, onChoose, children }: TrendToolsProps) {
	const text = trendText();
	const { start, end } = spanOf(range, now.value);
	const chosen = range.follows ? lengths.find(({ value }) => Number(value) * hourMs === range.lengthMs) : undefined;
	const pan = (share: number) => () => onPan(panned(range, share, currentTime()));
	const zoom = (factor: number) => () =>
		onRange(zoomed(range, factor, marker === null ? null : { time: marker, share: middle }, currentTime()));
	const follow = (): void => onRange({ follows: true, lengthMs: end - start });
	useShortcuts([
		{ key: '+', label: text.zoomIn, run: zoom(zoomInFactor) },
		{ key: '-', label: text.zoomOut, run: zoom(zoomOutFactor) },
		{ key: '[', label: text.earlier, run: pan(-panShare) },
		{ key: ']', label: text.later, run: pan(panShare) },
		{ key: 'n', label: text.follow, run: follow },
	]);
	return (
		<div class="trend-tools">
			<Segmented
				label={text.range}
				value={chosen?.value ?? null}
				choices={lengths}
				onChoose={(value) => onRange({ follows: true, lengthMs: Number(value) * hourMs })}
			/>
			<Button onClick={onChoose}>{text.choose}</Button>
			<span class="btn-group">
				<Button icon="i-left" aria-label={text.earlier} onClick={pan(-panShare)} />
				<Button icon="i-right" aria-label={text.later} disabled={range.follows} onClick={pan(panShare)} />
			</span>
			<span class="btn-group">
				<Button icon="i-minus" aria-label={text.zoomOut} onClick={zoom(zoomOutFactor)} />
				<Button icon="i-plus" aria-label={text.zoomIn} onClick={zoom(zoomInFactor)} />
			</span>
			<ViewSteps />
			{children}
			<span class="strong">{formatSpan({ start, end })}</span>
			{period !== null && <span class="muted">{text.point(formatPeriod(period))}</span>}
			<Button
				small
				icon={range.follows ? 'state-on' : 'state-off'}
				aria-pressed={range.follows}
				onClick={() => (range.follows ? onRange({ follows: false, start, end }) : follow())}
			>
				{range.follows ? text.follows : text.follow}
			</Button>
		</div>
	);
}
