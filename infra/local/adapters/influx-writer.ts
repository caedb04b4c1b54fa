import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import { isTokenRefusal } from '#adapters/influx/query-client.ts';
import { redactServerMessage } from '#adapters/redact.ts';
import { type Secret, withSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { type FieldValue, type Point, parseTags } from './line-protocol/point.ts';

/** Lines of one request: some 300 KB. */
const linesPerRequest = 5000;

/** The InfluxDB that points are written to. */
export interface InfluxWriterOptions {
	readonly url: string;
	readonly token: Secret;
	readonly org: string;
	readonly timeoutMs: number;
}

/**
 * Creates a function that writes points through InfluxDB's own write API, a few thousand a request: a failure may leave the first
 * requests stored. It throws DomainError `dependency_failed`, for example when the bucket does not exist.
 */
export function createInfluxWriter({ url, token, org, timeoutMs }: InfluxWriterOptions) {
	const { transport } = new InfluxDB({ url, timeout: timeoutMs });
	return async (database: string, points: readonly Point[]): Promise<void> => {
		const path = `/api/v2/write?${new URLSearchParams({ org, bucket: database, precision: 'ns' })}`;
		try {
			for (const body of bodiesOf(points)) {
				const send = (tokenText: string) =>
					transport.request(path, body, {
						method: 'POST',
						headers: { 'content-type': 'text/plain; charset=utf-8', authorization: `Token ${tokenText}` },
					});
				await withSecret(token, AbortSignal.timeout(timeoutMs), send, isTokenRefusal);
			}
		} catch (error) {
			const cause =
				error instanceof HttpError ? `HTTP ${error.statusCode}: ${redactServerMessage(error.message)}` : String(error);
			throw new DomainError('dependency_failed', { dependency: 'tsdb', cause }, { cause: error });
		}
	};
}

/**
 * Writes points as lines, one for each. InfluxDB skips tabs and NUL before the first field of a line, so a field key that begins with
 * one goes into the line of the point before it. In a parsed text that point always has the same measurement, tags and time.
 */
export function* linesOf(points: Iterable<Point>): Generator<string> {
	let line: [Point, ...Point[]] | undefined;
	for (const point of points) {
		if (line !== undefined && /^[\t\0]/.test(point.field) && isOfSameLine(line[0], point)) {
			line.push(point);
			continue;
		}
		if (line !== undefined) yield lineOf(line);
		line = [point];
	}
	if (line !== undefined) yield lineOf(line);
}

/** Joins the lines of points to the bodies of requests. */
function* bodiesOf(points: readonly Point[]): Generator<string> {
	let lines: string[] = [];
	for (const line of linesOf(points)) {
		if (lines.push(line) < linesPerRequest) continue;
		yield lines.join('\n');
		lines = [];
	}
	if (lines.length > 0) yield lines.join('\n');
}

const isOfSameLine = (a: Point, b: Point): boolean =>
	a.measurement === b.measurement && a.tags === b.tags && a.timeNs === b.timeNs;

/** Writes fields of one line, in nanoseconds (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol). */
function lineOf(points: readonly [Point, ...Point[]]): string {
	const [{ measurement, tags, timeNs }] = points;
	const tagTexts = parseTags(tags).map(([key, text]) => `,${escapeName(key)}=${escapeName(text)}`);
	const fields = points.map(({ field, value }) => `${escapeName(field)}=${valueText(value)}`);
	return `${measurement.replace(/[, ]/g, '\\$&')}${tagTexts.join('')} ${fields.join()} ${timeNs}`;
}

const escapeName = (text: string): string => text.replace(/[,= ]/g, '\\$&');

function valueText({ kind, value }: FieldValue): string {
	if (kind === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
	if (kind === 'int') return `${value}i`;
	if (kind === 'uint') return `${value}u`;
	// String() drops the sign of a negative zero.
	return Object.is(value, -0) ? '-0' : String(value);
}
