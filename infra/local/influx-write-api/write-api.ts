import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { DomainError } from '#domain/errors.ts';
import { type ParsedLines, parseLineProtocol } from '../adapters/line-protocol/line-protocol.ts';
import type { Point } from '../adapters/line-protocol/point.ts';
import { type Precision, precisions } from '../adapters/line-protocol/value.ts';
import { jsonResponse, type RawRequest, type RawResponse } from '../gateway/http.ts';
import { decodeBody, maxWriteBytes } from './write-body.ts';

/** The path that InfluxDB's clients write to. */
export const writePath = '/api/v2/write';

/** The path at which InfluxDB's clients ask whether the server is up. */
export const pingPath = '/ping';

/** What the write API needs. */
export interface WriteApiDeps {
	/** Stores points. @throws DomainError when they cannot be stored */
	readonly write: (database: string, points: readonly Point[]) => Promise<void>;
	/** The token that requests have to carry. */
	readonly token: string;
	/** Points older than this are not stored. */
	readonly retentionMs: number;
	/** Returns epoch milliseconds. */
	readonly now: () => number;
}

/** InfluxDB's error codes (its OpenAPI document, schema Error) with their statuses. */
const statuses = {
	invalid: 400,
	unauthorized: 401,
	'not found': 404,
	'method not allowed': 405,
	'request too large': 413,
	'unsupported media type': 415,
	'unprocessable entity': 422,
	unavailable: 503,
} as const;

const nsPerMs = 1_000_000n;

/** When a client should send points again that could not be stored. */
const retryAfterSeconds = '1';

/** Most bad lines that a response names. The others are counted. */
const maxNamedLines = 20;

/**
 * Creates InfluxDB's write API (docs.influxdata.com/influxdb/v2/api/v2, POST /api/v2/write), for Telegraf and any InfluxDB client.
 * `bucket` is the database, `org` is ignored. The good lines of a request are stored even when other lines are bad
 * (infra/local/README.md#write-api).
 */
export function createWriteApi({ write, token, retentionMs, now }: WriteApiDeps) {
	return async ({ method, path, query, headers, readBody }: RawRequest): Promise<RawResponse> => {
		if (path !== writePath) return refuse('not found', 'path not found');
		if (method !== 'POST') return refuse('method not allowed', `${method} is not allowed: use POST`);
		if (!isAuthorized(headers.authorization, token)) return refuse('unauthorized', 'unauthorized access');
		const bucket = query.get('bucket') ?? '';
		if (bucket === '') return refuse('invalid', 'the query parameter bucket is required');
		const precision = query.get('precision') ?? 'ns';
		if (!isPrecision(precision)) return refuse('invalid', 'invalid precision; valid precision units are ns, us, ms, and s');
		const decoded = await decodeBody(headers['content-encoding'], await readBody(maxWriteBytes));
		if ('refusal' in decoded) return refuse(decoded.refusal, decoded.message);

		const at = now();
		const parsed = parseLineProtocol(decoded.text, { precision, nowNs: BigInt(at) * nsPerMs });
		const oldestNs = BigInt(at - retentionMs) * nsPerMs;
		const recent = parsed.points.filter(({ timeNs }) => timeNs >= oldestNs);
		try {
			await write(bucket, recent);
		} catch (error) {
			// Clients repeat a request after this status.
			if (error instanceof DomainError)
				return refuse('unavailable', 'the points could not be stored', { 'retry-after': retryAfterSeconds });
			throw error;
		}
		return responseOf(parsed, parsed.points.length - recent.length);
	};
}

/** Responds to GET and HEAD on `pingPath` as InfluxDB 2 does, with the version whose interface this is. No token is needed. */
export async function respondToPing({ method, path }: RawRequest): Promise<RawResponse> {
	if (path !== pingPath) return refuse('not found', 'path not found');
	if (method !== 'GET' && method !== 'HEAD') return refuse('method not allowed', `${method} is not allowed here, GET is`);
	return { status: 204, headers: { 'x-influxdb-build': 'OSS', 'x-influxdb-version': '2.7.12' }, body: '' };
}

const refuse = (code: keyof typeof statuses, message: string, headers: Readonly<Record<string, string>> = {}): RawResponse =>
	jsonResponse(statuses[code], { code, message }, { 'x-platform-error-code': code, ...headers });

function isAuthorized(header: string | undefined, token: string): boolean {
	const [, credential] = /^(?:token|bearer) +(\S.*)$/i.exec(header ?? '') ?? [];
	return credential !== undefined && constantTimeEqual(credential, token);
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text);

/** Returns the response once the good points are stored. */
function responseOf({ badLines, badLineCount }: ParsedLines, dropped: number): RawResponse {
	const droppedMessage = `points beyond retention policy dropped=${dropped}`;
	if (badLineCount === 0 && dropped === 0) return { status: 204, headers: {}, body: '' };
	if (badLineCount === 0)
		return refuse('unprocessable entity', `failure writing points to database: partial write: ${droppedMessage}`);
	const messages = badLines.slice(0, maxNamedLines).map(({ line, message }) => `line ${line}: ${message}`);
	if (badLineCount > maxNamedLines) messages.push(`and ${badLineCount - maxNamedLines} more bad lines`);
	if (dropped > 0) messages.push(droppedMessage);
	return refuse('invalid', messages.join('; '));
}
