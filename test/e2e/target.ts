/** A running service, as its users reach it: the suites here know nothing else of it. */
export interface Target {
	readonly baseUrl: string;
	/** Writes line protocol (milliseconds) into a tenant's time-series database. */
	feed(database: string, lines: string): Promise<void>;
	close(): Promise<void>;
}

/** In what a gateway may fall short of API Gateway, which an emulator does. Whatever is left out is tested on this machine's own. */
export interface Gateway {
	/** A 401 says how to authenticate (RFC 9110, section 11.6.1). */
	readonly challenges: boolean;
	/** Bodies arrive byte by byte, whatever they are. */
	readonly passesBytes: boolean;
	/** A path with a slash more is another path, and none is the gateway's own. */
	readonly exactPaths: boolean;
	/** How many requests it may be sent at once. */
	readonly atOnce: number;
}

/** API Gateway, as this machine's own gateway has it. */
export const apiGateway: Gateway = { challenges: true, passesBytes: true, exactPaths: true, atOnce: 64 };

/** What a tenant signs in with. Both are registered on every target, and their schemas are empty at first. */
export const tenants = {
	a: { email: 'operator@plant-a.example', tokenApp: 'demo-a', schemaName: 'plant_a', tsdb_name: 'plant_a' },
	b: { email: 'operator@plant-b.example', tokenApp: 'demo-b', schemaName: 'plant_b', tsdb_name: 'plant_b' },
} as const;

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: what came is what the test asserts on.
	readonly body: any;
	readonly text: string;
}

export interface Options {
	readonly token?: string | undefined;
	/** Sent as JSON, unless it is text or bytes already. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

const payloadOf = (body: unknown): { body?: string | Uint8Array<ArrayBuffer> } => {
	if (body === undefined) return {};
	return {
		body:
			typeof body === 'string' || body instanceof Uint8Array ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
	};
};

/** One HTTP call, as a dashboard makes it. */
export const call = async (
	target: Target,
	method: string,
	path: string,
	{ token, body, headers }: Options = {},
): Promise<Answer> => {
	const response = await fetch(`${target.baseUrl}${path}`, {
		method,
		headers: {
			accept: 'application/json',
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			...headers,
		},
		...payloadOf(body),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
};

/** A tenant's token, by the specification's own flow. */
export const signIn = async (target: Target, tenant: keyof typeof tenants): Promise<string> => {
	const { status, body } = await call(target, 'POST', '/loginSso', { body: tenants[tenant] });
	if (status !== 200) throw new Error(`Sign-in answered ${status}: ${JSON.stringify(body)}`);
	return body.token;
};
