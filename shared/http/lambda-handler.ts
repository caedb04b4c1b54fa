import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Quality } from '#domain/reading/quality.ts';
import type { ApiResponse } from './api-response.ts';
import { formatError } from './error-log.ts';
import { toErrorResponse } from './error-response.ts';
import type { ApiEvent, ApiHandler, ApiResult } from './event.ts';
import type { Log, ReadingCounts, RequestRecord } from './log.ts';
import { acceptsGzip } from './request.ts';

const gzipped = promisify(gzip);

/** Below this a gzipped answer is hardly smaller. */
const minGzipBytes = 1024;

/** Fast rather than small: histories compress well at any level. */
const gzipLevel = 4;

/** What Lambda passes on, as it is encoded, less some room for what it adds. */
const maxResultBytes = 6 * 1024 * 1024 - 16_384;

/** What a request came to: what the client gets, and what was decided about it. */
interface Outcome {
	readonly result: ApiResult;
	readonly answer: ApiResponse;
}

/**
 * Makes an endpoint's answer function the handler that Lambda calls: errors mapped, answers as JSON, one line for each request
 * and one more for each fault.
 * @param clock milliseconds of whatever origin, for how long requests take
 */
export function createLambdaHandler(
	log: Log,
	answer: (event: ApiEvent) => Promise<ApiResponse>,
	clock: () => number = () => performance.now(),
): ApiHandler {
	const outcomeOfRequest = async (event: ApiEvent): Promise<Outcome> => {
		try {
			const outcome = await outcomeOf(event, await answer(event));
			return fits(outcome.result) ? outcome : await outcomeOf(event, tooLarge(event));
		} catch (error) {
			const { requestId, routeKey } = event.requestContext;
			const mapped = toErrorResponse(error, requestId);
			if (mapped.level === 'fault')
				tell(() => log.error('A request failed.', { requestId, routeKey, error: formatError(error) }));
			return outcomeOf(event, mapped.answer);
		}
	};
	return async (event) => {
		const startedAt = clock();
		const outcome = await outcomeOfRequest(event);
		tell(() => log.request(recordOf(event, outcome.answer, clock() - startedAt)));
		return outcome.result;
	};
}

async function outcomeOf(event: ApiEvent, answer: ApiResponse): Promise<Outcome> {
	const result = await toResult(event, answer);
	return { result, answer };
}

const fits = (result: ApiResult): boolean =>
	(result.body ?? '').length < maxResultBytes / 6 || Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes;

/** The answer in place of one that Lambda would refuse without a word. */
const tooLarge = (event: ApiEvent): ApiResponse => ({
	status: 413,
	body: {
		request: {
			message: acceptsGzip(event)
				? 'The answer is larger than 6 MB: ask for less in one request.'
				: 'The answer is larger than 6 MB: send Accept-Encoding: gzip, or ask for less in one request.',
		},
	},
});

/** Whatever becomes of a line, the client is answered. */
function tell(write: () => void): void {
	try {
		write();
	} catch {
		// There is nowhere left to say so.
	}
}

function recordOf(event: ApiEvent, { status, qualities }: ApiResponse, durationMs: number): RequestRecord {
	const { requestId, routeKey } = event.requestContext;
	return {
		requestId,
		routeKey,
		status,
		outcome: status >= 500 ? 'fault' : status >= 400 ? 'refused' : 'ok',
		durationMs: Math.round(durationMs * 10) / 10,
		...(qualities === undefined ? {} : { readings: countsOf(qualities) }),
	};
}

async function toResult(event: ApiEvent, { status, body, headers = {} }: ApiResponse): Promise<ApiResult> {
	const json = JSON.stringify(body);
	const common = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'accept-encoding', ...headers };
	if (json.length < minGzipBytes || !acceptsGzip(event)) return { statusCode: status, headers: common, body: json };
	const compressed = await gzipped(json, { level: gzipLevel });
	return {
		statusCode: status,
		headers: { ...common, 'content-encoding': 'gzip' },
		body: compressed.toString('base64'),
		isBase64Encoded: true,
	};
}

function countsOf(qualities: readonly Quality[]): ReadingCounts {
	const counts: Partial<Record<Quality, number>> = {};
	for (const quality of qualities) counts[quality] = (counts[quality] ?? 0) + 1;
	return counts;
}
