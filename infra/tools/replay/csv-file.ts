import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';

const rowSchema = v.array(v.string());

/** A CSV file whose header was read. */
export interface CsvFile {
	readonly header: readonly string[];
	/** The rows below the header, to be read once. Throws ConfigError when the file cannot be read any further. */
	readonly rows: AsyncGenerator<readonly string[], void, undefined>;
	/** Number of bytes read from the file so far. */
	bytesRead(): number;
}

/**
 * Opens a CSV file (RFC 4180, UTF-8, rows of any length).
 * @throws ConfigError when the file cannot be read, is not CSV or is empty
 */
export async function openCsv(file: string): Promise<CsvFile> {
	const source = createReadStream(file);
	const rows = readRows(source, file);
	const { value: header } = await rows.next();
	if (header === undefined) throw new ConfigError(`${file} is empty: a first row of column names is needed.`);
	return { header, rows, bytesRead: () => source.bytesRead };
}

async function* readRows(source: ReturnType<typeof createReadStream>, file: string): CsvFile['rows'] {
	const parser = source.pipe(parse({ bom: true, relax_column_count: true, skip_empty_lines: true }));
	// A pipe passes no errors on. Without this, a file that cannot be read would never end.
	source.on('error', (error) => parser.destroy(error));
	try {
		for await (const record of parser) yield v.parse(rowSchema, record);
	} catch (cause) {
		throw new ConfigError(`${file} cannot be read as CSV: ${messageOf(cause)}`, { cause });
	} finally {
		source.destroy();
	}
}
