import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Range } from '#domain/variable/window.ts';
import { linesOf, valueText } from '../influx-writer.ts';
import { parseLineProtocol } from '../line-protocol/line-protocol.ts';
import type { Point } from '../line-protocol/point.ts';
import { decodeValue } from './kinds.ts';
import { toNs } from './tables.ts';

/** What an export did. */
export interface ExportCounts {
	lines: number;
	/** Samples that are left out: texts, which are not stored, and whole numbers that were rounded. */
	skippedSamples: number;
	/** Names of series that are left out, because line protocol cannot write them on lines of their own. */
	readonly skippedSeries: string[];
}

const seriesSchema = v.object({ id: v.bigint(), measurement: v.string(), field: v.string(), tags: v.string() });
const sampleSchema = v.object({ time: v.bigint(), value: v.nullable(v.number()), kind: v.bigint() });

/** Lines of one part of the text. */
const linesPerPart = 5000;

/**
 * Writes the samples of a database as line protocol in nanoseconds, series by series, in parts of some thousand lines. The service may be
 * running: each series is as it is when its first sample is read.
 * @param file the database file of series
 * @param counts is added to
 */
export function* exportLines(file: string, database: string, { start, stop }: Range, counts: ExportCounts): Generator<string> {
	const sqlite = new DatabaseSync(file, { readOnly: true });
	try {
		const listed = sqlite.prepare(
			'SELECT id, measurement, field, tags FROM series WHERE database = ? ORDER BY measurement, field, id',
		);
		const samples = sqlite.prepare(
			'SELECT time, value, kind FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time',
		);
		for (const statement of [listed, samples]) statement.setReadBigInts(true);
		for (const row of listed.all(database)) {
			const { id, ...name } = v.parse(seriesSchema, row);
			const prefix = prefixOf(name);
			if (prefix === null) {
				counts.skippedSeries.push(`${name.measurement} ${name.field}`);
				continue;
			}
			let lines: string[] = [];
			for (const sample of samples.iterate(id, toNs(start), toNs(stop))) {
				const { time, value, kind } = v.parse(sampleSchema, sample);
				const decoded = decodeValue(value, Number(kind));
				if (decoded === null) {
					counts.skippedSamples += 1;
					continue;
				}
				counts.lines += 1;
				if (lines.push(`${prefix}${valueText(decoded)} ${time}\n`) < linesPerPart) continue;
				yield lines.join('');
				lines = [];
			}
			if (lines.length > 0) yield lines.join('');
		}
	} finally {
		sqlite.close();
	}
}

/**
 * Returns a line of a series up to its value. Null for a series that no line alone writes: a field whose name begins with a tab needs
 * another one before it.
 */
function prefixOf(name: Pick<Point, 'measurement' | 'field' | 'tags'>): string | null {
	const point: Point = { ...name, value: { kind: 'float', value: 1 }, timeNs: 0n };
	const line = [...linesOf([point])].join('\n');
	const { points } = parseLineProtocol(line, { precision: 'ns', nowNs: 0n });
	const [read] = points;
	const isSame = read?.measurement === name.measurement && read.field === name.field && read.tags === name.tags;
	return isSame && points.length === 1 ? line.slice(0, -'1 0'.length) : null;
}
