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

/** Samples may be ahead of the clock by this much without a warning: the clock of their source may be fast. */
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

		const at = now();
		const parsed = parseLineProtocol(decoded.text, { precision, nowNs: BigInt(at) * nsPerMs });
		const oldestNs = BigInt(at - retentionMs) * nsPerMs;
		const isKept = ({ timeNs }: Point): boolean => timeNs >= oldestNs;
		const recent = parsed.points.filter(isKept);
		await write(bucket, recent);
		return responseOf(parsed, isKept, parsed.points.length - recent.length, aheadHeader(parsed, at));
	});
}

/** Responds to GET and HEAD on `pingPath` as InfluxDB 2 does. No token is needed. */
export async function respondToPing({ method, path }: RawRequest): Promise<RawResponse> {
	if (path !== pingPath) return refuse('not found', 'path not found');
	if (method !== 'GET' && method !== 'HEAD') return refuse('method not allowed', `${method} is not allowed here, GET is`);
	return { status: 204, headers: { 'x-influxdb-build': 'OSS', 'x-influxdb-version': influxVersion }, body: '' };
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text);

/** Builds the response after the good points are stored. When some points were refused, it says which lines were stored. */
function responseOf(
	{ points, lines, badLines, badLineCount }: ParsedLines,
	isKept: (point: Point) => boolean,
	dropped: number,
	headers: Readonly<Record<string, string>>,
): RawResponse {
	if (badLineCount === 0 && dropped === 0) return { status: 204, headers, body: '' };
	const stored = new Set(points.flatMap((point, index) => (isKept(point) ? (lines[index] ?? []) : [])));
	const droppedMessage = `points beyond retention policy dropped=${dropped}`;
	const storedMessage = stored.size === 0 ? 'no line was stored' : `stored: ${lineList([...stored])}`;
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
	const more = named.reduce((count, { first, last }) => count - (last - first + 1), lines.length);
	return `${lines.length === 1 ? 'line' : 'lines'} ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Builds a header that reports samples ahead of the clock by more than `aheadMs`. Readings show such a sample only when its time has
 * come.
 */
function aheadHeader({ points, lines }: ParsedLines, at: number): Readonly<Record<string, string>> {
	const latestNs = BigInt(at + aheadMs) * nsPerMs;
	const first = points.findIndex(({ timeNs }) => timeNs > latestNs);
	const point = points[first];
	if (point === undefined) return {};
	const count = points.reduce((sum, { timeNs }) => sum + (timeNs > latestNs ? 1 : 0), 0);
	const seconds = (point.timeNs / nsPerMs - BigInt(at)) / 1000n;
	const warning = `${pluralize(count, 'sample')} ahead of the clock, the first in line ${lines[first]} by ${seconds} s`;
	return { 'x-caudal-warning': warning };
}
