import { pluralize } from '#infra/cli/pluralize.ts';
import { ConfigError } from '#shared/config.ts';
import { addEvidence, type DecimalEvidence, type DecimalSign, decimalSignOf, readNumber } from './cell-numbers.ts';
import { type CsvFile, type CsvFormat, openCsv } from './csv-file.ts';
import { type ColumnMapping, cellsOf, instantsOf, planColumns, unreadableTime } from './csv-samples.ts';
import { timeAdvice } from './known-formats.ts';
import { quoted } from './quoted.ts';
import { createRowTimes, type OnRowTime } from './row-times.ts';
import type { CellTimeReader } from './time.ts';

/** The options that say how a file is read. */
export interface FileOptions extends CsvFormat, ColumnMapping {
	readonly decimal?: DecimalSign | undefined;
	readonly timeZone?: string | undefined;
	/** `keep` sends rows whose series and time occurred before, so that the last of them stays. */
	readonly repeated: 'keep' | 'refuse';
	readonly readTime: CellTimeReader;
	/** The time of the clock, epoch milliseconds. */
	readonly nowMs: number;
}

/** What the whole of a file tells about its rows. */
export interface CheckedFile {
	readonly delimiter: string;
	readonly decimal: DecimalSign;
	/** The newest time that is sent, epoch milliseconds. */
	readonly newestMs: number;
	/** The instants of rows whose clock time occurs twice, by their lines. A row whose instant is not known has none. */
	readonly repeatedHour: ReadonlyMap<number, number>;
	/** The last line. Lines that are added later have not been checked. */
	readonly lastLine: number;
	/** Sentences about what the file did not say clearly. */
	readonly notes: readonly string[];
}

/**
 * Reads a whole file before any of it is sent.
 * @throws ConfigError when it cannot be read as a whole, no time can be read, the decimal sign is not certain, or rows are repeated
 */
export async function checkFile(file: string, options: FileOptions): Promise<CheckedFile> {
	const csv = await openCsv(file, options);
	const evidence: DecimalEvidence = { first: new Map(), certain: new Set() };
	const times: TimeTable = {
		newestMs: Number.NEGATIVE_INFINITY,
		repeatedHour: new Map(),
		repeatedRows: 0,
		firstRepeated: Infinity,
	};
	const isNumber = (cell: string): boolean =>
		options.decimal === undefined ? addEvidence(evidence, cell) : Number.isFinite(readNumber(cell, options.decimal));
	const lastLine = await readTimes(file, csv, { options, isNumber, times });
	const decimal = options.decimal ?? decimalSignOf(evidence, csv.delimiter);

	const { newestMs, repeatedHour, repeatedRows, firstRepeated } = times;
	const notes: string[] = [];
	if (options.delimiter === undefined && csv.delimiter !== ',') notes.push(`Cells are separated by ${quoted(csv.delimiter)}.`);
	if (options.decimal === undefined && decimal === ',')
		notes.push(`Numbers have a decimal comma, such as ${quoted(evidence.first.get(',') ?? '')}.`);
	const [repeatedLine] = repeatedHour.keys();
	if (repeatedLine !== undefined)
		notes.push(
			`${pluralize(repeatedHour.size, 'row')} of an hour that occurs twice in ${options.timeZone}: told apart by their order, from line ${repeatedLine}.`,
		);
	if (repeatedRows > 0) {
		const problem = `${pluralize(repeatedRows, 'row')} with the series and time of an earlier row, the first in line ${firstRepeated}`;
		if (options.repeated === 'refuse') throw new ConfigError(`${file} has ${problem}. ${repeatedRemedy(options)}`);
		notes.push(`${problem}: the last one stays.`);
	}
	return { delimiter: csv.delimiter, decimal, newestMs, repeatedHour, lastLine, notes };
}

/** What the times of a file tell, updated row by row. */
interface TimeTable {
	newestMs: number;
	readonly repeatedHour: Map<number, number>;
	/** Rows whose series and time occurred before, and the line of the first. */
	repeatedRows: number;
	firstRepeated: number;
}

/** Reads the rows of a file for their times, and returns the last line. @throws ConfigError when there is no time that can be read */
async function readTimes(
	file: string,
	csv: CsvFile,
	{
		options,
		isNumber,
		times,
	}: { readonly options: FileOptions; readonly isNumber: (cell: string) => boolean; readonly times: TimeTable },
): Promise<number> {
	const plan = planColumns(csv.header, options);
	const addTime = createTimeCounter(times);
	const orders = new Map<number, ReturnType<typeof createRowTimes>>();
	let unreadable: string | undefined;
	let hasTimes = false;
	let lastLine = 0;
	for await (const { line, cells } of csv.rows) {
		lastLine = line;
		const instants = instantsOf(plan, cells, options.readTime);
		if ('reason' in instants) {
			if (instants.reason === unreadableTime) unreadable ??= instants.example;
			else hasTimes = true;
			continue;
		}
		hasTimes = true;
		const sent = cellsOf(plan, cells).filter(([, cell]) => isNumber(cell));
		if (sent.length === 0) continue;
		const series = sent.reduce((bits, [{ index }]) => bits | (1n << BigInt(index)), 0n);
		// A column of series may hold one series after the other. Each then has an order of its own.
		const order = plan.seriesIndex < 0 ? 0 : (sent[0]?.[0].index ?? 0);
		const addRow = orders.get(order) ?? createRowTimes(addTime);
		orders.set(order, addRow);
		addRow({ line, instants, series });
	}
	if (lastLine === 0) throw new ConfigError(`${file} has no rows below its header.`);
	if (!hasTimes)
		throw new ConfigError(
			`${file} has no time that can be read in column ${options.timeColumn}${timeAdvice(unreadable ?? '', options.nowMs)}`,
		);
	for (const endOf of orders.values()) endOf();
	return lastLine;
}

/** Creates the function that counts the times of rows in a table. */
function createTimeCounter(times: TimeTable): OnRowTime {
	const seriesByTime = new Map<number, bigint>();
	return ({ line, instants, series }, timeMs) => {
		if (timeMs === null) return;
		if (instants.length > 1) times.repeatedHour.set(line, timeMs);
		times.newestMs = Math.max(times.newestMs, timeMs);
		const earlier = seriesByTime.get(timeMs) ?? 0n;
		seriesByTime.set(timeMs, earlier | series);
		if ((earlier & series) === 0n) return;
		times.repeatedRows += 1;
		times.firstRepeated = Math.min(times.firstRepeated, line);
	};
}

/** Says what to do about repeated rows. */
function repeatedRemedy({ seriesColumn, timeZone }: FileOptions): string {
	const remedies = [
		...(seriesColumn === undefined
			? ['name the column of series with --series-column and --value-column where rows have one']
			: []),
		...(timeZone === undefined ? ['give local times their --time-zone'] : []),
		'or --repeated keep, by which the last of them stays',
	];
	return `Nothing was sent: ${remedies.join(', ')}.`;
}
