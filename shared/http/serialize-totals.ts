import type { CorrectedLine } from '#domain/totals/apply-corrections.ts';
import type { LineValue } from '#domain/totals/evaluate-lines.ts';
import type { Totals } from '#domain/use-cases/read-totals.ts';

/** Most faults of one line that are listed: a counter can fall at each of its readings. */
const maxFaults = 100;

/** Returns the JSON form of totals (shared/domain/totals/README.md#request); times are epoch milliseconds. */
export function totalsToJson({ lines, ...windows }: Totals) {
	return { ...windows, lines: lines.map(lineToJson) };
}

/** Returns the JSON form of a line. */
export function lineToJson({ key, values: { windows, total }, mixed, faults, corrections }: CorrectedLine) {
	const hasTimes = [...windows, total].some(({ at }) => at !== undefined);
	return {
		key,
		values: windows.map(({ value }) => value),
		known: windows.map(({ known }) => known),
		low: windows.map(({ low }) => low),
		high: windows.map(({ high }) => high),
		...(hasTimes ? { at: windows.map(({ at }) => at ?? null) } : {}),
		total: numberToJson(total, { hasTimes }),
		...(mixed === undefined ? {} : { mixed }),
		...(faults.length === 0 ? {} : { faults: faults.slice(0, maxFaults) }),
		...(corrections.length === 0 ? {} : { corrections }),
		...(faults.length > maxFaults ? { moreFaults: faults.length - maxFaults } : {}),
	};
}

/** Returns the JSON form of a number with its bounds. `hasTimes`: it has `at`, which is null where there is no such time. */
export function numberToJson({ value, known, low, high, at }: LineValue, { hasTimes }: { readonly hasTimes: boolean }) {
	return { value, known, low, high, ...(hasTimes ? { at: at ?? null } : {}) };
}
