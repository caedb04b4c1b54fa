import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import * as v from 'valibot';
import { ReplayFailure } from './failure.ts';
import { parseTime } from './time.ts';

const rowSchema = v.array(v.string());

const systemErrorSchema = v.object({ code: v.string() });

const reasons: ReadonlyMap<string, string> = new Map([
	['ENOENT', 'there is no such file'],
	['EISDIR', 'it is a directory'],
	['EACCES', 'it may not be read'],
]);

/**
 * The rows of a CSV file (RFC 4180, UTF-8, rows of any length), the first one its header; read as they are asked for.
 * Throws ReplayFailure where the file cannot be read, or is not CSV.
 */
export async function* rowsOf(file: string): AsyncGenerator<readonly string[], void, undefined> {
	const source = createReadStream(file);
	const parser = source.pipe(parse({ bom: true, relax_column_count: true, skip_empty_lines: true }));
	source.on('error', (error) => parser.destroy(error));
	try {
		for await (const record of parser) yield v.parse(rowSchema, record);
	} catch (error) {
		throw failureOf(file, error);
	} finally {
		source.destroy();
	}
}

/** What a first reading of the whole file tells. */
export interface FileScan {
	readonly header: readonly string[];
	/** Rows below the header. */
	readonly rows: number;
	/** The newest time, epoch milliseconds; null where no row has one. */
	readonly newestMs: number | null;
}

/**
 * Reads a file once: for its header, its length and its newest time.
 * @param timeIndexOf finds the time's column; what it throws ends the reading at once
 */
export async function scanFile(file: string, timeIndexOf: (header: readonly string[]) => number): Promise<FileScan> {
	let header: readonly string[] | undefined;
	let timeIndex = 0;
	let rows = 0;
	let newestMs: number | null = null;
	for await (const row of rowsOf(file)) {
		if (header === undefined) {
			header = row;
			timeIndex = timeIndexOf(row);
			continue;
		}
		rows += 1;
		const timeMs = parseTime(row[timeIndex] ?? '');
		if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
	}
	if (header === undefined) throw new ReplayFailure(`${file} is empty: a first row of column names is needed.`);
	return { header, rows, newestMs };
}

function failureOf(file: string, error: unknown): unknown {
	if (error instanceof CsvError) return new ReplayFailure(`${file} is not CSV: ${error.message}`);
	const known = v.safeParse(systemErrorSchema, error);
	if (!known.success) return error;
	return new ReplayFailure(`${file} cannot be read: ${reasons.get(known.output.code) ?? known.output.code}.`);
}
