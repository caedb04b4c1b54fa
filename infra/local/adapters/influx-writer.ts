import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import { isTokenRefusal } from '#adapters/influx/query-client.ts';
import { redactServerMessage } from '#adapters/redact.ts';
import { type Secret, withSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { type FieldValue, type Point, parseTags } from './line-protocol/point.ts';

/** Points of one request: some 300 KB. */
const pointsPerRequest = 5000;

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
			for (let from = 0; from < points.length; from += pointsPerRequest) {
				const lines = points.slice(from, from + pointsPerRequest).map(lineOf);
				const send = (tokenText: string) =>
					transport.request(path, lines.join('\n'), {
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

/** Writes a point as line protocol, in nanoseconds (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol). */
export function lineOf({ measurement, tags, field, value, timeNs }: Point): string {
	const tagTexts = parseTags(tags).map(([key, text]) => `,${escapeName(key)}=${escapeName(text)}`);
	return `${measurement.replace(/[, ]/g, '\\$&')}${tagTexts.join('')} ${escapeName(field)}=${valueText(value)} ${timeNs}`;
}

const escapeName = (text: string): string => text.replace(/[,= ]/g, '\\$&');

function valueText({ kind, value }: FieldValue): string {
	if (kind === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
	if (kind === 'int') return `${value}i`;
	if (kind === 'uint') return `${value}u`;
	// String() drops the sign of a negative zero.
	return Object.is(value, -0) ? '-0' : String(value);
}
