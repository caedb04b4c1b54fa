import { HttpError, InfluxDB, type SendOptions } from '@influxdata/influxdb-client';
import * as v from 'valibot';
import { isTokenRefusal } from '#adapters/influx-common/query-client.ts';
import { redactServerMessage } from '#adapters/redact.ts';
import { type Secret, withSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { type FieldValue, type Point, parseTags, type RefusedLines } from './line-protocol/point.ts';

/** Most lines of one request: about 300 KB. */
const linesPerRequest = 5000;

/** The status with which InfluxDB refuses to create a bucket whose name is taken, and some lines of a write. */
const unprocessableStatus = 422;

/** The message of a write of which some lines were refused: the reason, and their number. */
const partialWrite = /partial write: (?<reason>.*) dropped=(?<dropped>\d+)/s;

/** The InfluxDB that points are written to. */
export interface InfluxWriterOptions {
	readonly url: string;
	readonly token: Secret;
	readonly org: string;
	/** Time limit of one request. */
	readonly timeoutMs: number;
}

/**
 * Creates the functions that write points through InfluxDB's own write API, in requests of a few thousand lines each. After a failure,
 * the points of earlier requests may be stored. They throw DomainError `dependency_failed`, for example when the bucket does not exist.
 * `writeLines` returns the lines that InfluxDB refused, which it does not name; `write` throws then, too.
 */
export function createInfluxWriter(options: InfluxWriterOptions) {
	const send = createSender(options);
	const writeBodies = async (database: string, bodies: Iterable<string>, onError: (error: unknown) => void): Promise<void> => {
		const path = `/api/v2/write?${new URLSearchParams({ org: options.org, bucket: database, precision: 'ns' })}`;
		for (const body of bodies) await send(path, body, { method: 'POST', headers: plainText }).catch(onError);
	};
	return {
		write: (database: string, points: readonly Point[]): Promise<void> =>
			writeBodies(database, bodiesOf(points), (error) => {
				throw requestFailed(error);
			}),
		writeLines: async (
			database: string,
			points: readonly Point[],
			lines: readonly number[],
		): Promise<readonly RefusedLines[]> => {
			const refusals: RefusedLines[] = [];
			await writeBodies(database, bodiesOf(points, lines), (error) => {
				const refusal = refusalIn(error);
				if (refusal === undefined) throw requestFailed(error);
				refusals.push(refusal);
			});
			return refusals;
		},
	};
}

/**
 * Returns which lines InfluxDB refused while it stored the others; undefined: the request failed for another reason. The names in the reason are
 * those of the client that is answered.
 */
function refusalIn(error: unknown): RefusedLines | undefined {
	if (!(error instanceof HttpError) || error.statusCode !== unprocessableStatus) return undefined;
	const { reason, dropped } = partialWrite.exec(error.message)?.groups ?? {};
	return reason === undefined ? undefined : { reason, dropped: Number(dropped), lines: [] };
}

/** Creates the functions that find and create buckets of the organisation. They throw DomainError `dependency_failed`. */
export function createInfluxBuckets(options: InfluxWriterOptions) {
	const send = createSender(options);
	const { org } = options;
	return {
		has: async (name: string): Promise<boolean> => {
			try {
				const found = await send(`/api/v2/buckets?${new URLSearchParams({ org, name })}`, '', { method: 'GET' });
				return v.parse(bucketsSchema, found).buckets.length > 0;
			} catch (error) {
				if (error instanceof HttpError && error.statusCode === 404) return false;
				throw requestFailed(error);
			}
		},
		/** Creates an empty bucket. Returns false when a bucket of that name exists. */
		create: async (name: string): Promise<boolean> => {
			try {
				// InfluxDB creates a bucket by the id of its organisation.
				const { orgs } = v.parse(orgsSchema, await send(`/api/v2/orgs?${new URLSearchParams({ org })}`, '', { method: 'GET' }));
				await send('/api/v2/buckets', JSON.stringify({ orgID: orgs[0].id, name }), { method: 'POST', headers: json });
				return true;
			} catch (error) {
				if (error instanceof HttpError && error.statusCode === unprocessableStatus) return false;
				throw requestFailed(error);
			}
		},
	};
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' } as const;
const json = { 'content-type': 'application/json' } as const;

const bucketsSchema = v.object({ buckets: v.array(v.object({ name: v.string() })) });
const orgsSchema = v.object({ orgs: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()) });

/** Creates a function that sends requests with the token. When InfluxDB refuses the token, it is read again. */
function createSender({ url, token, timeoutMs }: InfluxWriterOptions) {
	const { transport } = new InfluxDB({ url, timeout: timeoutMs });
	return (path: string, body: string, { headers, ...options }: SendOptions): Promise<unknown> => {
		const send = (tokenText: string) =>
			transport.request(path, body, { ...options, headers: { ...headers, authorization: `Token ${tokenText}` } });
		return withSecret(token, AbortSignal.timeout(timeoutMs), send, isTokenRefusal);
	};
}

/** Builds the domain's error for a failed request. */
function requestFailed(error: unknown): DomainError<'dependency_failed'> {
	const cause = error instanceof HttpError ? `HTTP ${error.statusCode}: ${redactServerMessage(error.message)}` : String(error);
	return new DomainError('dependency_failed', { dependency: 'tsdb', cause }, { cause: error });
}

/**
 * Writes each point as one line, or the points of a line as one. InfluxDB skips tabs and NUL before the first field of a line. A point whose
 * field key begins with one is therefore appended to the line of the previous point. In a parsed text that point always has the same
 * measurement, tags and time.
 * @param numbers the number of each point's line
 */
export function* linesOf(points: Iterable<Point>, numbers?: readonly number[]): Generator<string> {
	let line: [Point, ...Point[]] | undefined;
	let index = 0;
	for (const point of points) {
		const beginsWithSkipped = /^[\t\0]/.test(point.field);
		const isSame = numbers === undefined ? beginsWithSkipped : numbers[index] === numbers[index - 1];
		index += 1;
		if (line !== undefined && isSame && isOfSameLine(line[0], point)) {
			line.push(point);
			continue;
		}
		if (line !== undefined) yield lineOf(line);
		line = [point];
	}
	if (line !== undefined) yield lineOf(line);
}

/** Writes points as request bodies of at most `linesPerRequest` lines each. */
function* bodiesOf(points: readonly Point[], numbers?: readonly number[]): Generator<string> {
	let lines: string[] = [];
	for (const line of linesOf(points, numbers)) {
		if (lines.push(line) < linesPerRequest) continue;
		yield lines.join('\n');
		lines = [];
	}
	if (lines.length > 0) yield lines.join('\n');
}

const isOfSameLine = (a: Point, b: Point): boolean =>
	a.measurement === b.measurement && a.tags === b.tags && a.timeNs === b.timeNs;

/**
 * Writes one line with the fields of all given points and a timestamp in nanoseconds
 * (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol).
 */
function lineOf(points: readonly [Point, ...Point[]]): string {
	const [{ measurement, tags, timeNs }] = points;
	const tagTexts = parseTags(tags).map(([key, text]) => `,${escapeName(key)}=${escapeName(text)}`);
	const fields = points.map(({ field, value }) => `${escapeName(field)}=${valueText(value)}`);
	return `${measurement.replace(/[, ]/g, '\\$&')}${tagTexts.join('')} ${fields.join()} ${timeNs}`;
}

/** Escapes the key of a tag or field, or the value of a tag. A measurement has no escape for `=`. */
const escapeName = (text: string): string => text.replace(/[,= ]/g, '\\$&');

/** Writes a value as line protocol does. */
export function valueText({ kind, value }: FieldValue): string {
	if (kind === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
	if (kind === 'int') return `${value}i`;
	if (kind === 'uint') return `${value}u`;
	// Numbers and booleans. String() drops the sign of a negative zero.
	return Object.is(value, -0) ? '-0' : String(value);
}
