import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { EndpointName } from '../../../shared/contract.ts';
import type { ApiHandler, ApiResult } from '../../../shared/http/event.ts';
import type { Log } from '../../../shared/http/log.ts';
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
export interface Mount {
	readonly path: string;
	readonly maxBodyBytes: number;
	readonly answer: (request: RawRequest) => Promise<RawAnswer>;
}

export interface GatewayDeps {
	readonly handlers: Readonly<Record<EndpointName, ApiHandler>>;
	readonly authorize: Authorizer;
	readonly cors: Cors;
	readonly mounts: readonly Mount[];
	readonly log: Log;
	readonly now: () => number;
}

const gatewayAnswer = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
	jsonAnswer(status, { message }, headers);

const resultToAnswer = (result: ApiResult): RawAnswer => {
	const body = Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8');
	const headers = Object.entries(result.headers ?? {}).map(([name, value]): [string, string] => [
		name.toLowerCase(),
		String(value),
	]);
	return { status: result.statusCode ?? 200, headers: Object.fromEntries(headers), body };
};

/** What a request comes to on its route: the authorizer first, then the body, then the endpoint's own handler. */
const answerRoute = async (deps: GatewayDeps, request: IncomingMessage, route: Route, path: string): Promise<RawAnswer> => {
	const { query, rawQuery } = targetOf(request);
	const authorization = route.endpoint.auth === 'bearer' ? await deps.authorize(request.headers.authorization) : undefined;
	if (authorization !== undefined && authorization.outcome !== 'allowed') {
		const challenge = { 'www-authenticate': authorization.challenge };
		return authorization.outcome === 'unauthorized'
			? gatewayAnswer(401, 'Unauthorized', challenge)
			: gatewayAnswer(403, 'Forbidden', challenge);
	}
	const body = await readBody(request, maxRequestBytes);
	const raw: RawRequest = { method: route.endpoint.method, path, query, headers: request.headers, body };
	const origin = { sourceIp: request.socket.remoteAddress ?? '', now: deps.now(), rawQuery };
	const event = toEvent(raw, route, authorization === undefined ? origin : { ...origin, claims: authorization.claims });
	const result = await deps.handlers[route.endpoint.name](event);
	// Lambda refuses the answer as a whole, encoded as it is.
	if (Buffer.byteLength(JSON.stringify(result)) > maxResponseBytes) {
		deps.log.error('An answer is larger than Lambda passes on.', { routeKey: event.routeKey, limitBytes: maxResponseBytes });
		return gatewayAnswer(500, 'Internal Server Error');
	}
	return resultToAnswer(result);
};

const answerApi = async (deps: GatewayDeps, request: IncomingMessage, path: string): Promise<RawAnswer> => {
	const method = request.method ?? 'GET';
	if (method === 'OPTIONS') return { status: 204, headers: deps.cors.preflight(request.headers), body: '' };
	const route = routeOf(method, path);
	const answer = route === null ? gatewayAnswer(404, 'Not Found') : await answerRoute(deps, request, route, path);
	const vary = [answer.headers['vary'], 'origin'].filter((each) => each !== undefined).join(', ');
	return { ...answer, headers: { ...answer.headers, ...deps.cors.answer(request.headers), vary } };
};

const answerMount = async (mount: Mount, request: IncomingMessage, path: string): Promise<RawAnswer> => {
	const { query } = targetOf(request);
	const body = await readBody(request, mount.maxBodyBytes);
	return mount.answer({ method: request.method ?? 'GET', path, query, headers: request.headers, body });
};

const serve = async (deps: GatewayDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
	const startedAt = performance.now();
	const { path } = targetOf(request);
	const mount = deps.mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
	const answer = await (mount === undefined ? answerApi(deps, request, path) : answerMount(mount, request, path)).catch(
		(error: unknown): RawAnswer => {
			if (error instanceof BodyTooLarge) return gatewayAnswer(413, 'Request Entity Too Large', { connection: 'close' });
			if (error instanceof URIError) return gatewayAnswer(400, 'Bad Request');
			// A client that hung up hears no answer, and it is nobody's fault here.
			if (request.destroyed && !request.complete) return gatewayAnswer(400, 'Bad Request');
			deps.log.error('The gateway failed.', {
				path,
				error: error instanceof Error ? (error.stack ?? error.message) : String(error),
			});
			return gatewayAnswer(500, 'Internal Server Error');
		},
	);
	send(response, answer);
	const durationMs = Math.round(performance.now() - startedAt);
	if (mount === undefined) deps.log.info('request', { method: request.method, path, status: answer.status, durationMs });
};

/**
 * The service's HTTP API on one machine: routes from the contract, tokens checked, payload-2.0 events, limits and bodies as
 * API Gateway has them. Requests wait for `deps`, so that the port can be taken before everything is ready.
 */
export const createGateway = (deps: Promise<GatewayDeps>): Server =>
	createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
		deps.then((ready) => serve(ready, request, response)).catch(() => response.destroy());
	});
