import { usualDecimals } from '#domain/report/report-notification.ts';
import type { Variable } from '#page/core/definitions.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type LineDraft, takesField } from '#page/reports/line-draft.ts';
import { reportText } from '#page/reports/report-texts.ts';
import type { TriedLine } from './report-trial.ts';
import { editorText } from './texts.ts';

/** Returns the name of a line; words for one that has none yet. */
export function lineName({ name }: LineDraft): string {
	return name.trim() === '' ? editorText().newLine : name;
}

/** Says of what a line counts: `Network demand · 02:00–04:00`. */
export function lineOf(line: LineDraft, known: ReadonlyMap<number, Variable> | undefined): string {
	if (line.function === 'formula') return line.formula;
	if (line.function === 'raised')
		return line.severity === null ? editorText().severities.all : alarmStateText().severities[line.severity];
	const hours = takesField(line, 'between') && line.from !== '' && line.to !== '' ? ` · ${line.from}–${line.to}` : '';
	return `${bindingWords(line, known)}${hours}`;
}

/** What a line counted of yesterday, in words. */
export interface LineResult {
	/** With its decimals; null where nothing is known. */
	readonly number: string | null;
	/** What the number can be; null where it is exact, or nothing is known at all. */
	readonly bounds: string | null;
	/** The share of the day that is known. */
	readonly known: string;
	readonly isWhole: boolean;
}

/** Returns what a line counted, in words. Bounds are written with the decimals of the number. */
export function resultOf({ total }: TriedLine, line: Pick<LineDraft, 'decimals' | 'function'>): LineResult {
	const text = editorText();
	const { value, known, low, high } = total;
	const write = (number: number): string =>
		formatNumber(number, typeof line.decimals === 'number' ? line.decimals : usualDecimals(line.function));
	const isExact = value !== null && value === low && value === high;
	// Never rounded up to all.
	const percent = known === null ? null : Math.floor(known * 1000) / 10;
	return {
		number: value === null ? null : write(value),
		bounds: isExact ? null : boundsText(low, high, write),
		known: percent === null || percent === 0 ? text.nothingKnown : reportText().known(formatExact(percent)),
		isWhole: known === 1,
	};
}

function boundsText(low: number | null, high: number | null, write: (number: number) => string): string {
	const text = editorText();
	if (low !== null && high !== null) return text.bounds(write(low), write(high));
	if (low !== null) return text.atLeast(write(low));
	return high === null ? text.noBounds : text.atMost(write(high));
}
