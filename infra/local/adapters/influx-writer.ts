import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import * as v from 'valibot';
import { isTokenRefusal } from '#adapters/influx/query-client.ts';
import { redactServerMessage } from '#adapters/redact.ts';
import { type Secret, withSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import type { FieldValue, Point } from './line-protocol/point.ts';

const tagsSchema = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])));

/** Points of one request: some 300 KB. */
const pointsPerRequest = 5000;

/** A point as line protocol has it, in nanoseconds (docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol). */
export function lineOf({ measurement, tags, field, value, timeNs }: Point): string {
	const tagText = v.parse(tagsSchema, tags).map(([key, text]) => `,${escapeName(key)}=${escapeName(text)}`);
	return `${measurement.replace(/[, ]/g, '\\$&')}${tagText.join('')} ${escapeName(field)}=${valueText(value)} ${timeNs}`;
}

/** Where points are written. */
export interface InfluxWriterOptions {
	readonly url: string;
	readonly token: Secret;
	readonly org: string;
	readonly timeoutMs: number;
}

/**
 * Writes points to InfluxDB's own write API, a few thousand a request: a failure may leave the first ones.
 * What it returns rejects with DomainError `dependency_failed`: a bucket that does not exist is one cause.
 */
export function createInfluxWriter({ url, token, org, timeoutMs }: InfluxWriterOptions) {
	const { transport } = new InfluxDB({ url, timeout: timeoutMs });
	return async (database: string, points: readonly Point[]): Promise<void> => {
		const path = `/api/v2/write?${new URLSearchParams({ org, bucket: database, precision: 'ns' })}`;
		try {
			for (let from = 0; from < points.length; from += pointsPerRequest) {
				const lines = points.slice(from, from + pointsPerRequest).map(lineOf);
				const send = (shown: string) =>
					transport.request(path, lines.join('\n'), {
						method: 'POST',
						headers: { 'content-type': 'text/plain; charset=utf-8', authorization: `Token ${shown}` },
					});
				await withSecret(token, AbortSignal.timeout(timeoutMs), send, isTokenRefusal);
			}
		} catch (error) {
			const said = error instanceof HttpError ? `HTTP ${error.statusCode}: ${redactServerMessage(error.message)}` : String(error);
			throw new DomainError('dependency_failed', { dependency: 'tsdb', cause: said }, { cause: error });
		}
	};
}

const escapeName = (text: string): string => text.replace(/[,= ]/g, '\\$&');

function valueText(field: FieldValue): string {
	switch (field.kind) {
		case 'int':
			return `${field.value}i`;
		case 'uint':
			return `${field.value}u`;
		case 'string':
			return `"${field.value.replace(/["\\]/g, '\\$&')}"`;
		default:
			// A number's text has no sign where it is zero.
			return Object.is(field.value, -0) ? '-0' : String(field.value);
	}
}
