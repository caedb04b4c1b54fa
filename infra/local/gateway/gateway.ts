import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { formatError } from '#http/error-log.ts';
import type { ApiHandler, ApiResult } from '#http/event.ts';
import type { Log } from '#http/log.ts';
import type { EndpointName } from '#shared/contract.ts';
import type { Authorizer } from './authorizer.ts';
import type { Cors } from './cors.ts';
import { BodyTooLarge, jsonAnswer, type RawAnswer, type RawRequest, readBody, send, targetOf } from './http.ts';
import { toEvent } from './payload.ts';
import { type Route, routeOf } from './route.ts';

/** Limits of API Gateway and Lambda (facts: AWS limits). */
const maxRequestBytes = 10 * 1024 * 1024;

const maxResponseBytes = 6 * 1024 * 1024;

const maxHeaderBytes = 10_240;

/** Something beside the API that this process serves: the demo identity provider, the series write API. */
export interface MountedApp {
	readonly path: string;
	readonly maxBodyBytes: number;
	readonly answer: (request: RawRequest) => Promise<RawAnswer>;
}

export interface GatewayDeps {
	readonly handlers: Readonly<Record<EndpointName, ApiHandler>>;
	readonly authorize: Authorizer;
	readonly cors: Cors;
	readonly mounts: readonly MountedApp[];
	readonly log: Log;
	readonly now: () => number;
}

/** An answer, and whether the log has heard of the request already: from the handler that it reached. */
interface Served {
	readonly answer: RawAnswer;
	readonly logged: boolean;
}

/**
 * The service's HTTP API on one machine: routes from the contract, tokens checked, payload-2.0 events, limits and bodies as
 * API Gateway has them. Requests wait for `deps`, so that the port can be taken before everything is ready.
 */
export function createGateway(deps: Promise<GatewayDeps>): Server {
	return createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
		deps.then((ready) => serve(ready, request, response)).catch(() => response.destroy());
	});
}

async function serve(deps: GatewayDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { path } = targetOf(request);
	const mount = deps.mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
	const { answer, logged } = await (mount === undefined
		? answerApi(deps, request, path)
		: answerMount(mount, request, path)
	).catch((error: unknown): Served => {
		if (error instanceof BodyTooLarge) return refused(413, 'Request Entity Too Large', { connection: 'close' });
		if (error instanceof URIError) return refused(400, 'Bad Request');
		// A client that hung up hears no answer, and it is nobody's fault here.
		if (hasHungUp(request, error)) return refused(400, 'Bad Request');
		deps.log.error('The gateway failed.', { path, error: formatError(error) });
		return { answer: gatewayAnswer(500, 'Internal Server Error'), logged: true };
	});
	if (!logged) deps.log.info(`${request.method} ${path} ${answer.status}`, { by: 'gateway' });
	send(response, answer);
}

async function answerApi(deps: GatewayDeps, request: IncomingMessage, path: string): Promise<Served> {
	const method = request.method ?? 'GET';
	// Browsers ask before every other request: nobody wants to read that.
	if (method === 'OPTIONS')
		return { answer: { status: 204, headers: deps.cors.preflight(request.headers), body: '' }, logged: true };
	const route = routeOf(method, path);
	const { answer, logged } = route === null ? refused(404, 'Not Found') : await answerRoute(deps, request, route, path);
	const vary = [answer.headers['vary'], 'origin'].filter((each) => each !== undefined).join(', ');
	return { answer: { ...answer, headers: { ...answer.headers, ...deps.cors.answer(request.headers), vary } }, logged };
}

/** What is beside the API is no request of it, and is not logged. */
async function answerMount(mount: MountedApp, request: IncomingMessage, path: string): Promise<Served> {
	const { query } = targetOf(request);
	const body = await readBody(request, mount.maxBodyBytes);
	const answer = await mount.answer({ method: request.method ?? 'GET', path, query, headers: request.headers, body });
	return { answer, logged: true };
}

const refused = (...parameters: Parameters<typeof gatewayAnswer>): Served => ({
	answer: gatewayAnswer(...parameters),
	logged: false,
});

/** Whether the client left before its request was read: at any time, also before this was ready. */
const hasHungUp = (request: IncomingMessage, error: unknown): boolean =>
	(request.destroyed && !request.complete) || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET');

const gatewayAnswer = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
	jsonAnswer(status, { message }, headers);

/** What a request comes to on its route: the authorizer first, then the body, then the endpoint's own handler. */
async function answerRoute(deps: GatewayDeps, request: IncomingMessage, route: Route, path: string): Promise<Served> {
	const { query, rawQuery } = targetOf(request);
	const authorization = route.endpoint.auth === 'bearer' ? await deps.authorize(request.headers.authorization) : undefined;
	if (authorization !== undefined && authorization.outcome !== 'allowed') {
		const challenge = { 'www-authenticate': authorization.challenge };
		return authorization.outcome === 'unauthorized'
			? refused(401, 'Unauthorized', challenge)
			: refused(403, 'Forbidden', challenge);
	}
	const body = await readBody(request, maxRequestBytes);
	const raw: RawRequest = { method: route.endpoint.method, path, query, headers: request.headers, body };
	const origin = { sourceIp: request.socket.remoteAddress ?? '', now: deps.now(), rawQuery };
	const event = toEvent(raw, route, authorization === undefined ? origin : { ...origin, claims: authorization.claims });
	const result = await deps.handlers[route.endpoint.name](event);
	// Lambda refuses the answer as a whole, encoded as it is.
	if (Buffer.byteLength(JSON.stringify(result)) > maxResponseBytes) {
		deps.log.error('An answer is larger than Lambda passes on.', { routeKey: event.routeKey, limitBytes: maxResponseBytes });
		return { answer: gatewayAnswer(500, 'Internal Server Error'), logged: true };
	}
	const { headers, ...answer } = resultToAnswer(result);
	return { answer: { ...answer, headers: { ...headers, 'apigw-requestid': event.requestContext.requestId } }, logged: true };
}

function resultToAnswer(result: ApiResult): RawAnswer {
	const body = Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8');
	const headers = Object.entries(result.headers ?? {}).map(([name, value]): [string, string] => [
		name.toLowerCase(),
		String(value),
	]);
	return { status: result.statusCode ?? 200, headers: Object.fromEntries(headers), body };
}
