import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TextClaims } from '#http/authorizer.ts';
import type { ApiEvent } from '#http/event.ts';
import type { RequestTarget } from './http.ts';
import type { MatchedRoute } from './route.ts';

/** A request that passed the gateway's checks. */
export interface CheckedRequest {
	readonly request: IncomingMessage;
	/** The network address of the client. */
	readonly sourceIp: string;
	readonly target: RequestTarget;
	readonly route: MatchedRoute;
	readonly body: Buffer;
	/** The claims of the token; undefined on public routes. */
	readonly claims: TextClaims | undefined;
	/** Time of the request, epoch milliseconds. */
	readonly now: number;
}

/** Builds the event that an HTTP API passes to a Lambda function, payload format 2.0. It lacks what is empty, as API Gateway's does. */
export function toEvent({ request, sourceIp, target, route, body, claims, now }: CheckedRequest): ApiEvent {
	const { method = 'GET' } = request;
	const routeKey = `${method} ${route.path}`;
	const { cookie, ...otherHeaders } = request.headers;
	const headers = Object.fromEntries(Object.entries(otherHeaders).map(([name, value]) => [name, String(value)]));
	const queryNames = [...new Set(target.query.keys())];
	return {
		version: '2.0',
		routeKey,
		rawPath: target.path,
		rawQueryString: target.rawQuery,
		...(cookie === undefined ? {} : { cookies: cookie.split(';').map((each) => each.trim()) }),
		headers,
		...(queryNames.length === 0
			? {}
			: { queryStringParameters: Object.fromEntries(queryNames.map((name) => [name, target.query.getAll(name).join(',')])) }),
		requestContext: {
			accountId: '000000000000',
			apiId: 'local',
			...(claims === undefined ? {} : { authorizer: { jwt: { claims, scopes: null } } }),
			domainName: headers['host'] ?? 'localhost',
			domainPrefix: 'local',
			http: {
				method,
				path: target.path,
				protocol: 'HTTP/1.1',
				sourceIp,
				userAgent: headers['user-agent'] ?? '',
			},
			requestId: randomUUID(),
			routeKey,
			stage: '$default',
			time: commonLogTime(now),
			timeEpoch: now,
		},
		...(Object.keys(route.parameters).length === 0 ? {} : { pathParameters: { ...route.parameters } }),
		...encodeBody(body, request.headers),
	};
}

/** Formats a time as the common log format has it: `21/Nov/2026:12:03:11 +0000`. */
function commonLogTime(time: number): string {
	return new Date(time).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
}

/** Encodes a body as API Gateway does: text of a textual content type in UTF-8 as it is, anything else in base64. */
function encodeBody(body: Buffer, headers: IncomingHttpHeaders): Pick<ApiEvent, 'body' | 'isBase64Encoded'> {
	if (body.length === 0) return { isBase64Encoded: false };
	const text = body.toString('utf8');
	// Bytes that are not UTF-8 do not come back the same.
	if (isTextType(headers['content-type'] ?? '') && Buffer.from(text).equals(body)) return { body: text, isBase64Encoded: false };
	return { body: body.toString('base64'), isBase64Encoded: true };
}

/** Whether a content type is textual: `text/…`, JSON, XML, JavaScript, or a type such as `application/geo+json`. */
function isTextType(contentType: string): boolean {
	return /^(text\/|application\/(json|xml|javascript|[\w.+-]+\+(json|xml)))/i.test(contentType);
}
