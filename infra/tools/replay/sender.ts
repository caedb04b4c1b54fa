import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpError, InfluxDB, Point, setLogger } from '@influxdata/influxdb-client';
import type { DataPoint } from './csv-samples.ts';
import { ReplayFailure } from './failure.ts';
import { failureLine, type Refusal, refusalOf } from './refusal.ts';

/** The InfluxDB 2.x write API to send to. */
export interface Target {
	readonly url: URL;
	readonly token: string;
	readonly org: string;
	readonly bucket: string;
}

export interface SenderOptions {
	/** How often a failed request is sent again. */
	readonly retries: number;
	/** Is told of each failure after which the request is sent again. */
	readonly retrying: (reason: string) => void;
}

/** Sends points one batch after the other. */
export interface Sender {
	/**
	 * Sends at most `maxBatchPoints` points in one request.
	 * @returns what the server refused of them, undefined where it took all
	 * Throws ReplayFailure where it took none, after retries where these could help.
	 */
	send(points: readonly DataPoint[]): Promise<Refusal | undefined>;
	/** Ends all connections; a request that waits for its next try is given up. */
	close(): void;
}

/** Most points of one request: InfluxDB's own advice. */
export const maxBatchPoints = 5000;

const maxRetryTimeMs = 120_000;

/** Connects to nothing yet. The client's own log is silenced for the whole process: `retrying` and errors say the same. */
export function createSender(target: Target, { retries, retrying }: SenderOptions): Sender {
	setLogger({ error: () => undefined, warn: () => undefined });
	const { origin, pathname } = target.url;
	const url = `${origin}${pathname.replace(/\/$/, '')}`;
	const agent = target.url.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
	let settle: ((error: Error | undefined, attempts: number) => void) | undefined;
	const api = new InfluxDB({ url, token: target.token, timeout: 30_000, transportOptions: { agent } }).getWriteApi(
		target.org,
		target.bucket,
		'ms',
		{
			batchSize: maxBatchPoints,
			flushInterval: 0,
			gzipThreshold: 0,
			maxRetries: retries,
			maxRetryTime: maxRetryTimeMs,
			minRetryDelay: 400,
			maxRetryDelay: 15_000,
			exponentialBase: 2,
			retryJitter: 200,
			writeSuccess: () => settle?.(undefined, 1),
			writeFailed: (error, _lines, attempt, expiresMs) => {
				if (isWorthRetrying(error) && attempt <= retries && Date.now() < expiresMs) {
					mendRetryAfter(error);
					retrying(failureLine(url, error, attempt));
					return undefined;
				}
				settle?.(error, attempt);
				return Promise.resolve();
			},
		},
	);
	return {
		send: async (points) => {
			const { promise, resolve } = Promise.withResolvers<{ error: Error | undefined; attempts: number }>();
			settle = (error, attempts) => resolve({ error, attempts });
			api.writeRecords(points.map(toLine).filter((line) => line !== undefined));
			// It rejects at the first failure already; what comes of the retries is told to writeFailed and writeSuccess.
			api.flush().catch(() => undefined);
			const { error, attempts } = await promise;
			if (error === undefined) return undefined;
			const refusal = refusalOf(error, points.length);
			if (refusal === undefined) throw new ReplayFailure(failureLine(url, error, attempts));
			return refusal;
		},
		close: () => {
			api.dispose();
			agent.destroy();
		},
	};
}

/** The client tries again after 429 and 5xx, and where there was no answer at all; a redirect or a refusal stays one. */
const isWorthRetrying = (error: Error): boolean => !(error instanceof HttpError) || error.statusCode >= 429;

/**
 * The client takes Retry-After for milliseconds; HTTP means seconds, or a date (RFC 9110, section 10.2.3).
 * With 0 it goes by its own back-off.
 */
function mendRetryAfter(error: Error): void {
	if (!(error instanceof HttpError)) return;
	const header = String(error.headers?.['retry-after'] ?? '');
	const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	error.retryAfter = () => (Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs));
}

const toLine = ({ topic, field, value, timeMs }: DataPoint): string | undefined =>
	new Point(topic).floatField(field, value).timestamp(timeMs).toLineProtocol({ convertTime: String });
