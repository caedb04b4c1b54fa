import { randomUUID } from 'node:crypto';
import type { ApiEvent } from '#http/event.ts';
import type { TextClaims } from './authorizer.ts';
import type { RawRequest } from './http.ts';
import type { Route } from './route.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Where a request came from, and when. */
export interface Origin {
	readonly sourceIp: string;
	readonly now: number;
	readonly rawQuery: string;
	/** What the authorizer verified; absent on public routes. */
	readonly claims?: TextClaims;
}

/** The event that an HTTP API makes of a request, payload format 2.0. */
export function toEvent(
	request: RawRequest,
	{ endpoint, parameters }: Route,
	{ sourceIp, now, rawQuery, claims }: Origin,
): ApiEvent {
	const routeKey = `${endpoint.method} ${endpoint.path}`;
	const headers = headersOf(request);
	const query = queryOf(request);
	const cookies = request.headers.cookie?.split(';').map((cookie) => cookie.trim());
	return {
		version: '2.0',
		routeKey,
		rawPath: request.path,
		rawQueryString: rawQuery,
		...(cookies === undefined ? {} : { cookies }),
		headers,
		...(Object.keys(query).length === 0 ? {} : { queryStringParameters: query }),
		requestContext: {
			accountId: '000000000000',
			apiId: 'local',
			...(claims === undefined ? {} : { authorizer: { jwt: { claims, scopes: null } } }),
			domainName: headers['host'] ?? 'localhost',
			domainPrefix: 'local',
			http: {
				method: request.method,
				path: request.path,
				protocol: 'HTTP/1.1',
				sourceIp,
				userAgent: headers['user-agent'] ?? '',
			},
			requestId: randomUUID(),
			routeKey,
			stage: '$default',
			time: logTime(now),
			timeEpoch: now,
		},
		...(Object.keys(parameters).length === 0 ? {} : { pathParameters: { ...parameters } }),
		...bodyOf(request),
	};
}

function headersOf({ headers }: RawRequest): Record<string, string> {
	const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
		if (value === undefined || name === 'cookie') return [];
		return [[name, Array.isArray(value) ? value.join(',') : value]];
	});
	return Object.fromEntries(entries);
}

const queryOf = ({ query }: RawRequest): Record<string, string> =>
	Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]));

/** The request's time in the common log format, as the event has it. */
function logTime(time: number): string {
	const date = new Date(time);
	const day = `${twoDigits(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
	return `${day}:${date.toISOString().slice(11, 19)} +0000`;
}

/** A body as the event has it: text where it is text in UTF-8, base64 otherwise. */
function bodyOf({ body, headers }: RawRequest): Pick<ApiEvent, 'body' | 'isBase64Encoded'> {
	if (body.length === 0) return { isBase64Encoded: false };
	const text = body.toString('utf8');
	if (isText(headers['content-type'] ?? '') && Buffer.from(text).equals(body)) return { body: text, isBase64Encoded: false };
	return { body: body.toString('base64'), isBase64Encoded: true };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const isText = (contentType: string): boolean =>
	/^(text\/|application\/(json|xml|javascript|[\w.+-]+\+(json|xml)))/i.test(contentType);
