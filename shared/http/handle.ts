import { inspect, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from './answer.ts';
import { toErrorAnswer } from './error-answer.ts';
import type { ApiEvent, ApiHandler, ApiResult } from './event.ts';
import type { Log } from './log.ts';
import { acceptsGzip } from './request.ts';

const gzipped = promisify(gzip);

/** Below this a gzipped answer is hardly smaller. */
const minGzipBytes = 1024;
/** Fast rather than small: histories compress well at any level. */
const gzipLevel = 4;

/** What Lambda passes on, as it is encoded, less some room for what it adds. */
const maxResultBytes = 6 * 1024 * 1024 - 16_384;

/** The answer in place of one that Lambda would refuse without a word. */
const tooLarge = (event: ApiEvent): Answer => ({
	status: 413,
	body: {
		request: {
			message: acceptsGzip(event)
				? 'The answer is larger than 6 MB: ask for less in one request.'
				: 'The answer is larger than 6 MB: send Accept-Encoding: gzip, or ask for less in one request.',
		},
	},
});

const fits = (result: ApiResult): boolean =>
	(result.body ?? '').length < maxResultBytes / 6 || Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes;

const toResult = async (event: ApiEvent, { status, body, headers = {} }: Answer): Promise<ApiResult> => {
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
};

/** What the log says of an error: everything about it and its causes, for it is never shown to a client. */
const fieldsOf = (error: unknown, event: ApiEvent): Record<string, unknown> => {
	const { requestId, routeKey } = event.requestContext;
	return { requestId, routeKey, error: inspect(error) };
};

/** Makes an endpoint's answer function the handler that Lambda calls: errors mapped, faults logged once, answers as JSON. */
export const handle =
	(log: Log, answer: (event: ApiEvent) => Promise<Answer>): ApiHandler =>
	async (event) => {
		try {
			const result = await toResult(event, await answer(event));
			return fits(result) ? result : await toResult(event, tooLarge(event));
		} catch (error) {
			const mapped = toErrorAnswer(error, event.requestContext.requestId);
			if (mapped.level === 'fault') log.error('A request failed.', fieldsOf(error, event));
			return toResult(event, mapped.answer);
		}
	};
