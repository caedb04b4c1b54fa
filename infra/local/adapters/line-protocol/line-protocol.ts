import type { Point } from './point.ts';
import { Scanner } from './scanner.ts';
import { type Precision, precisions } from './value.ts';

/** A line that could not be parsed. `line` counts the text's physical lines from 1. */
export interface BadLine {
	readonly line: number;
	readonly message: string;
}

/** The points and the errors of a text. */
export interface ParsedLines {
	/** One point for each field of each good line, in the order of the text. */
	readonly points: readonly Point[];
	/** The line of each point, counted like that of `BadLine`. */
	readonly lines: readonly number[];
	/** The first bad lines, at most `maxBadLines`. */
	readonly badLines: readonly BadLine[];
	/** The number of bad lines, including those beyond `maxBadLines`. */
	readonly badLineCount: number;
}

/** Most bad lines that are returned with their messages. */
export const maxBadLines = 1000;

/** How timestamps are read. */
export interface LineProtocolOptions {
	/** The unit of the timestamps. */
	readonly precision: Precision;
	/** The time of lines without a timestamp, epoch nanoseconds; cut to whole units of the precision, as InfluxDB does. */
	readonly nowNs: bigint;
}

/**
 * Parses InfluxDB line protocol (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol).
 *
 * A bad line adds no points, and the other lines are parsed all the same. A string may hold newlines, so an unclosed quote may swallow
 * later lines. After an error, parsing therefore continues on the next physical line, and only the bad line is lost.
 *
 * @example
 * parseLineProtocol('tank,site=a level=2.5 1700000000', { precision: 's', nowNs: 0n }).points;
 * // [{ measurement: 'tank', tags: '[["site","a"]]', field: 'level', value: { kind: 'float', value: 2.5 }, timeNs: 1700000000000000000n }]
 */
export function parseLineProtocol(text: string, { precision, nowNs }: LineProtocolOptions): ParsedLines {
	const defaultTimeNs = nowNs - (nowNs % precisions[precision]);
	const scanner = new Scanner(text, precision, defaultTimeNs);
	const points: Point[] = [];
	const lines: number[] = [];
	const badLines: BadLine[] = [];
	let badLineCount = 0;
	// Number of characters that may still be parsed twice. Without a limit, many unclosed quotes would take quadratic time.
	let rescannable = text.length;
	for (let line = 1; scanner.at < text.length; line += 1) {
		scanner.skipBlanks();
		const start = scanner.at;
		if (scanner.atLineEnd() || text[start] === '#') {
			scanner.skipLine(start);
			continue;
		}
		const error = scanner.scanPoint(points);
		while (lines.length < points.length) lines.push(line);
		const end = scanner.at;
		if (error !== undefined) {
			badLineCount += 1;
			if (badLines.length < maxBadLines) badLines.push({ line, message: error });
		}
		const isScannedAgain = error !== undefined && rescannable > 0;
		// A good point may span several physical lines, which count.
		if (!isScannedAgain) line += newlinesBetween(text, start, end);
		scanner.skipLine(isScannedAgain ? start : end);
		rescannable -= Math.max(0, end - scanner.at);
	}
	return { points, lines, badLines, badLineCount };
}

function newlinesBetween(text: string, start: number, end: number): number {
	let count = 0;
	for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
	return count;
}
