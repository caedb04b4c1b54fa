import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { DomainError } from '#domain/errors.ts';
import { type BadLine, type ParsedLines, parseLineProtocol } from '../adapters/line-protocol/line-protocol.ts';
import type { Point } from '../adapters/line-protocol/point.ts';
import { type Precision, precisions } from '../adapters/line-protocol/value.ts';
import { jsonAnswer, type RawAnswer, type RawRequest } from '../gateway/http.ts';
import { decodeBody } from './write-body.ts';

/** Where InfluxDB's clients write to. */
export const writePath = '/api/v2/write';

export interface WriteApiDeps {
	/** Stores points; rejects with a DomainError where it cannot. */
	readonly write: (database: string, points: readonly Point[]) => Promise<void>;
	/** The token that writers must show. */
	readonly token: string;
	/** Points older than this are not stored. */
	readonly retentionMs: number;
	/** The clock, epoch milliseconds. */
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

/** Bad lines that an answer names; the others are counted. */
const maxNamedLines = 20;

/**
 * InfluxDB's write API (docs.influxdata.com/influxdb/v2/api/v2, POST /api/v2/write), for Telegraf and any InfluxDB client.
 * `bucket` is the database; `org` is ignored; the good lines of a request are kept whatever the others are.
 */
export function createWriteApi({ write, token, retentionMs, now }: WriteApiDeps) {
	return async ({ method, path, query, headers, body }: RawRequest): Promise<RawAnswer> => {
		if (path !== writePath) return refuse('not found', 'path not found');
		if (method !== 'POST') return refuse('method not allowed', `${method} is not allowed here, POST is`);
		if (!isAuthorized(headers.authorization, token)) return refuse('unauthorized', 'unauthorized access');
		const bucket = query.get('bucket') ?? '';
		if (bucket === '') return refuse('invalid', 'the query parameter bucket is required');
		const precision = query.get('precision') ?? 'ns';
		if (!isPrecision(precision)) return refuse('invalid', 'invalid precision; valid precision units are ns, us, ms, and s');
		const decoded = await decodeBody(headers['content-encoding'], body);
		if ('refusal' in decoded) return refuse(decoded.refusal, decoded.message);

		const at = now();
		const parsed = parseLineProtocol(decoded.text, { precision, nowNs: BigInt(at) * nsPerMs });
		const oldestNs = BigInt(at - retentionMs) * nsPerMs;
		const kept = parsed.points.filter(({ timeNs }) => timeNs >= oldestNs);
		try {
			await write(bucket, kept);
		} catch (error) {
			// Clients send again what was answered so.
			if (error instanceof DomainError) return refuse('unavailable', 'the points could not be stored');
			throw error;
		}
		return outcome(parsed, parsed.points.length - kept.length);
	};
}

const refuse = (code: keyof typeof statuses, message: string): RawAnswer =>
	jsonAnswer(statuses[code], { code, message }, { 'x-platform-error-code': code });

function isAuthorized(header: string | undefined, token: string): boolean {
	const [, shown] = /^(?:token|bearer) +(\S.*)$/i.exec(header ?? '') ?? [];
	return shown !== undefined && constantTimeEqual(shown, token);
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text);

/** What the client is told once the good points are stored. */
function outcome({ badLines, badLineCount }: ParsedLines, dropped: number): RawAnswer {
	const droppedMessage = `points beyond retention policy dropped=${dropped}`;
	if (badLineCount > 0) {
		const message = badLinesMessage(badLines, badLineCount);
		return refuse('invalid', dropped > 0 ? `${message}; ${droppedMessage}` : message);
	}
	if (dropped > 0) return refuse('unprocessable entity', `failure writing points to database: partial write: ${droppedMessage}`);
	return { status: 204, headers: {}, body: '' };
}

function badLinesMessage(badLines: readonly BadLine[], count: number): string {
	const named = badLines.slice(0, maxNamedLines).map(({ line, message }) => `line ${line}: ${message}`);
	const more = count - named.length;
	return [...named, ...(more > 0 ? [`and ${more} more bad lines`] : [])].join('; ');
}
