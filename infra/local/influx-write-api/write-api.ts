import { pluralize } from '#infra/cli/pluralize.ts';
import { type ParsedLines, parseLineProtocol } from '../adapters/line-protocol/line-protocol.ts';
import type { Point } from '../adapters/line-protocol/point.ts';
import { type Precision, precisions } from '../adapters/line-protocol/value.ts';
import type { RawRequest, RawResponse } from '../gateway/http.ts';
import { isAuthorized, refuse, withFaults } from './refusals.ts';
import { decodeBody, maxWriteBytes } from './write-body.ts';

/** The path that InfluxDB's clients write to. */
export const writePath = '/api/v2/write';

/** The path at which InfluxDB's clients ask whether the server is up. */
export const pingPath = '/ping';

/** Dependencies of the write API. */
export interface WriteApiDeps {
	/** Stores points. @throws DomainError when they cannot be stored */
	readonly write: (database: string, points: readonly Point[]) => Promise<void>;
	/** Returns whether a database may be written to. @throws DomainError when that cannot be read */
	readonly hasBucket: (database: string) => Promise<boolean>;
	/** The token that requests have to carry. */
	readonly token: string;
	/** Points older than this are not stored. */
	readonly retentionMs: number;
	/** Returns epoch milliseconds. */
	readonly now: () => number;
}

const nsPerMs = 1_000_000n;

/** The version of InfluxDB that this API follows. */
const influxVersion = '2.7.12';

/** By how much samples may be ahead of the clock without a warning: the clock of their source may be fast. */
const aheadMs = 60_000;

/** Most bad lines, and most ranges of stored lines, that a response names. It gives the number of the others. */
const maxNamedLines = 20;

/**
 * Creates InfluxDB's write API (docs.influxdata.com/influxdb/v2/api/v2, POST /api/v2/write), for Telegraf and any InfluxDB client.
 * `bucket` is the database, `org` is ignored. The good lines of a request are stored even when other lines are bad
 * (infra/local/README.md#write-api).
 */
export function createWriteApi({ write, hasBucket, token, retentionMs, now }: WriteApiDeps) {
	return withFaults('the points could not be stored', async ({ method, path, query, headers, readBody }) => {
		if (path !== writePath) return refuse('not found', 'path not found');
		if (method !== 'POST') return refuse('method not allowed', `${method} is not allowed: use POST`);
		if (!isAuthorized(headers.authorization, token)) return refuse('unauthorized', 'unauthorized access');
		const bucket = query.get('bucket') ?? '';
		if (bucket === '') return refuse('invalid', 'the query parameter bucket is required');
		const precision = query.get('precision') ?? 'ns';
		if (!isPrecision(precision)) return refuse('invalid', 'invalid precision; valid precision units are ns, us, ms, and s');
		if (!(await hasBucket(bucket))) return refuse('not found', `bucket "${bucket}" not found`);
		const decoded = await decodeBody(headers['content-encoding'], await readBody(maxWriteBytes));
		if ('refusal' in decoded) return refuse(decoded.refusal, decoded.message);

		const nowMs = now();
		const parsed = parseLineProtocol(decoded.text, { precision, nowNs: BigInt(nowMs) * nsPerMs });
		const oldestNs = BigInt(nowMs - retentionMs) * nsPerMs;
		const isKept = ({ timeNs }: Point): boolean => timeNs >= oldestNs;
		await write(bucket, parsed.points.filter(isKept));
		return responseOf(parsed, isKept, aheadHeader(parsed, nowMs));
	});
}

/** Responds to GET and HEAD on `pingPath` as InfluxDB 2 does. No token is needed. */
export async function respondToPing({ method, path }: RawRequest): Promise<RawResponse> {
	if (path !== pingPath) return refuse('not found', 'path not found');
	if (method !== 'GET' && method !== 'HEAD') return refuse('method not allowed', `${method} is not allowed here, GET is`);
	return { status: 204, headers: { 'x-influxdb-build': 'OSS', 'x-influxdb-version': influxVersion }, body: '' };
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text);

/**
 * Builds the response after the good points are stored. When some lines were bad, or points were dropped, it says which lines were stored.
 * @param isKept whether a point is within the retention; others were dropped
 */
function responseOf(
	{ points, lines, badLines, badLineCount }: ParsedLines,
	isKept: (point: Point) => boolean,
	headers: Readonly<Record<string, string>>,
): RawResponse {
	const dropped = points.filter((point) => !isKept(point)).length;
	if (badLineCount === 0 && dropped === 0) return { status: 204, headers, body: '' };
	const storedLines = new Set(points.flatMap((point, index) => (isKept(point) ? (lines[index] ?? []) : [])));
	const droppedMessage = `points beyond retention policy dropped=${dropped}`;
	const storedMessage = storedLines.size === 0 ? 'no line was stored' : `stored: ${lineList([...storedLines])}`;
	if (badLineCount === 0) {
		const message = `failure writing points to database: partial write: ${droppedMessage}; ${storedMessage}`;
		return refuse('unprocessable entity', message, headers);
	}
	const messages = badLines.slice(0, maxNamedLines).map(({ line, message }) => `line ${line}: ${message}`);
	if (badLineCount > maxNamedLines) messages.push(`and ${badLineCount - maxNamedLines} more bad lines`);
	if (dropped > 0) messages.push(droppedMessage);
	return refuse('invalid', [...messages, storedMessage].join('; '), headers);
}

/** Writes ascending numbers of lines as ranges: `lines 1-3, 5`. */
function lineList(lines: readonly number[]): string {
	const ranges: { readonly first: number; last: number }[] = [];
	for (const line of lines) {
		const range = ranges.at(-1);
		if (range !== undefined && range.last === line - 1) range.last = line;
		else ranges.push({ first: line, last: line });
	}
	const named = ranges.slice(0, maxNamedLines);
	const texts = named.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
	const namedCount = named.reduce((count, { first, last }) => count + (last - first + 1), 0);
	const others = lines.length - namedCount;
	return `${lines.length === 1 ? 'line' : 'lines'} ${texts.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/**
 * Builds a header that reports samples ahead of the clock by more than `aheadMs`. Readings show such a sample only when its time has
 * come.
 */
function aheadHeader({ points, lines }: ParsedLines, nowMs: number): Readonly<Record<string, string>> {
	const latestNs = BigInt(nowMs + aheadMs) * nsPerMs;
	const isAhead = ({ timeNs }: Point): boolean => timeNs > latestNs;
	const firstIndex = points.findIndex(isAhead);
	const firstPoint = points[firstIndex];
	if (firstPoint === undefined) return {};
	const count = points.filter(isAhead).length;
	const seconds = (firstPoint.timeNs / nsPerMs - BigInt(nowMs)) / 1000n;
	const warning = `${pluralize(count, 'sample')} ahead of the clock, the first in line ${lines[firstIndex]} by ${seconds} s`;
	return { 'x-caudal-warning': warning };
}
