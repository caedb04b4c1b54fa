import { pluralize } from '#infra/cli/pluralize.ts';
import { ConfigError } from '#shared/config.ts';
import { addEvidence, type DecimalEvidence, type DecimalSign, decimalSignOf, readNumber } from './cell-numbers.ts';
import { type CsvFormat, openCsv } from './csv-file.ts';
import { type ColumnMapping, cellsOf, instantsOf, planColumns, unreadableTime } from './csv-samples.ts';
import { timeAdvice } from './known-formats.ts';
import { digitsFormat, readDigits } from './number-times.ts';
import { quoted } from './quoted.ts';
import { createRowTimes, type TimedRow } from './row-times.ts';
import type { CellTimeReader } from './time.ts';

/** The options that say how a file is read. */
export interface FileOptions extends CsvFormat, ColumnMapping {
	readonly decimal?: DecimalSign | undefined;
	readonly timeFormat?: string | undefined;
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
 * @throws ConfigError when it cannot be read as a whole, no time can be read, all times have two readings, the decimal sign is not certain,
 * or rows are repeated
 */
export async function checkFile(file: string, options: FileOptions): Promise<CheckedFile> {
	const csv = await openCsv(file, options);
	const plan = planColumns(csv.header, options);
	const evidence: DecimalEvidence = { first: new Map(), certain: new Set() };
	const isNumber = (cell: string): boolean =>
		options.decimal === undefined ? addEvidence(evidence, cell) : Number.isFinite(readNumber(cell, options.decimal));
	const times = createTimeTable();
	const orders = new Map<number, ReturnType<typeof createRowTimes>>();
	let unreadable: string | undefined;
	let hasTimes = false;
	/** The first times that differ, two at most, as long as all that are sent are both epoch seconds and dates in digits. */
	let twoReadings: readonly string[] | undefined = options.timeFormat === undefined ? [] : undefined;
	let lastLine = 0;
	for await (const { line, cells } of csv.rows) {
		lastLine = line;
		const instants = instantsOf(plan, cells, options.readTime);
		if ('reason' in instants && instants.reason === unreadableTime) unreadable ??= instants.example;
		else hasTimes = true;
		const sent = 'reason' in instants ? [] : cellsOf(plan, cells).filter(([, cell]) => isNumber(cell));
		if ('reason' in instants || sent.length === 0) continue;
		const time = (cells[plan.timeIndex] ?? '').trim();
		if (twoReadings !== undefined)
			twoReadings = readDigits(time) === null ? undefined : [...new Set([...twoReadings, time])].slice(0, 2);
		const series = sent.reduce((bits, [{ index }]) => bits | (1n << BigInt(index)), 0n);
		// A column of series may hold one series after the other. Each then has an order of its own.
		const order = plan.seriesIndex < 0 ? 0 : (sent[0]?.[0].index ?? 0);
		const addRow = orders.get(order) ?? createRowTimes(times.add);
		orders.set(order, addRow);
		addRow({ line, instants, series });
	}
	if (lastLine === 0) throw new ConfigError(`${file} has no rows below its header.`);
	const advice = timeAdvice(unreadable ?? '', options.nowMs);
	if (!hasTimes) throw new ConfigError(`${file} has no time that can be read in column ${options.timeColumn}${advice}`);
	if (twoReadings?.length === 2)
		throw new ConfigError(
			`${file} has times with two readings in column ${options.timeColumn}: the first is ${quoted(twoReadings[0] ?? '')}. Say which: --time-format X for epoch seconds, or --time-format ${digitsFormat} for dates.`,
		);
	for (const endOf of orders.values()) endOf();
	const decimal = options.decimal ?? decimalSignOf(evidence, csv.delimiter);
	const { newestMs, repeatedHour, repeatedRows, firstRepeated } = times;
	const repeats = `${pluralize(repeatedRows, 'row')} with the series and time of an earlier row, the first in line ${firstRepeated}`;
	if (repeatedRows > 0 && options.repeated === 'refuse')
		throw new ConfigError(`${file} has ${repeats}. Nothing was sent: ${repeatedRemedy}.`);
	const [hourLine] = repeatedHour.keys();
	const hour = `an hour that occurs twice in ${options.timeZone}: told apart by their order, from line ${hourLine}`;
	const notes = [
		...(options.delimiter === undefined && csv.delimiter !== ',' ? [`Cells are separated by ${quoted(csv.delimiter)}.`] : []),
		...(options.decimal === undefined && decimal === ','
			? [`Numbers have a decimal comma, such as ${quoted(evidence.first.get(',') ?? '')}.`]
			: []),
		...(hourLine === undefined ? [] : [`${pluralize(repeatedHour.size, 'row')} of ${hour}.`]),
		...(repeatedRows === 0 ? [] : [`${repeats}: the last one stays.`]),
	];
	return { delimiter: csv.delimiter, decimal, newestMs, repeatedHour, lastLine, notes };
}

const repeatedRemedy =
	'name a column of series with --series-column and --value-column, give local times their --time-zone, or keep the last rows with --repeated keep';

/** Collects what the times of rows tell. */
function createTimeTable() {
	const seriesByTime = new Map<number, bigint>();
	const table = {
		newestMs: Number.NEGATIVE_INFINITY,
		repeatedHour: new Map<number, number>(),
		/** Rows whose series and time occurred before, and the line of the first. */
		repeatedRows: 0,
		firstRepeated: Number.POSITIVE_INFINITY,
		add: ({ line, instants, series }: TimedRow, timeMs: number | null): void => {
			if (timeMs === null) return;
			if (instants.length > 1) table.repeatedHour.set(line, timeMs);
			table.newestMs = Math.max(table.newestMs, timeMs);
			const earlier = seriesByTime.get(timeMs) ?? 0n;
			seriesByTime.set(timeMs, earlier | series);
			if ((earlier & series) === 0n) return;
			table.repeatedRows += 1;
			table.firstRepeated = Math.min(table.firstRepeated, line);
		},
	};
	return table;
}
