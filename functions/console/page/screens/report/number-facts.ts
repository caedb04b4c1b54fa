import type { Calendar } from '#domain/calendar/bounds.ts';
import { timeOfDayMs } from '#domain/calendar/days.ts';
import { hourMs } from '#domain/milliseconds.ts';
import { partsWithin } from '#domain/totals/local-hours.ts';
import { roundedTo } from '#domain/totals/shown-number.ts';
import { withUnit } from '#page/format/condition.ts';
import { formatNumber } from '#page/format/number.ts';
import type { LineFunctionName } from '#page/reports/line-draft.ts';
import type { CountedNumber } from './report-cells.ts';
import { dayName } from './report-labels.ts';
import { numberIn, type ReportColumn } from './report-model.ts';
import { riseWords } from './rise-words.ts';
import { reportScreenText } from './texts.ts';

/** A number of a line, and what it is about. */
export interface NumberFactsInput {
	readonly column: ReportColumn;
	readonly columns: readonly ReportColumn[];
	readonly counted: CountedNumber;
	/** The index of the window; null for the whole period. */
	readonly window: number | null;
	/** The time that was counted, epoch milliseconds. */
	readonly span: { readonly start: number; readonly end: number };
	readonly calendar: Calendar;
}

/** A sentence about a number. */
export interface NumberFact {
	readonly words: string;
	/** Whether it tells of a rise that is more than usual. */
	readonly isBeyond?: boolean;
}

/** What the function of a line tells of a number: its hours or readings, its nights, where a stretch goes on, and its rise. */
export function numberFacts({ column, counted, window, span, calendar }: NumberFactsInput): readonly NumberFact[] {
	const text = reportScreenText();
	const { expected, taken, cut } = counted;
	const { function: lineFunction, line } = column;
	const hasReadings = taken != null && expected != null;
	const readings = hasReadings ? text.takenOf(taken, expected) : hoursWithin(column, counted, span, calendar);
	const { raised } = line;
	return [
		...(lineFunction === 'within' && readings !== null ? [{ words: readings }] : []),
		...(lineFunction === 'leastMean' && hasReadings && expected > 1 ? [{ words: text.nights(taken, expected) }] : []),
		...(cut?.[0] ? [{ words: text.cutBegin }] : []),
		...(cut?.[1] ? [{ words: text.cutEnd }] : []),
		...riseFacts(column, window),
		...(window === null && raised !== undefined
			? [{ words: text.raisedSince(dayName(raised.since), raised.nights, raised.certain), isBeyond: true }]
			: []),
		...(line.mixed === true ? [{ words: text.mixed }] : []),
	];
}

/** Returns how many of the known hours were within limits, rounded so that none is told that was not; null where nothing is known. */
function hoursWithin(
	{ defined }: ReportColumn,
	{ value, known }: CountedNumber,
	{ start, end }: NumberFactsInput['span'],
	{ zone }: Calendar,
): string | null {
	if (value === null || known === null) return null;
	const [from, to] = defined?.between ?? [];
	const parts =
		from === undefined || to === undefined
			? [{ start, stop: end }]
			: partsWithin({ start, stop: end }, { fromMs: timeOfDayMs(from), toMs: timeOfDayMs(to) }, zone);
	const total = parts.reduce((sum, part) => sum + part.stop - part.start, 0) / hourMs;
	const hours = (count: number, round: (value: number) => number): string =>
		formatNumber(roundedTo(count, 1, round), { decimals: 1 });
	return reportScreenText().hoursWithin(
		hours((total * known * value) / 100, Math.floor),
		hours(total * known, Math.floor),
		known < 1 ? hours(total * (1 - known), Math.ceil) : null,
	);
}

/** Returns how far a number is above the reference of its line, between which bounds, and whether that is as usual. */
function riseFacts(column: ReportColumn, window: number | null): readonly NumberFact[] {
	const text = reportScreenText();
	if (column.line.reference === null) return [{ words: text.noReference }];
	const rise = riseWords(column, window);
	if (rise === null) return [];
	const { unit } = column.line;
	const { size, percent, percentBounds, boundsInUnit, usual, isBeyond } = rise;
	const isUsual =
		usual === null ? null : text.usualRise[isBeyond ? 'beyond' : rise.isBelow ? 'below' : 'usual'](withUnit(usual, unit));
	return [
		...(size === null ? [] : [{ words: text[rise.isFall ? 'fallOf' : 'riseOf'](withUnit(size, unit), percent), isBeyond }]),
		...(boundsInUnit === null ? [] : [{ words: text.riseBetween(boundsInUnit, percentBounds) }]),
		...(size === null || isUsual === null ? [] : [{ words: isUsual, isBeyond }]),
	];
}

/** A line of a formula, with what is not known of it. */
export interface Term {
	readonly key: string;
	/** Such as `Inlet meter 93 % · 40 m³`. */
	readonly words: string;
}

/** Where the unknown part of a formula's number comes from, and whether its bounds hold the errors of the instruments. */
export interface Terms {
	/** The widest first; empty where all is known. */
	readonly terms: readonly Term[];
	/** No line of the formula states the error of its instrument. */
	readonly isWithoutError: boolean;
}

/**
 * Returns the terms of a formula in a window, or in the whole period; null for other lines. Only a sum has shares: elsewhere a width of a term
 * is another one of the formula.
 */
export function termsOf({ column, columns, window }: NumberFactsInput): Terms | null {
	const used = column.line.terms?.map(({ key, width }) => {
		const other = columns.find(({ line }) => line.key === key);
		return { key, other, width: window === null || other === undefined ? width : widthOf(numberIn(other, window)) };
	});
	if (used === undefined || used.length === 0) return null;
	const text = reportScreenText();
	const sum = used.reduce((total, { width }) => total + (width ?? 0), 0);
	const hasShares = isSum(column, columns) && used.every(({ width }) => width !== null);
	const words = ({ key, other, width }: (typeof used)[number]): string => {
		const name = other?.line.name ?? key;
		if (width === null) return text.noWidth(name);
		const size = withUnit(formatNumber(width, { decimals: other?.decimals ?? 0 }), other?.line.unit ?? '');
		return hasShares
			? `${text.termShare(name, formatNumber((100 * width) / sum, { decimals: 0 }))} · ${size}`
			: `${name}: ${size}`;
	};
	return {
		terms: used
			.filter(({ width }) => width !== 0)
			.sort((a, b) => (b.width ?? Number.MAX_VALUE) - (a.width ?? Number.MAX_VALUE))
			.map((term) => ({ key: term.key, words: words(term) })),
		isWithoutError:
			used.some(({ other }) => other?.function != null && measuring.includes(other.function)) &&
			used.every(({ other }) => (other?.defined?.error ?? null) === null),
	};
}

/** Whether a formula only adds and subtracts lines that are no formulas, or are such. */
function isSum({ defined }: ReportColumn, columns: readonly ReportColumn[]): boolean {
	return (defined?.equation ?? []).every(({ type, value }) => {
		const other = type === 'variable' ? columns.find(({ line }) => line.key === value) : undefined;
		if (other?.function === 'formula') return isSum(other, columns);
		return type === 'variable' || (type === 'operator' && ['+', '-', '(', ')'].includes(value));
	});
}

/** The functions of lines that may state the error of their instrument. Written here, so that this screen does not load how lines are edited. */
export const measuring: readonly LineFunctionName[] = [
	...(['total', 'mean', 'min', 'max', 'increase', 'change', 'leastMean'] as const),
];

const widthOf = ({ low, high }: CountedNumber): number | null => (low === null || high === null ? null : high - low);
