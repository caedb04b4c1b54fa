import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { assumedHoldOf, type CountedFunction, type CountedLine } from '#page/corrections/try-correction.ts';
import { type Curve, isCurve, type Strip } from './trend-model.ts';

/** A total that can be counted for a line of a trend. */
export type TotalChoice = CountedFunction | 'totalPerS' | 'totalPerMin' | 'totalPerH';

/** The total of a line over the shown range. */
export type CountedTotal = Schemas['CountedLine'];

/** Returns the totals that can be counted for a line. The first one is the default. */
export function choicesOf(line: Curve | Strip): readonly TotalChoice[] {
	if (!isCurve(line)) return ['onTime', 'starts'];
	return ['mean', 'totalPerH', 'totalPerMin', 'totalPerS', 'increase', 'min', 'max'];
}

/** Returns the fields that request the chosen total. `size` is the value at which a totalizer wraps to 0; null if it never wraps. */
export function countedLineOf(choice: TotalChoice, size: number | null = null): CountedLine {
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
 * Returns the unit of a total of values in `unit`. A total per hour of m³/h is in m³. For a unit that is not a rate per hour, such as kW,
 * the total per hour is in kW·h.
 */
export function unitOfTotal(choice: TotalChoice, unit: string): string {
	if (choice === 'onTime') return 'h';
	if (choice === 'starts') return '';
	const { per } = countedLineOf(choice);
	if (per === undefined) return unit;
	if (unit === '') return per;
	const divisor = `/${per}`;
	return unit.endsWith(divisor) ? unit.slice(0, -divisor.length) : `${unit}·${per}`;
}

/**
 * Counts the total of a line over a span. The bounds assume that the variable stayed within its shown least and greatest value while data
 * was missing.
 * @param span epoch milliseconds
 */
export async function countTotal(
	line: Curve | Strip,
	counted: CountedLine,
	{ start, end }: { readonly start: number; readonly end: number },
): Promise<Result<CountedTotal>> {
	const holdSeconds = assumedHoldOf(line.varId);
	const range = assumedRangeOf(line, counted);
	// Every line has a key, by which formulas would refer to it. Here one line is asked for alone, so any key will do.
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

/**
 * Returns the least and the greatest value that a line is assumed to have while data is missing. Null where the total needs none, and for a
 * line without values.
 */
function assumedRangeOf(line: Curve | Strip, counted: CountedLine): [least: number, greatest: number] | null {
	const needsRange = ['total', 'mean', 'min', 'max'].includes(counted.function);
	return needsRange && isCurve(line) && line.summary !== null ? [line.summary.min, line.summary.max] : null;
}
