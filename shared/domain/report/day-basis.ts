import { type Correction, overlaps } from '../board/correction.ts';
import type { ReportLine } from '../board/report.ts';
import { dayMs } from '../milliseconds.ts';
import { definitionOf, linesOf } from './line-definition.ts';
import type { StoredDay } from './stored-day.ts';

/** Everything that decides the numbers of a day. In place of the samples themselves, it has their counts. */
export interface DayBasis
	extends Pick<StoredDay, 'date' | 'from' | 'to' | 'timeZone' | 'dayStart' | 'database' | 'series' | 'corrections'> {
	readonly lines: readonly { readonly line: ReportLine; readonly source: string }[];
}

/**
 * Why a day would have another number now (shared/domain/report/README.md#changed-days). `calendar`: its time zone or its beginning; `line`: the
 * line, or one that it uses; `variable`: what is read of a variable; `correction`; `late_samples`: there are more; `missing_samples`: there are
 * fewer.
 */
export const dayCauses = ['calendar', 'line', 'variable', 'correction', 'late_samples', 'missing_samples'] as const;

/** Why a day would have another number now. */
export type DayCause = (typeof dayCauses)[number];

/**
 * How far before a day its samples and corrections may decide the day's first number, in milliseconds: the signal holds, and differences
 * begin there.
 */
export const beforeMs = dayMs;

/** Returns the corrections that may decide a day. */
export function correctionsOfDay(
	corrections: readonly Correction[],
	{ from, to }: { readonly from: number; readonly to: number },
) {
	// A counter's window includes its end, so a correction at that time may decide the day, too.
	return corrections.filter((correction) => overlaps(correction, { start: from - beforeMs, stop: to + 1 }));
}

/**
 * Whether a stored day and the same day now have the same basis. If they differ, `causesOf` says whether the difference concerns a line.
 * Both must be of one database, which is not compared. `from` and `to` tell where days begin.
 */
export function isSameBasis(stored: StoredDay, now: DayBasis): boolean {
	const ofDay = ({ from, to, timeZone, series, corrections }: DayBasis): string =>
		JSON.stringify([from, to, timeZone, series, corrections]);
	const isSameSource = stored.lines.every(({ source }, index) => source === now.lines[index]?.source);
	return isSameSource && ofDay(stored) === ofDay(now) && linesText(stored.lines) === linesText(now.lines);
}

/** The texts of lists of lines. Many days share the same list, so its text is computed once. */
const texts = new WeakMap<DayBasis['lines'], string>();

function linesText(lines: DayBasis['lines']): string {
	const cached = texts.get(lines);
	if (cached !== undefined) return cached;
	const text = JSON.stringify(lines.map(({ line }) => line));
	texts.set(lines, text);
	return text;
}

/**
 * Returns the causes for which the number of a line may differ between a stored day and the same day now. Only counting tells whether the
 * number does differ.
 */
export function causesOf(stored: StoredDay, now: DayBasis, key: string): readonly DayCause[] {
	const [before, after] = [basisOfLine(stored, key), basisOfLine(now, key)];
	if (after === null) return [];
	if (before === null) return ['line'];
	// With another beginning or end, samples and corrections differ as well, so only the calendar is named.
	if (stored.from !== now.from || stored.to !== now.to || stored.timeZone !== now.timeZone) return ['calendar'];
	const counts = after.series.map(({ topic, field, ...count }) => ({
		count,
		earlier: before.series.find((series) => series.topic === topic && series.field === field),
	}));
	const changes = counts.flatMap(({ count, earlier }) =>
		earlier === undefined ? [] : [changeOf(earlier.before, count.before), changeOf(earlier.own, count.own)],
	);
	const differs: Readonly<Partial<Record<DayCause, boolean>>> = {
		line: before.definition !== after.definition,
		variable: before.sources !== after.sources,
		correction: before.corrections !== after.corrections,
		late_samples: changes.some((change) => change > 0),
		missing_samples: changes.some((change) => change < 0),
	};
	return dayCauses.filter((cause) => differs[cause]);
}

/** Whether the causes mean that a day is counted under another definition, so that its states cannot be merged with those of other days. */
export function isRedefined(causes: readonly DayCause[]): boolean {
	return causes.some((cause) => cause === 'calendar' || cause === 'line' || cause === 'variable');
}

/** Returns the part of a basis that decides the number of one line; null: the day has no such line. */
function basisOfLine({ lines, series, corrections }: DayBasis, key: string) {
	const own = lines.find(({ line }) => line.key === key);
	if (own === undefined) return null;
	const all = lines.map(({ line }) => line);
	const used = new Set(linesOf(own.line, all));
	const sources = lines.filter(({ line }) => used.has(line)).map(({ source }) => source);
	const varIds = new Set([...used].map(({ varId }) => varId));
	const decisive = corrections.filter(({ varId }) => varIds.has(varId));
	return {
		definition: definitionOf(own.line, all),
		sources: sources.join('\n'),
		corrections: JSON.stringify(decisive.map(({ reason: _reason, author: _author, time: _time, ...rule }) => rule)),
		series: series.filter(({ topic, field }) => sources.some((source) => source.includes(seriesText(topic, field)))),
	};
}

/** How a series is written in the text of a source (`sourceOf`): the fields of the object, without its braces. */
const seriesText = (topic: string, field: string): string => JSON.stringify({ topic, field }).slice(1, -1);

/** Returns how much a count changed; 0 when one of the counts is not known. */
const changeOf = (before: number | null, now: number | null): number => (before === null || now === null ? 0 : now - before);
