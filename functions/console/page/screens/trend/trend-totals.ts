import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { assumedHoldOf, type CountedFunction, type CountedLine } from '#page/corrections/tried-days.ts';
import { type Curve, isCurve, type Strip } from './trend-model.ts';

/** What a line of a trend can count. */
export type TotalChoice = CountedFunction | 'totalPerS' | 'totalPerMin' | 'totalPerH';

/** The number of a line over what is shown. */
export type CountedTotal = Schemas['CountedLine'];

/** Returns what a line can count; the first is counted unless another is chosen. */
export function choicesOf(line: Curve | Strip): readonly TotalChoice[] {
	if (!isCurve(line)) return ['onTime', 'starts'];
	return ['mean', 'totalPerH', 'totalPerMin', 'totalPerS', 'increase', 'min', 'max'];
}

/** Returns the fields of a line of totals that a choice stands for. `size`: where a totalizer begins again at 0; null: it never does. */
export function countedLineOf(choice: TotalChoice, size: number | null): CountedLine {
	switch (choice) {
		case 'increase':
			return { function: choice, ...(size === null ? {} : { size }) };
		case 'totalPerS':
			return { function: 'total', per: 's' };
		case 'totalPerMin':
			return { function: 'total', per: 'min' };
		case 'totalPerH':
			return { function: 'total', per: 'h' };
		default:
			return { function: choice };
	}
}

/**
 * Counts what a line of a trend shows. Bounds are those of a variable that stayed within what is seen here while its data was missing.
 * @param span epoch milliseconds
 */
export async function countTotal(
	line: Curve | Strip,
	counted: CountedLine,
	{ start, end }: { readonly start: number; readonly end: number },
): Promise<Result<CountedTotal>> {
	const hasRange = ['total', 'mean', 'min', 'max'].includes(counted.function);
	const range: [number, number] | null =
		hasRange && isCurve(line) && line.summary !== null ? [line.summary.min, line.summary.max] : null;
	const holdSeconds = assumedHoldOf(line.varId);
	const asked = {
		key: 'line',
		varId: line.varId,
		function: counted.function,
		...(counted.per === undefined ? {} : { per: counted.per }),
		...(counted.size === undefined ? {} : { counter: { size: counted.size } }),
		...(isCurve(line) || line.bit === null ? {} : { bit: line.bit }),
		...(range === null ? {} : { range }),
		...(holdSeconds === undefined ? {} : { holdSeconds }),
	};
	const body = { lines: [asked], start: Math.round(start), end: Math.round(end), timeZone: viewZone().name };
	const result = await resultOf(api.POST('/totals', { body }));
	if (!result.ok) return result;
	const [data] = result.data.data.lines;
	if (data === undefined) throw new Error('The service answered without the line that was asked for.');
	return { ...result, data };
}
