import { isAtMost, roundedTo, shownValue } from '#domain/totals/shown-number.ts';
import { usualDecimals } from '#domain/variable/usual-decimals.ts';
import type { Variable } from '#page/core/definitions.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type LineDraft, takesField } from '#page/reports/line-draft.ts';
import { reportText } from '#page/reports/report-texts.ts';
import type { TriedLine } from './report-trial.ts';
import { editorText } from './texts.ts';

/** Returns the name of a line, or words for a line without a name. */
export function lineName({ name }: LineDraft): string {
	return name.trim() === '' ? editorText().newLine : name;
}

/** Describes the input of a line: its formula, the severity of its alarms, or its variable with hours: `Demand · 02:00–04:00`. */
export function lineInput(line: LineDraft, variables: ReadonlyMap<number, Variable> | undefined): string {
	if (line.function === 'formula') return line.formula;
	if (line.function === 'raised')
		return line.severity === null ? editorText().severities.all : alarmStateText().severities[line.severity];
	const hours = takesField(line, 'between') && line.from !== '' && line.to !== '' ? ` · ${line.from}–${line.to}` : '';
	return takesField(line, 'varId') ? `${bindingWords(line, variables)}${hours}` : '';
}

/** The result of a line for yesterday, in words. */
export interface LineWords {
	/** The number with its decimals; null if nothing is known. */
	readonly number: string | null;
	/** The bounds of the number with its unit, or words that say that it has none; null if the number is exact. */
	readonly bounds: string | null;
	/** The share of the day that is known, in words: `97.9 % known`. */
	readonly known: string;
	/** Whether all of the day is known. */
	readonly isWhole: boolean;
}

/** Returns the result of a line in words. Bounds have as many decimals as the number. */
export function lineWordsOf({ total }: TriedLine, line: Pick<LineDraft, 'decimals' | 'function' | 'unit'>): LineWords {
	const text = editorText();
	const { value, known, low, high } = total;
	// A line without decimals of its own has those of its function.
	const decimals = typeof line.decimals === 'number' ? line.decimals : usualDecimals(line.function);
	// Bounds are rounded outwards, so that the truth lies between them.
	const write = (bound: number, outwards: (bound: number) => number): string =>
		formatNumber(roundedTo(bound, decimals, outwards), { decimals });
	const isExact = value !== null && value === low && value === high;
	const atMost = isAtMost(total, line.function) && high !== null ? `≤\u202f${write(high, Math.ceil)}` : null;
	const shown = value === null ? null : formatNumber(shownValue(value, line.function, decimals), { decimals });
	return {
		number: atMost ?? shown,
		bounds: isExact ? null : boundsText(low, high, write, line.unit),
		known: known === null || known === 0 ? text.nothingKnown : reportText().known(percentText(known)),
		isWhole: known === 1,
	};
}

/** Writes a share above 0 in percent, with one decimal. It is rounded down, so that only a fully known day is 100 %. */
function percentText(share: number): string {
	const leastPercent = 0.1;
	const percent = Math.floor(share * 1000) / 10;
	return percent < leastPercent ? `< ${formatExact(leastPercent)}` : formatExact(percent);
}

/** Writes bounds with their unit; null stands for a bound that is not known. */
function boundsText(
	low: number | null,
	high: number | null,
	write: (bound: number, outwards: (bound: number) => number) => string,
	unit: string,
): string {
	const text = editorText();
	const withUnit = (words: string): string => `${words} ${unit}`.trim();
	if (low !== null && high !== null) return withUnit(text.bounds(write(low, Math.floor), write(high, Math.ceil)));
	if (low !== null) return withUnit(text.atLeast(write(low, Math.floor)));
	return high === null ? text.noBounds : withUnit(text.atMost(write(high, Math.ceil)));
}
