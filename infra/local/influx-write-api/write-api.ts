import { hourMs } from '#domain/milliseconds.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { maxBadLines, type ParsedLines, parseLineProtocol } from '../adapters/line-protocol/line-protocol.ts';
import type { Point, RefusedLines } from '../adapters/line-protocol/point.ts';
import { type Precision, precisions } from '../adapters/line-protocol/value.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import type { RawRequest, RawResponse } from '../gateway/http.ts';
import { isAuthorized, isAuthorizedV1, refuse, withFaults } from './refusals.ts';
import { decodeBody, maxWriteBytes } from './write-body.ts';

/** The path that InfluxDB's clients write to. */
export const writePath = '/api/v2/write';

/** The path that clients of InfluxDB 1.x write to. */
export const v1WritePath = '/write';

/** The path at which InfluxDB's clients ask whether the server is up. */
export const pingPath = '/ping';

/** Dependencies of the write API. */
export interface WriteApiDeps {
	/** Stores points, and returns the lines that it refuses. @throws DomainError when they cannot be stored */
	readonly writeLines: SqliteTimeSeries['writeLines'];
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

/** Most reasons, and most ranges of lines, that a response names. It gives the number of the others. */
const maxNamed = 20;

const v2Precisions: readonly string[] = ['ns', 'us', 'ms', 's'];

/** What the two versions of the write API differ in. InfluxDB 2 reads the precisions of 1.x as nanoseconds, so that times are wrong. */
const versions = {
	[writePath]: {
		bucket: 'bucket',
		precisions: v2Precisions,
		isAuthorized: ({ headers }: RawRequest, token: string) => isAuthorized(headers.authorization, token),
		refuseNoBucket: () => refuse('not found', 'bucket not found'),
	},
	[v1WritePath]: {
		bucket: 'db',
		precisions: Object.keys(precisions),
		isAuthorized: isAuthorizedV1,
		refuseNoBucket: () => refuse('invalid', 'missing db'),
	},
} as const;

/**
 * Creates InfluxDB's write API (docs.influxdata.com/influxdb/v2/api/v2, POST /api/v2/write) and that of 1.x (POST /write), for Telegraf and
 * any InfluxDB client. `org` and `rp` are ignored. Nothing of a request with a bad line is stored (infra/local/README.md#write-api).
 */
export function createWriteApi({ writeLines, hasBucket, token, retentionMs, now }: WriteApiDeps) {
	return withFaults('the points could not be stored', async (request) => {
		const { method, path, query, headers, readBody } = request;
		if (path !== writePath && path !== v1WritePath) return refuse('not found', 'path not found');
		const version = versions[path];
		if (method !== 'POST') return refuse('method not allowed', `${method} is not allowed: use POST`);
		if (!version.isAuthorized(request, token)) return refuse('unauthorized', 'unauthorized access');
		const precision = query.get('precision') || 'ns';
		if (!isPrecision(precision) || !version.precisions.includes(precision)) {
			const units = new Intl.ListFormat('en').format(version.precisions);
			return refuse('invalid', `invalid precision; valid precision units are ${units}`);
		}
		const bucket = query.get(version.bucket) ?? '';
		if (bucket === '') return version.refuseNoBucket();
		if (!(await hasBucket(bucket))) return refuse('not found', `bucket "${bucket}" not found`);
		const decoded = await decodeBody(headers['content-encoding'], await readBody(maxWriteBytes));
		if ('refusal' in decoded) return refuse(decoded.refusal, decoded.message);

		const nowMs = now();
		const parsed = parseLineProtocol(decoded.text, { precision, nowNs: BigInt(nowMs) * nsPerMs });
		if (parsed.badLines.length > 0) return refuse('invalid', badLinesMessage(parsed));
		const { kept, tooOld } = splitByAge(parsed, nowMs - retentionMs, retentionMs);
		const refusals = [...(await writeLines(bucket, kept.points, kept.lines)), ...tooOld];
		const warning = aheadHeader(parsed, nowMs);
		if (refusals.length === 0) return { status: 204, headers: warning, body: '' };
		return refuse('unprocessable entity', partialWriteMessage(refusals), warning);
	});
}

/** Responds to GET and HEAD on `pingPath` as InfluxDB 2 does. No token is needed. */
export async function respondToPing({ method, path }: RawRequest): Promise<RawResponse> {
	if (path !== pingPath) return refuse('not found', 'path not found');
	if (method !== 'GET' && method !== 'HEAD') return refuse('method not allowed', `${method} is not allowed here, GET is`);
	return { status: 204, headers: { 'x-influxdb-build': 'OSS', 'x-influxdb-version': influxVersion }, body: '' };
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text);

/** Says which lines are bad. InfluxDB stores nothing then. */
function badLinesMessage({ badLines }: ParsedLines): string {
	const messages = badLines.slice(0, maxBadLines).map(({ line, message }) => `line ${line}: ${message}`);
	return [...messages, ...(badLines.length > maxBadLines ? ['and more bad lines'] : []), 'no line was stored'].join('\n');
}

/** Parts points from those that are older than `oldestMs` (epoch milliseconds), whose lines are refused. */
function splitByAge({ points, lines }: ParsedLines, oldestMs: number, retentionMs: number) {
	const oldestNs = BigInt(oldestMs) * nsPerMs;
	const isKept = (index: number): boolean => (points[index]?.timeNs ?? oldestNs) >= oldestNs;
	const kept = { points: points.filter((_, index) => isKept(index)), lines: lines.filter((_, index) => isKept(index)) };
	if (kept.points.length === points.length) return { kept, tooOld: [] };
	const dropped = [...new Set(lines.filter((_, index) => !isKept(index)))];
	const reason = `dropped ${dropped.length} points outside retention policy of duration ${retentionMs / hourMs}h0m0s`;
	return { kept, tooOld: [{ reason, dropped: dropped.length, lines: dropped }] };
}

/** Says which lines were not stored while the others were, and why. */
function partialWriteMessage(refusals: readonly RefusedLines[]): string {
	const reasons = refusals.slice(0, maxNamed).map(({ reason, dropped }) => `${reason} dropped=${dropped}`);
	if (refusals.length > maxNamed) reasons.push(`and ${refusals.length - maxNamed} more reasons`);
	const lines = refusals.flatMap((refusal) => refusal.lines).sort((a, b) => a - b);
	const named = lines.length === 0 ? [] : [`not stored: ${lineList(lines)}`];
	return `failure writing points to database: partial write: ${[...reasons, ...named].join('; ')}`;
}

/** Writes ascending numbers of lines as ranges: `lines 1-3, 5`. */
function lineList(lines: readonly number[]): string {
	const ranges: { readonly first: number; last: number }[] = [];
	for (const line of lines) {
		const range = ranges.at(-1);
		if (range !== undefined && range.last === line - 1) range.last = line;
		else ranges.push({ first: line, last: line });
	}
	const named = ranges.slice(0, maxNamed);
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
