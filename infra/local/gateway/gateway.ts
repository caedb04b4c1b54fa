import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Authorizer } from '#http/authorizer.ts';
import { formatError } from '#http/error-log.ts';
import type { ApiHandler, ApiResult } from '#http/event.ts';
import type { Log } from '#http/log.ts';
import type { SchemaLimit } from '#http/schema-limit.ts';
import type { EndpointName, LocalEndpointName } from '#shared/contract.ts';
import { cors, type EndpointSetting, type LocalSetting, scopesOf } from '#shared/endpoint.ts';
import {
	BodyTooLargeError,
	jsonResponse,
	parseTarget,
	type RawRequest,
	type RawResponse,
	type RequestTarget,
	readBody,
	send,
} from './http.ts';
import { toEvent } from './payload.ts';
import { type MatchedRoute, routeOf } from './route.ts';

/** The quotas of API Gateway for headers and request bodies, and of Lambda for a result, in bytes. */
const maxHeaderBytes = 10_240;
const maxRequestBytes = 10 * 1024 * 1024;
const maxResponseBytes = 6 * 1024 * 1024;

/** How long a request may take to arrive, as long as API Gateway waits. */
const requestTimeoutMs = 30_000;

/** The names of this machine in the header `Host`. After DNS rebinding, a page of another site sends the name of that site. */
export const localHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** An app under its own path, in addition to the API. Its requests are not logged. */
export interface MountedApp {
	readonly path: string;
	readonly respond: (request: RawRequest) => Promise<RawResponse>;
}

/** Dependencies of the gateway. */
export interface GatewayDeps {
	readonly handlers: Readonly<Record<EndpointName | LocalEndpointName, ApiHandler>>;
	/** Limits the requests of each schema to all handlers together. */
	readonly limit: SchemaLimit;
	/** The settings that are on: an endpoint that needs another one is not served. */
	readonly settings: ReadonlySet<EndpointSetting | LocalSetting>;
	readonly authorize: Authorizer;
	/** The origins that browsers may call from. */
	readonly corsOrigins: readonly string[];
	/** Host names that requests may name, beside the names of this machine. */
	readonly allowedHosts: readonly string[];
	/** Number of proxies in front of the gateway that are trusted to say in X-Forwarded-For which address called them. */
	readonly proxyHops: number;
	readonly mounts: readonly MountedApp[];
	readonly log: Log;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Logs that the gateway itself refuses a request, and builds the response. */
type Refuse = (
	status: number,
	message: string,
	headers?: Readonly<Record<string, string>>,
	/** What the line of the log has, too. */
	fields?: Readonly<Record<string, unknown>>,
) => RawResponse;

/** A request under way, and how it is refused. */
interface Call {
	readonly deps: GatewayDeps;
	readonly request: IncomingMessage;
	readonly target: RequestTarget;
	readonly refuse: Refuse;
}

/** The status and the message of each refusal of the authorizer. */
const authorizerRefusals = { unauthorized: [401, 'Unauthorized'], forbidden: [403, 'Forbidden'] } as const;

/**
 * Creates an HTTP server that emulates API Gateway: it routes requests by the contract, checks tokens, passes payload-2.0
 * events to the handlers, and has the same limits and error bodies. Requests wait for `deps`, so that the server can listen
 * before everything is open.
 *
 * @example
 * const server = createGateway(Promise.resolve(gatewayDepsOf({ service, settings, baseUrl, log, now: Date.now })));
 * const baseUrl = await listen(server, 3000);
 */
export function createGateway(deps: Promise<GatewayDeps>): Server {
	return createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: requestTimeoutMs }, (request, response) => {
		deps.then((ready) => serve(ready, request, response)).catch(() => response.destroy());
	});
}

async function serve(deps: GatewayDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const target = parseTarget(request);
	const refuse: Refuse = (status, message, headers, fields) => {
		deps.log.info(`${request.method} ${target.path} ${status}`, { by: 'gateway', ...fields });
		return jsonResponse(status, { message }, headers);
	};
	const respond = async (): Promise<RawResponse> => {
		const { host } = request.headers;
		if (!isAllowedHost(host, deps.allowedHosts))
			return refuse(421, 'Misdirected Request', {}, { host, reason: 'PUBLIC_URL and ALLOWED_HOSTS do not have this host.' });
		const app = deps.mounts.find(({ path }) => target.path === path || target.path.startsWith(`${path}/`));
		return app === undefined ? callApi({ deps, request, target, refuse }) : callApp(app, request, target);
	};
	const result = await respond().catch((error: unknown) => {
		// The rest of the body is not read, so the connection cannot carry another request.
		if (error instanceof BodyTooLargeError) return refuse(413, 'Request Entity Too Large', { connection: 'close' });
		// A URIError: the path is not encoded correctly. A client that hung up is no fault of the service, and gets no response anyway.
		if (error instanceof URIError || hasHungUp(request, error)) return refuse(400, 'Bad Request');
		deps.log.error('The gateway failed.', { path: target.path, error: formatError(error) });
		return internalError();
	});
	send(response, withCors(result, deps.corsOrigins, request));
}

/** Whether a `Host` header names this machine, or one of the allowed hosts, with any port. */
function isAllowedHost(header: string | undefined, allowedHosts: readonly string[]): boolean {
	const name = header?.toLowerCase().replace(/:\d*$/, '');
	return name !== undefined && (localHosts.includes(name) || allowedHosts.includes(name));
}

/** Adds the CORS headers for the origin of the request, to refusals of the gateway, too. */
function withCors(response: RawResponse, allowedOrigins: readonly string[], { method, headers }: IncomingMessage): RawResponse {
	const kind = method === 'OPTIONS' ? 'preflight' : 'response';
	const vary = [response.headers['vary'], 'origin'].filter((each) => each !== undefined).join(', ');
	return { ...response, headers: { ...response.headers, ...corsHeaders(allowedOrigins, headers.origin, kind), vary } };
}

async function callApp(app: MountedApp, request: IncomingMessage, { path, query }: RequestTarget): Promise<RawResponse> {
	const { method = 'GET', headers } = request;
	return app.respond({ method, path, query, headers, readBody: (limitBytes) => readBody(request, limitBytes) });
}

async function callApi(call: Call): Promise<RawResponse> {
	const { deps, request, target, refuse } = call;
	const { method = 'GET' } = request;
	// Preflight requests are not logged: browsers send one before most other requests.
	if (method === 'OPTIONS') return { status: 204, headers: {}, body: '' };
	const route = routeOf(method, target.path);
	const setting = route?.endpoint.setting;
	const isAbsent = route === null || (setting !== undefined && !deps.settings.has(setting));
	return isAbsent ? refuse(404, 'Not Found') : callRoute(call, route);
}

/** Checks the token of a request, then reads its body, and passes both to the handler of the route. */
async function callRoute({ deps, request, target, refuse }: Call, route: MatchedRoute): Promise<RawResponse> {
	const hasAuthorizer = route.endpoint.auth === 'bearer';
	const authorization = hasAuthorizer ? await deps.authorize(request.headers.authorization, scopesOf(route.endpoint)) : undefined;
	if (authorization !== undefined && authorization.outcome !== 'allowed') {
		const [status, message] = authorizerRefusals[authorization.outcome];
		return refuse(status, message, { 'www-authenticate': authorization.challenge });
	}
	const body = await readBody(request, maxRequestBytes);
	const sourceIp = clientAddress(request, deps.proxyHops);
	const event = toEvent({ request, sourceIp, target, route, body, claims: authorization?.claims, now: deps.now() });
	const result = await deps.handlers[route.endpoint.name](event, deps.limit);
	// Lambda limits the result as a whole, with its body encoded.
	if (Buffer.byteLength(JSON.stringify(result)) > maxResponseBytes) {
		deps.log.error('A response is larger than Lambda passes on.', { routeKey: event.routeKey, limitBytes: maxResponseBytes });
		return internalError();
	}
	const response = toResponse(result);
	return { ...response, headers: { ...response.headers, 'apigw-requestid': event.requestContext.requestId } };
}

/** Returns the address of the client: the one that connected, or the one that called the first of `proxyHops` proxies. */
function clientAddress({ headersDistinct, socket }: IncomingMessage, proxyHops: number): string {
	const connected = socket.remoteAddress ?? '';
	const forwarded = (headersDistinct['x-forwarded-for'] ?? []).flatMap((each) => each.split(',')).map((each) => each.trim());
	const client = proxyHops === 0 ? undefined : forwarded.at(-proxyHops);
	return client === undefined || isIP(client) === 0 ? connected : client;
}

function toResponse({ statusCode = 200, headers = {}, body = '', isBase64Encoded = false }: ApiResult): RawResponse {
	return {
		status: statusCode,
		headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
		body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
	};
}

function internalError(): RawResponse {
	return jsonResponse(500, { message: 'Internal Server Error' });
}

/** Whether the client closed the connection before its request was read. */
function hasHungUp(request: IncomingMessage, error: unknown): boolean {
	const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
	return isReset || (request.destroyed && !request.complete);
}

/**
 * Returns the CORS headers of a response (shared/http/README.md#headers).
 * @param allowedOrigins any other origin receives no headers
 * @param origin the `Origin` header of the request
 */
function corsHeaders(
	allowedOrigins: readonly string[],
	origin: string | undefined,
	kind: 'preflight' | 'response',
): Readonly<Record<string, string>> {
	if (origin === undefined || !allowedOrigins.includes(origin)) return {};
	const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
	if (kind === 'response') return { ...allow, 'access-control-expose-headers': cors.exposedHeaders.join(',') };
	return {
		...allow,
		'access-control-allow-methods': cors.methods.join(','),
		'access-control-allow-headers': cors.headers.join(','),
		'access-control-max-age': String(cors.maxAgeSeconds),
	};
}
