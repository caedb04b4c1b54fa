import type { ApiEvent } from '#http/event.ts';

/** The parts of a request that a test can set. */
export interface RequestParts {
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	readonly id?: number | string;
	readonly query?: Readonly<Record<string, string>>;
	readonly claims?: Readonly<Record<string, string>>;
}

/** Makes an event as an HTTP API sends it. Without `claims` the schema is `s`, the database `d` and the user 1. */
export const makeEvent = (routeKey: string, { body, headers = {}, id, query, claims }: RequestParts = {}): ApiEvent => {
	const [method = 'GET', path = '/'] = routeKey.split(' ');
	const [sent = '{id}', parameter = 'id'] = /\{(\w+)\+?\}/.exec(path) ?? [];
	const rawPath = path.replace(sent, String(id ?? ''));
	return {
		version: '2.0',
		routeKey,
		rawPath,
		rawQueryString: new URLSearchParams(query).toString(),
		headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
		...(query === undefined ? {} : { queryStringParameters: { ...query } }),
		...(id === undefined ? {} : { pathParameters: { [parameter]: String(id) } }),
		requestContext: {
			accountId: '0',
			apiId: 'test',
			authorizer: { jwt: { claims: claims ?? { schema: 's', tsdb: 'd', sub: '1' }, scopes: null } },
			domainName: 'test',
			domainPrefix: 'test',
			http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'test' },
			requestId: 'request',
			routeKey,
			stage: '$default',
			time: '',
			timeEpoch: 0,
		},
		...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		isBase64Encoded: false,
	};
};
