import type { Point } from './point.ts';
import { Scanner } from './scanner.ts';
import { type Precision, precisions } from './value.ts';

/** A line that could not be read. `line` counts the text's physical lines from 1. */
export interface BadLine {
	readonly line: number;
	readonly message: string;
}

export interface ParsedLines {
	/** One for each field of each good line, in the order written. */
	readonly points: readonly Point[];
	/** The first bad lines, at most `maxBadLines`. */
	readonly badLines: readonly BadLine[];
	/** How many lines were bad, those beyond `maxBadLines` too. */
	readonly badLineCount: number;
}

/** Most bad lines that are kept with their messages. */
export const maxBadLines = 1000;

export interface LineProtocolOptions {
	/** The unit of the timestamps. */
	readonly precision: Precision;
	/** The time of lines that have none, epoch nanoseconds; cut to whole units of the precision, as InfluxDB does. */
	readonly nowNs: bigint;
}

/**
 * Parses InfluxDB line protocol (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol).
 *
 * Nothing is kept of a bad line, and the others are read all the same. Strings may hold newlines, so a quote too many pairs
 * with one further down: reading begins again on the next physical line, and the quote spoils its own line only.
 */
export function parseLineProtocol(text: string, { precision, nowNs }: LineProtocolOptions): ParsedLines {
	const scanner = new Scanner(text, precision, wholeUnits(nowNs, precisions[precision]));
	const points: Point[] = [];
	const badLines: BadLine[] = [];
	let badLineCount = 0;
	let line = 1;
	// Reading again what a bad line had run into must not add up to quadratic time: beyond one text's length, it is skipped.
	let rescannable = text.length;

	/** Goes on behind the newline at or after `from`; `line` is then that place's. */
	const nextLine = (from: number): void => {
		const end = text.indexOf('\n', from);
		scanner.at = end < 0 ? text.length : end + 1;
		line += 1;
	};
	const countNewlines = (from: number, to: number): void => {
		for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) line += 1;
	};

	while (scanner.at < text.length) {
		scanner.skipBlanks();
		const start = scanner.at;
		if (scanner.atLineEnd() || text[start] === '#') {
			nextLine(start);
			continue;
		}
		const kept = points.length;
		const fault = scanner.scanPoint(points);
		const reached = scanner.at;
		if (fault !== undefined) {
			points.length = kept;
			badLineCount += 1;
			if (badLines.length < maxBadLines) badLines.push({ line, message: fault });
		}
		if (fault === undefined || rescannable <= 0) {
			countNewlines(start, reached);
			nextLine(reached);
		} else {
			nextLine(start);
			rescannable -= Math.max(0, reached - scanner.at);
		}
	}
	return { points, badLines, badLineCount };
}

const wholeUnits = (timeNs: bigint, unitNs: bigint): bigint => timeNs - (((timeNs % unitNs) + unitNs) % unitNs);
