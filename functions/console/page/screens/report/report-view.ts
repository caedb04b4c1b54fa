/** The lengths of a period that can be shown. */
export const viewLengths = ['day', 'week', 'month', 'year'] as const;

export type ViewLength = (typeof viewLengths)[number];

/** The comparisons that can be chosen, by the length of the period. The first one is the default. */
export const comparisonsOf = {
	day: ['weekday', 'before', 'year', 'none'],
	week: ['before', 'year', 'none'],
	month: ['before', 'year', 'none'],
	year: ['before', 'none'],
} as const satisfies Readonly<Record<ViewLength, readonly ComparedPeriod[]>>;

/** `before`: the period before. `weekday`: the same day of the week before. `year`: the same period a year before. */
export type ComparedPeriod = 'before' | 'weekday' | 'year' | 'none';

/** The parameters in the address of a report. */
export interface ReportView {
	readonly length: ViewLength;
	/** A local date in the period. Null for the present period, so that the next one is shown when it begins. */
	readonly date: string | null;
	readonly comparison: ComparedPeriod;
}

/** The length of the period that a row is opened as, by the length of the shown period; null if its rows cannot be opened. */
const rowViewLengths = { day: null, week: 'day', month: 'day', year: 'month' } as const satisfies Readonly<
	Record<ViewLength, ViewLength | null>
>;

/** Returns the view of one row of a period, with the default comparison; null if the row cannot be opened. */
export function rowView(
	length: ViewLength,
	{ date }: { readonly date: string },
): (ReportView & { readonly length: 'day' | 'month' }) | null {
	const rowLength = rowViewLengths[length];
	return rowLength === null ? null : { length: rowLength, date, comparison: comparisonsOf[rowLength][0] };
}

/** Reads the view from the parameters of an address. Invalid parameters are ignored, which `ignoresParams` tells. */
export function parseReportView(params: URLSearchParams): ReportView {
	const length = viewLengths.find((each) => each === params.get('view')) ?? 'month';
	const choices: readonly ComparedPeriod[] = comparisonsOf[length];
	const date = params.get('date') ?? '';
	return {
		length,
		date: isDate(date) ? date : null,
		comparison: choices.find((each) => each === params.get('compare')) ?? comparisonsOf[length][0],
	};
}

/** Whether the address names a length, a date or a comparison that `parseReportView` has ignored. `view` is the view that it returned. */
export function ignoresParams(params: URLSearchParams, { length, date, comparison }: ReportView): boolean {
	return Object.entries({ view: length, date, compare: comparison }).some(
		([name, shown]) => (params.get(name) ?? shown) !== shown,
	);
}

/** Returns the parameters of the address, as `parseReportView` reads them. */
export function reportViewParams({ length, date, comparison }: ReportView): Readonly<Record<string, string>> {
	return {
		view: length,
		...(date === null ? {} : { date }),
		...(comparison === comparisonsOf[length][0] ? {} : { compare: comparison }),
	};
}

/** Whether a text is a date from the year 1000 to 2999 that exists: `2026-11-09`. */
function isDate(text: string): boolean {
	return /^[12]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}
