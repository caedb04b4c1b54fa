import type { IncomingHttpHeaders } from 'node:http';
import { cors } from '#shared/contract.ts';

/** CORS as the HTTP API is configured: known origins only, with credentials (design section 7). */
export function createCors(origins: readonly string[]) {
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
			return isEmpty(allow) ? {} : { ...allow, 'access-control-expose-headers': cors.exposedHeaders.join(',') };
		},
		/** Headers of the answer to a preflight. */
		preflight: (headers: IncomingHttpHeaders): Record<string, string> => {
			const allow = allowed(headers);
			if (isEmpty(allow)) return {};
			return {
				...allow,
				'access-control-allow-methods': cors.methods.join(','),
				'access-control-allow-headers': cors.headers.join(','),
				'access-control-max-age': String(cors.maxAgeSeconds),
			};
		},
	};
}

export type Cors = ReturnType<typeof createCors>;
