import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { quoted } from './quoted.ts';

/** How a CSV file is written, as far as its reader is told. */
export interface CsvFormat {
	/** The column with the times. Where no delimiter is given, it is the one by which the header has this column. */
	readonly timeColumn: string;
	readonly delimiter?: string | undefined;
	/** An encoding of TextDecoder. Default: the one of the byte order mark, else UTF-8. */
	readonly encoding?: string | undefined;
}

/** A row of a CSV file. */
export interface CsvRow {
	/** The line of the file on which the row ends, counted from 1. */
	readonly line: number;
	readonly cells: readonly string[];
}

/** A CSV file whose header was read. */
export interface CsvFile {
	readonly delimiter: string;
	readonly header: readonly string[];
	/** The rows below the header, to be read once. Throws ConfigError when the file cannot be read any further. */
	readonly rows: AsyncGenerator<CsvRow, void, undefined>;
	/** Number of bytes read from the file so far. */
	bytesRead(): number;
}

/** The delimiters of files that do not tell theirs. */
const usualDelimiters = [',', ';', '\t'] as const;

/** The encodings that are recognized by their byte order mark. */
const encodingsByMark = new Map([
	['fffe', 'utf-16le'],
	['feff', 'utf-16be'],
]);

/** What csv-parse and the decoder are told. */
interface ParseOptions {
	readonly delimiter: string;
	readonly encoding: string | undefined;
	/** The first and the last record, counted from 1. */
	readonly from?: number;
	readonly to?: number;
}

const recordSchema = v.object({ info: v.object({ lines: v.number() }), record: v.array(v.string()) });

/**
 * Opens a CSV file (RFC 4180).
 * @throws ConfigError when the file cannot be read, is not CSV or is empty
 */
export async function openCsv(file: string, { timeColumn, encoding, ...format }: CsvFormat): Promise<CsvFile> {
	if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
		throw new ConfigError(`${file} is no regular file. Save it as one: it is read twice.`);
	let delimiter = format.delimiter ?? ',';
	if (format.delimiter === undefined)
		for (const usual of usualDelimiters) {
			// With another delimiter than its own the header may be no CSV.
			const header = await readHeader(file, { delimiter: usual, encoding }).catch(() => undefined);
			if (header?.some((name) => name.trim() === timeColumn.trim())) delimiter = usual;
		}
	const header = await readHeader(file, { delimiter, encoding });
	if (header === undefined) throw new ConfigError(`${file} is empty: a first row of column names is needed.`);
	const source = createReadStream(file);
	return { delimiter, header, rows: readRows(source, { delimiter, encoding, from: 2 }), bytesRead: () => source.bytesRead };
}

async function readHeader(file: string, options: ParseOptions): Promise<readonly string[] | undefined> {
	for await (const { cells } of readRows(createReadStream(file), { ...options, to: 1 })) return cells;
	return undefined;
}

async function* readRows(source: ReadStream, { encoding, ...options }: ParseOptions): CsvFile['rows'] {
	const parser = parse({ ...options, info: true, relax_column_count_less: true, skip_empty_lines: true });
	// The loop throws the errors of all three.
	pipeline(
		source,
		(chunks: AsyncIterable<Uint8Array>) => decoded(chunks, encoding),
		parser,
		() => undefined,
	);
	try {
		for await (const row of parser) {
			const { info, record } = v.parse(recordSchema, row);
			yield { line: info.lines, cells: record };
		}
	} catch (cause) {
		throw new ConfigError(`${source.path} cannot be read as CSV: ${problemOf(cause, options.delimiter)}`, { cause });
	} finally {
		source.destroy();
	}
}

/** Decodes the bytes of a file. @throws TypeError for bytes that the encoding does not have */
async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncGenerator<string> {
	let decoder: TextDecoder | undefined;
	for await (const chunk of chunks) {
		const mark = Buffer.from(chunk.subarray(0, 2)).toString('hex');
		decoder ??= new TextDecoder(encoding ?? encodingsByMark.get(mark) ?? 'utf-8', { fatal: true });
		const text = decoder.decode(chunk, { stream: true });
		if (text.includes('\0')) throw new TypeError('it has NUL characters. It may be UTF-16: --encoding utf-16le');
		yield text;
	}
	if (decoder !== undefined) yield decoder.decode();
}

/** Says why a file cannot be read, with the likely reason. */
function problemOf(error: unknown, delimiter: string): string {
	if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
		return 'its bytes are of another encoding. Name it, such as --encoding windows-1252 (Western Europe) or utf-16le.';
	if (!(error instanceof CsvError) || error.code !== 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return messageOf(error);
	const row = v.parse(v.array(v.string()), error['record']);
	const reason =
		row.at(-1) === ''
			? 'If each row ends in a delimiter, let the header end in one.'
			: delimiter === ','
				? `Likely a comma in a number (4,25 or 1,234.5) or in a time (08:00:00,250). Write such cells in quotes, or separate cells by ;.`
				: `Likely a text with ${quoted(delimiter)} in it: write it in quotes.`;
	return `a row has more cells than the header. The first ends in line ${error['lines']}: ${quoted(row.join(delimiter))}. ${reason}`;
}
