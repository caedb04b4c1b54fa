import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '#domain/access/role.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { People } from '#domain/ports/people.ts';
import { checkCall } from '#test/support/openapi/check-call.ts';

/** A running service, as its clients reach it. The suites in this folder use nothing else of it. */
export interface Target {
	readonly baseUrl: string;
	/** Writes line protocol with times in milliseconds into a tenant's time-series database. */
	feed(database: string, lines: string): Promise<void>;
	close(): Promise<void>;
}

/** A target with its stores of alarms and people, so that a test can raise alarms without waiting for an evaluation, and give roles. */
export interface AlarmTarget extends Target {
	readonly alarms: AlarmStore;
	readonly people: People;
}

/** How a gateway behaves. An emulator of API Gateway lacks some behaviours; the suites test them on the local gateway only. */
export interface Gateway {
	/** A 401 has WWW-Authenticate (RFC 9110, section 11.6.1). */
	readonly sendsChallenge: boolean;
	/** Bodies that are not UTF-8 arrive unchanged. */
	readonly preservesBytes: boolean;
	/** A path with an extra slash is a different path, and the gateway answers no path itself. */
	readonly matchesExactPaths: boolean;
	/** The maximum number of concurrent requests. */
	readonly maxConcurrency: number;
}

/** The behaviour of API Gateway and of the local gateway. */
export const apiGateway: Gateway = { sendsChallenge: true, preservesBytes: true, matchesExactPaths: true, maxConcurrency: 64 };

/** The credentials of two tenants. Both are registered on every target, and their schemas are empty at first. */
export const tenants = {
	a: { email: 'operator@plant-a.example', tokenApp: 'demo-a', schemaName: 'plant_a', tsdb_name: 'plant_a' },
	b: { email: 'operator@plant-b.example', tokenApp: 'demo-b', schemaName: 'plant_b', tsdb_name: 'plant_b' },
} as const;

/** The credentials of everybody whom the tests know: those of both tenants, and the demo's other people of the first one. */
export const credentials = {
	...tenants,
	shift: { ...tenants.a, email: 'shift@plant-a.example', tokenApp: 'demo-a-shift' },
	viewer: { ...tenants.a, email: 'viewer@plant-a.example', tokenApp: 'demo-a-viewer' },
} as const;

/** The response to a call. */
export interface HttpResponse {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: the tests assert on its content.
	readonly body: any;
	readonly text: string;
}

/** The parts of a call beside method and path. */
export interface CallOptions {
	readonly token?: string | undefined;
	/** Sent as JSON unless it is text, bytes or a form. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

const payloadOf = (body: unknown): { body?: string | Uint8Array<ArrayBuffer> | URLSearchParams } => {
	if (body === undefined) return {};
	if (body instanceof URLSearchParams) return { body };
	return {
		body:
			typeof body === 'string' || body instanceof Uint8Array ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
	};
};

/** The JSON that a call sent; undefined where it sent none. */
const jsonOf = (body: unknown): unknown => {
	if (body instanceof URLSearchParams) return Object.fromEntries(body);
	if (typeof body !== 'string') return body instanceof Uint8Array ? undefined : body;
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
};

/** Makes one HTTP call without looking at its answer. Benchmarks use it. */
export const callUnchecked = async (
	target: Target,
	method: string,
	path: string,
	{ token, body, headers }: CallOptions = {},
): Promise<HttpResponse> => {
	const response = await fetch(`${target.baseUrl}${path}`, {
		method,
		headers: {
			accept: 'application/json',
			// fetch names the type of a form itself.
			...(body === undefined || body instanceof URLSearchParams ? {} : { 'content-type': 'application/json' }),
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			...headers,
		},
		...payloadOf(body),
	});
	const text = await response.text();
	// Only the page at /docs answers with something else.
	const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true;
	return { status: response.status, headers: response.headers, text, body: text === '' || isHtml ? undefined : JSON.parse(text) };
};

/** Makes one HTTP call. The answer must be one that the OpenAPI document allows. */
export const call = async (target: Target, method: string, path: string, options: CallOptions = {}): Promise<HttpResponse> => {
	const answer = await callUnchecked(target, method, path, options);
	checkCall({ method, path, requestBody: jsonOf(options.body), ...answer });
	return answer;
};

/**
 * Makes a call again, as a client does, while too many others write at the same time: nothing of it is stored then. How many fit beside
 * each other depends on the pace of the store.
 */
export const callUntilFree = async (send: () => Promise<HttpResponse>): Promise<HttpResponse> => {
	for (;;) {
		const answer = await send();
		if (answer.status !== 503 || !['write_contention', 'schema_busy'].includes(answer.body.request.code)) return answer;
		await sleep(50);
	}
};

/** Makes one HTTP call that must succeed, and returns the body of its answer. @throws Error with an answer other than 200 */
export const callOk = async (
	target: Target,
	method: string,
	path: string,
	options?: CallOptions,
): Promise<HttpResponse['body']> => {
	const { status, body } = await call(target, method, path, options);
	if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
	return body;
};

/** Signs somebody in and returns the answer. */
export const signInAs = async (
	target: Target,
	person: keyof typeof credentials,
): Promise<{ readonly token: string; readonly user: { readonly role: Role } }> =>
	callOk(target, 'POST', '/loginSso', { body: credentials[person] });

/** Signs a tenant in and returns the token. */
export const signIn = async (target: Target, tenant: keyof typeof tenants): Promise<string> =>
	(await signInAs(target, tenant)).token;
