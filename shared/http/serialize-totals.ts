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
export function lineToJson({ key, values: { windows, total }, terms, mixed, faults, corrections }: CorrectedLine) {
	const details = detailsOf([...windows, total]);
	return {
		key,
		values: windows.map(({ value }) => value),
		known: windows.map(({ known }) => known),
		low: windows.map(({ low }) => low),
		high: windows.map(({ high }) => high),
		...Object.fromEntries(details.map((name) => [name, windows.map((window) => window[name] ?? null)])),
		total: numberToJson(total, details),
		...(terms === undefined ? {} : { terms }),
		...(mixed === undefined ? {} : { mixed }),
		...(faults.length === 0 ? {} : { faults: faults.slice(0, maxFaults) }),
		...(corrections.length === 0 ? {} : { corrections }),
		...(faults.length > maxFaults ? { moreFaults: faults.length - maxFaults } : {}),
	};
}

/** What some functions tell of a number beside its bounds. */
const numberDetails = ['at', 'cut', 'expected', 'taken'] as const;

/** Returns the names of the details that some of the numbers of a line have. */
export function detailsOf(numbers: readonly LineValue[]): readonly (typeof numberDetails)[number][] {
	return numberDetails.filter((name) => numbers.some((each) => each[name] !== undefined));
}

/** Returns the JSON form of a number with its bounds and details, which are null where it has none. */
export function numberToJson(number: LineValue, details: ReturnType<typeof detailsOf>) {
	const { value, known, low, high } = number;
	return { value, known, low, high, ...Object.fromEntries(details.map((name) => [name, number[name] ?? null])) };
}
