import { HttpError } from '@influxdata/influxdb-client';

/** Points that the server did not take, though it took the request. */
export interface Refusal {
	/** How many points; `atMost` where the server says which line is wrong, but not how many. */
	readonly points: number;
	readonly atMost: boolean;
	/** The server's own words, less the number: `points` has it. */
	readonly words: string;
}

/** Statuses with which a server turns down single points: bad lines, and what is past retention or of another type. */
const refusingStatuses: ReadonlySet<number> = new Set([400, 422]);

/** What of a batch of `sent` points was refused; undefined where the error is not about points. */
export function refusalOf(error: Error, sent: number): Refusal | undefined {
	if (!(error instanceof HttpError) || !refusingStatuses.has(error.statusCode)) return undefined;
	// InfluxDB ends its words so after a partial write (tsdb.PartialWriteError).
	const dropped = /\bdropped=(\d+)/.exec(error.message)?.[1];
	const points = dropped === undefined ? sent : Math.min(Number(dropped), sent);
	return { points, atMost: dropped === undefined, words: oneLine(error.message.replace(/\s*\bdropped=\d+/, '')) };
}

/** One line about a server that took nothing of a request, for the person who gave its address and token. */
export function failureLine(url: string, error: Error, attempts: number): string {
	const tried = attempts > 1 ? `, tried ${attempts} times` : '';
	if (!(error instanceof HttpError)) return `${url} cannot be reached${tried}: ${wordsOf(error)}`;
	const words = wordsOf(error);
	if (error.statusCode === 401 || error.statusCode === 403) return `${url} refuses the token (${error.statusCode}): ${words}`;
	return `${url} does not take the points (${error.statusCode}${tried}): ${words}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 500);

/** The text of an error that has none of its own: a refused connection to both ::1 and 127.0.0.1 is an AggregateError without words. */
function wordsOf(error: Error): string {
	if (error.message !== '') return oneLine(error.message);
	if (error instanceof AggregateError) return oneLine(error.errors.map(String).join('; '));
	return error.name;
}
