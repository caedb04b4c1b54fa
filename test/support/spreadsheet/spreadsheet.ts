import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** What the spreadsheet counts. Lines, variables and corrections are as the API takes and answers them; times are epoch milliseconds. */
export interface SheetRequest {
	/** A file with a row for each sample: its time, topic, field and value. */
	readonly csv: string;
	readonly timeZone: string;
	readonly start: number;
	readonly end: number;
	readonly period: 'day' | 'hour';
	readonly lines: readonly object[];
	readonly variables: readonly object[];
	readonly corrections: readonly object[];
	/** The alarms that were raised, and from when to when alarms were evaluated. */
	readonly raised: readonly { readonly time: number; readonly severity: string }[];
	readonly evaluatedFrom: number;
	readonly evaluatedUntil: number;
}

/** The numbers of a line. */
export interface CountedLine {
	readonly windows: readonly CountedNumber[];
	readonly total: CountedNumber;
}

interface CountedNumber {
	readonly value: number | null;
	readonly low: number | null;
	readonly high: number | null;
	readonly known: number | null;
	/** The first time of a least or greatest value. */
	readonly at?: number;
}

/** The largest output of the program. */
const maxOutputBytes = 64_000_000;

/** Counts totals with spreadsheet.py: in another language, row by row, and without the service. */
export async function countInSpreadsheet(request: SheetRequest): Promise<{
	readonly bounds: readonly number[];
	readonly lines: Readonly<Record<string, CountedLine>>;
}> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const script = join(import.meta.dirname, 'spreadsheet.py');
	const child = execFile('python3', [script], { maxBuffer: maxOutputBytes }, (error, stdout, stderr) =>
		error === null ? resolve(stdout) : reject(new Error(stderr, { cause: error })),
	);
	child.stdin?.end(JSON.stringify(request));
	return JSON.parse(await promise);
}
