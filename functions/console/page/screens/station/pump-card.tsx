import { useMemo } from 'preact/hooks';
import { hourMs } from '#domain/milliseconds.ts';
import type { Schemas } from '#page/core/api.ts';
import { now } from '#page/core/clock.ts';
import { pumpDay } from '#page/core/past/kept-pasts.ts';
import { type WindowState, windowStates } from '#page/core/past/window-states.ts';
import { readingOf } from '#page/core/readings.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { StateStrip } from '#page/parts/small-charts.tsx';
import { PumpShape } from '#page/parts/state-shape.tsx';
import { ItemReason, ItemWord } from './item-status.tsx';
import { itemViewOf } from './item-view.ts';
import { type Since, sinceOf, summaryOf } from './pump-summary.ts';
import { stationText } from './texts.ts';

/** A pump: its shape, the word of its state, how long it has been in that state, and its last day. */
export function PumpCard({ pump }: { readonly pump: Schemas['Pump'] }) {
	const text = stationText();
	const bit = pump.bit ?? null;
	const view = itemViewOf(readingOf(pump.varId).value, bit);
	const day = pumpDay.of(pump.varId).value;
	const states = useMemo(() => (day === undefined ? null : windowStates(day, bit)), [day, bit]);
	// Without states the strip is hatched, because an empty strip would say that the pump was off all day. The memo keeps the strip from
	// being drawn again each second with the age beside it.
	const strip = useMemo(() => <StateStrip states={states ?? []} />, [states]);
	const since = day === undefined || states === null || view.on === null ? null : sinceOf(states, day.bounds, view.on, now.value);
	const at = view.shown?.at ?? null;
	return (
		<li class="pump">
			<PumpShape on={view.on} />
			<h3>{pump.name}</h3>
			<ItemWord kind="pump" view={view} />
			<ItemReason view={view} varId={pump.varId} />
			{view.on !== null && at !== null && (
				<p class="since" title={formatUtc(at)}>
					{ageText(since, now.value - at)}
				</p>
			)}
			<div class="timeline">
				{strip}
				<div class="timeline-foot">
					<span>{text.dayAgo}</span>
					<span>{dayText(states, day?.bounds ?? [], pumpDay.hasFailed(pump.varId))}</span>
					<span>{text.nowEnd}</span>
				</div>
			</div>
		</li>
	);
}

/** Returns in words how often a pump started in its last day and how long it ran, or why that is not known. */
function dayText(states: readonly (WindowState | null)[] | null, bounds: readonly number[], hasFailed: boolean): string {
	const text = stationText();
	if (hasFailed) return text.historyFailed;
	if (states === null) return commonText().reading;
	const summary = summaryOf(states, bounds);
	if (summary === null) return text.noHistory;
	const { starts, onMs, isAtLeast } = summary;
	// Where it ran for at least so long, whole hours say as much, and fit the line.
	const shownMs = onMs !== null && isAtLeast && onMs >= hourMs ? Math.floor(onMs / hourMs) * hourMs : onMs;
	const numbers = [commonText().starts(starts), ...(shownMs === null ? [] : [formatAge(shownMs)])];
	return (isAtLeast ? numbers.map(text.atLeast) : numbers).join(' · ');
}

/** The length of a window of the last day, in milliseconds. */
const windowMs = 60_000;

/**
 * Returns in words how long a pump has been in its state, where that is known, and how old its value is. The windows show no shorter time in a
 * state than their length, so the text names none.
 */
function ageText(since: Since | null, ageMs: number): string {
	const { sampled, since: words } = stationText();
	const age = formatAge(ageMs);
	return since === null ? sampled(age) : `${words[since.kind](formatAge(Math.max(windowMs, since.ms)))} · ${age}`;
}
