import { dayMs } from '#domain/milliseconds.ts';

/** A row whose time can be read. */
export interface TimedRow {
	readonly line: number;
	/** One or two (CellTimeReader). */
	readonly instants: readonly number[];
	/** The series of which the row has a value, as the bits of a number. */
	readonly series: bigint;
}

/**
 * Tells the two instants of a repeated clock time apart by the order of rows. Example, ascending: of 02:00, 02:30, 02:00, 02:30 the first
 * two are before the clock change. Rows are ascending or descending, as the rows before and after the repeated hour show.
 * @param onTime called once for each row, for repeated times after the row that follows them; with null when the order does not tell
 * @returns a function to call with each row in its order, and without one at the end
 */
export function createRowTimes(onTime: (row: TimedRow, timeMs: number | null) => void): (row?: TimedRow) => void {
	/** The rows of the repeated hour that is being read, and the instant of the row before them. */
	let repeated: TimedRow[] = [];
	let before: number | undefined;
	return (row) => {
		const [timeMs, second] = row?.instants ?? [];
		const hourMs = repeated[0]?.instants[0] ?? timeMs;
		if (row !== undefined && second !== undefined && Math.abs((timeMs ?? 0) - (hourMs ?? 0)) < dayMs) {
			repeated.push(row);
			return;
		}
		const times = tellApart(repeated, before, timeMs);
		for (const [index, each] of repeated.entries()) onTime(each, times?.[index] ?? null);
		before = second === undefined ? timeMs : repeated.at(-1)?.instants[0];
		repeated = [];
		if (row === undefined || timeMs === undefined) return;
		if (second === undefined) onTime(row, timeMs);
		else repeated.push(row);
	};
}

/**
 * Returns the instants of consecutive rows with repeated times; null when their order does not tell.
 * @param before the instant of the row before, and `after` of the row after them, if there is one
 */
function tellApart(rows: readonly TimedRow[], before: number | undefined, after: number | undefined): readonly number[] | null {
	const [edge = 0] = rows[0]?.instants ?? [];
	// The rows before and after are outside the repeated hour, so any instant in it can be compared with them.
	const ascends = (before ?? -Infinity) < edge && edge < (after ?? Infinity);
	const descends = (before ?? Infinity) > edge && edge > (after ?? -Infinity);
	const ways = [...(ascends ? [1] : []), ...(descends ? [-1] : [])]
		.map((direction) => ({ direction, turns: turnsOf(rows, direction) }))
		.filter(({ turns }) => turns.length <= 1);
	const [way] = ways;
	const turn = way?.turns[0];
	if (way === undefined || turn === undefined || ways.length > 1) return null;
	const times = rows.map(({ instants: [first = 0, second = 0] }, index) => (index < turn === way.direction > 0 ? first : second));
	// A row that occurs twice, or too late, looks like a turn. At the clock change no more time passes than between other rows of the hour.
	const steps = times.slice(1).map((timeMs, index) => Math.abs(timeMs - (times[index] ?? 0)));
	const [turnStep = 0] = steps.splice(turn - 1, 1);
	const longest = Math.max(0, ...steps);
	// Where each half of the rows has one clock time, only the rows around them show how far apart rows are.
	const around = Math.min(...[(before ?? Infinity) - (times[0] ?? 0), (after ?? Infinity) - (times.at(-1) ?? 0)].map(Math.abs));
	const [first = 0, second = 0] = rows[0]?.instants ?? [];
	const repeatedMs = second - first;
	const isFarBack = turnStep <= repeatedMs / 2 || (longest === 0 && turnStep === repeatedMs);
	return isFarBack && turnStep <= maxTurnRatio * (longest || around) ? times : null;
}

/** How many times the longest other step between rows the step over a clock change may be. */
const maxTurnRatio = 2;

/** Returns the indexes at which the clock goes back: against the direction (1, -1), or stays while a series has its second value. */
function turnsOf(rows: readonly TimedRow[], direction: number): readonly number[] {
	return rows.flatMap((row, index) => {
		const previous = rows[index - 1];
		if (previous === undefined) return [];
		const step = direction * ((row.instants[0] ?? 0) - (previous.instants[0] ?? 0));
		return step < 0 || (step === 0 && (row.series & previous.series) !== 0n) ? [index] : [];
	});
}
