import type { Quality } from '#domain/reading/quality.ts';

/** What an endpoint answers: a status, and a body that is sent as JSON. */
export interface ApiResponse {
	readonly status: number;
	readonly body: unknown;
	/** Lower-case names. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The quality of each reading that the body holds; absent where it holds none by its nature. For the log, never sent. */
	readonly qualities?: readonly Quality[];
}

/** A success. */
export function ok(body: unknown, headers?: ApiResponse['headers']): ApiResponse {
	return {
		status: 200,
		body,
		...(headers === undefined ? {} : { headers }),
	};
}

/** The answer, with the qualities of the readings that it holds. */
export function withReadings(readings: Iterable<{ readonly quality: Quality }>, answer: ApiResponse): ApiResponse {
	return {
		...answer,
		qualities: Array.from(readings, ({ quality }) => quality),
	};
}
