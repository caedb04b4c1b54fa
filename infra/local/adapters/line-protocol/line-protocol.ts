import { shorten } from '#domain/validation/parse.ts';
import type { Point } from './point.ts';
import { Scanner } from './scanner.ts';
import { type Precision, precisions } from './value.ts';

/** The points of a text, or its errors. */
export interface ParsedLines {
	/** One point for each field of each good line, in the order of the text. */
	readonly points: readonly Point[];
	/** The number of each point's line. It counts the text's physical lines from 1. */
	readonly lines: readonly number[];
	/** The first bad lines with their numbers, at most one more than `maxBadLines`; the text is not read further. */
	readonly badLines: readonly { readonly line: number; readonly message: string }[];
}

/** Most bad lines that are named. */
export const maxBadLines = 20;

/** Most characters of a bad line that its message repeats. */
const maxQuotedLength = 200;

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
 * A string may hold newlines, so an unclosed quote may swallow later lines. After an error, parsing therefore continues on the next physical
 * line, so that each bad line is named.
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
	const badLines: { readonly line: number; readonly message: string }[] = [];
	for (let line = 1; scanner.at < text.length && badLines.length <= maxBadLines; line += 1) {
		scanner.skipBlanks();
		const start = scanner.at;
		if (scanner.atLineEnd() || text[start] === '#') {
			scanner.skipLine(start);
			continue;
		}
		const error = scanner.scanPoint(points);
		while (lines.length < points.length) lines.push(line);
		const end = scanner.at;
		scanner.skipLine(error === undefined ? end : start);
		// A good point may span several physical lines, which count.
		if (error === undefined) line += newlinesBetween(text, start, end);
		else badLines.push({ line, message: messageOf(text.slice(start, scanner.at), error) });
	}
	return { points, lines, badLines };
}

/** Builds InfluxDB's message for a bad line. */
function messageOf(line: string, error: string): string {
	const [text, hint] = [line.replace(/\n$/, ''), line.endsWith('\r\n') ? ' (the line ends with CR LF: send LF alone)' : ''];
	return `unable to parse '${shorten(text, maxQuotedLength)}': ${error}${hint}`;
}

function newlinesBetween(text: string, start: number, end: number): number {
	let count = 0;
	for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
	return count;
}
