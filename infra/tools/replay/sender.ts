import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Point } from '@influxdata/influxdb-client';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import type { DataPoint } from './csv-samples.ts';

/** The InfluxDB 2.x write API to send to. */
export interface WriteTarget {
	readonly url: URL;
	readonly token: string;
	readonly org: string;
	readonly bucket: string;
	/** Most repetitions of a failed request. */
	readonly retries: number;
}

/** Points of one request that the server refused. */
export interface RefusedPoints {
	readonly points: number;
	/** Whether `points` is only an upper bound, because the server did not say how many it refused. */
	readonly isUpperBound: boolean;
	/** The server's message, without the number of points. */
	readonly message: string;
}

/** The server's answer to a request of which it took points. */
export interface SentBatch {
	/** Undefined when it took all. */
	readonly refused: RefusedPoints | undefined;
	/** Its warning about points that it took. */
	readonly warning: string | null;
}

/** Most points of one request, as InfluxDB advises. */
export const maxBatchPoints = 5000;

/** Time limit of one request. */
const requestTimeoutMs = 30_000;

/** The wait before the first retry. It doubles with each. */
const firstBackoffMs = 400;
const maxBackoffMs = 15_000;
/** The most that chance adds to a wait. */
const maxJitterMs = 200;

/** The status of a request of which the server took all points. */
const allTaken = 204;

/** Statuses of a request of which single points were refused: malformed lines, points past the retention period or of another type. */
const refusingStatuses = [400, 422];

/** The status of a failure without a response. */
const noResponse = 0;

/** The server takes no more requests for now. */
const tooManyRequests = 429;

/** The first of the server's own failures. */
const serverError = 500;

/** The status of creating a bucket whose name is taken. */
const bucketExists = 422;

const orgsSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ orgs: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()) }),
);

const errorSchema = v.pipe(v.string(), v.parseJson(), v.object({ message: v.string() }));

/**
 * Sends at most `maxBatchPoints` points in one request, and again after 429, a 5xx or no response.
 * @param onRetry called with the reason before each retry
 * @throws ConfigError when the server took no points
 */
export async function sendBatch(
	target: WriteTarget,
	points: readonly DataPoint[],
	onRetry: (reason: string) => unknown,
): Promise<SentBatch> {
	const body = gzipSync(points.map(toLine).join('\n'));
	for (let attempt = 1; ; attempt += 1) {
		const { status, message, retryAfter, warning } = await post(target, body);
		if (status === allTaken) return { refused: undefined, warning };
		if (refusingStatuses.includes(status)) return { refused: refusedPoints(message, points.length), warning };
		const reason = failureText(target, { status, message, attempts: attempt });
		const canSucceedLater = status === noResponse || status === tooManyRequests || status >= serverError;
		if (attempt > target.retries || !canSucceedLater) throw new ConfigError(reason);
		onRetry(reason);
		const backoffMs = Math.min(firstBackoffMs * 2 ** (attempt - 1), maxBackoffMs) + Math.random() * maxJitterMs;
		await setTimeout(retryAfterMs(retryAfter) ?? backoffMs);
	}
}

/**
 * Creates the bucket of a target.
 * @returns false where there is one of that name
 * @throws ConfigError when the server does not create it
 */
export async function createBucket(target: WriteTarget): Promise<boolean> {
	const headers = { authorization: `Token ${target.token}`, 'content-type': 'application/json' };
	const request = async (path: string, init: RequestInit): Promise<Response> => {
		const signal = AbortSignal.timeout(requestTimeoutMs);
		try {
			return await fetch(`${addressOf(target)}${path}`, { ...init, headers, redirect: 'manual', signal });
		} catch (error) {
			const failure = { status: noResponse, message: oneLine(networkMessage(error)), attempts: 1 };
			throw new ConfigError(failureText(target, failure));
		}
	};
	const found = await request(`/api/v2/orgs?${new URLSearchParams({ org: target.org })}`, { method: 'GET' });
	const orgs = v.safeParse(orgsSchema, await found.text());
	if (!orgs.success) throw new ConfigError(`${addressOf(target)} does not name organization ${target.org} (${found.status}).`);
	const body = JSON.stringify({ orgID: orgs.output.orgs[0].id, name: target.bucket });
	const created = await request('/api/v2/buckets', { method: 'POST', body });
	if (created.status !== 201 && created.status !== bucketExists)
		throw new ConfigError(`${addressOf(target)} does not create bucket ${target.bucket} (${created.status}).`);
	return created.status === 201;
}

const addressOf = ({ url }: WriteTarget): string => `${url.origin}${url.pathname.replace(/\/$/, '')}`;

const toLine = ({ topic, field, value, timeMs }: DataPoint): string | undefined =>
	new Point(topic).floatField(field, value).timestamp(timeMs).toLineProtocol({ convertTime: String });

/** Sends one request. */
async function post(target: WriteTarget, body: Uint8Array<ArrayBuffer>) {
	const query = new URLSearchParams({ org: target.org, bucket: target.bucket, precision: 'ms' });
	try {
		const response = await fetch(`${addressOf(target)}/api/v2/write?${query.toString()}`, {
			method: 'POST',
			headers: { authorization: `Token ${target.token}`, 'content-encoding': 'gzip' },
			body,
			redirect: 'manual',
			signal: AbortSignal.timeout(requestTimeoutMs),
		});
		const text = await response.text();
		const parsed = v.safeParse(errorSchema, text);
		const message = oneLine(parsed.success ? parsed.output.message : text) || response.statusText;
		// The numbers of lines in it are those of the request, not of the file.
		const warning = response.headers.get('x-caudal-warning')?.replace(/ in line \d+/, '') ?? null;
		return { status: response.status, message, retryAfter: response.headers.get('retry-after'), warning };
	} catch (error) {
		return { status: noResponse, message: oneLine(networkMessage(error)), retryAfter: null, warning: null };
	}
}

/** Milliseconds from a Retry-After header, which holds seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
	if (header === null) return undefined;
	const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return waitMs > 0 ? waitMs : undefined;
}

/** The message of the network error below a failed fetch. A connection refused by both ::1 and 127.0.0.1 has two. */
function networkMessage(error: unknown): string {
	const cause = error instanceof Error ? (error.cause ?? error) : error;
	return cause instanceof AggregateError ? cause.errors.map(messageOf).join('; ') : messageOf(cause);
}

/** The most characters of a message that are printed. */
const maxMessageLength = 500;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, maxMessageLength);

function refusedPoints(message: string, sent: number): RefusedPoints {
	// The end of the message of a partial write (PartialWriteError in InfluxDB's tsdb package).
	const dropped = /\bdropped=(\d+)/.exec(message)?.[1];
	return {
		points: Math.min(Number(dropped ?? sent), sent),
		isUpperBound: dropped === undefined,
		// The server says which lines of the request were stored. That is removed, because they are not lines of the file.
		message: message.replace(/\s*\bdropped=\d+/, '').replace(/; (?:stored: |no line was stored).*$/, ''),
	};
}

/** A request that failed, after `attempts` of it. */
interface Failure {
	readonly status: number;
	readonly message: string;
	readonly attempts: number;
}

function failureText(target: WriteTarget, { status, message, attempts }: Failure): string {
	const address = addressOf(target);
	const tried = attempts > 1 ? `, tried ${attempts} times` : '';
	if (status === noResponse) return `${address} cannot be reached${tried}: ${message}`;
	if (status === 401 || status === 403) return `${address} refuses the token (${status}): ${message}`;
	const remedy = status === 404 && message.startsWith('bucket ') ? '. --create creates it.' : '';
	return `${address} does not take the points (${status}${tried}): ${message}${remedy}`;
}
