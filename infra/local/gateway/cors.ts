import type { IncomingHttpHeaders } from 'node:http';

/** How long a browser may keep a preflight's answer, in seconds. */
const maxAgeSeconds = 300;

const allowedMethods = 'GET,POST,OPTIONS';
const allowedHeaders = 'authorization,content-type,accept,if-match,idempotency-key';
const exposedHeaders = 'etag,retry-after';

/** CORS as the HTTP API is configured: known origins only, with credentials (design section 7). */
export const createCors = (origins: readonly string[]) => {
	const allowed = (headers: IncomingHttpHeaders): Record<string, string> => {
		const { origin } = headers;
		if (origin === undefined || !origins.includes(origin)) return {};
		return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
	};
	const isEmpty = (headers: Record<string, string>): boolean => Object.keys(headers).length === 0;
	return {
		/** Headers of an answer to a request with `headers`. */
		answer: (headers: IncomingHttpHeaders): Record<string, string> => {
			const allow = allowed(headers);
			return isEmpty(allow) ? {} : { ...allow, 'access-control-expose-headers': exposedHeaders };
		},
		/** Headers of the answer to a preflight. */
		preflight: (headers: IncomingHttpHeaders): Record<string, string> => {
			const allow = allowed(headers);
			if (isEmpty(allow)) return {};
			return {
				...allow,
				'access-control-allow-methods': allowedMethods,
				'access-control-allow-headers': allowedHeaders,
				'access-control-max-age': String(maxAgeSeconds),
			};
		},
	};
};

export type Cors = ReturnType<typeof createCors>;
