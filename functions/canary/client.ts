import * as v from 'valibot';
import { type Secret, withSecret } from '#adapters/secret.ts';
import type { Quality } from '#domain/reading/quality.ts';
import { type EndpointName, pathOf } from '#shared/contract.ts';
import { canaryUserAgent } from '#shared/tasks.ts';

/** The address of the service, and the user that the canary signs in as. */
export interface CanarySettings {
	/** Base address of the service, without a slash at its end. */
	readonly url: string;
	readonly email: string;
	readonly schema: string;
	/** The time-series database of the schema. */
	readonly database: string;
	/** The application token of the user. */
	readonly token: Secret;
	/** Time limit of both requests together, in milliseconds. */
	readonly timeoutMs: number;
}

/** Time limit of the canary's requests. Shorter than its function may run, so that a service that hangs is logged and counted. */
export const canaryTimeoutMs = 25_000;

/** Uses the service as a client does. */
export interface CanaryClient {
	/**
	 * Signs in and reads every variable of the user's schema. Resolves to the number of readings.
	 * Rejects when a request fails, is not answered 200, or takes too long: the message names the endpoint and the status. Rejects also when there is
	 * no variable, or none whose quality is `good`, because then nothing shows that InfluxDB is read.
	 */
	signInAndRead(): Promise<number>;
}

const sessionSchema = v.object({ token: v.string() });

const readingsSchema = v.object({ data: v.array(v.object({ quality: v.string() })) });

const good: Quality = 'good';

/** An answer with another status than 200. */
class UnexpectedStatusError extends Error {
	override readonly name = 'UnexpectedStatusError';
	readonly status: number;

	constructor(endpoint: EndpointName, status: number) {
		super(`${endpoint} answered ${status}`);
		this.status = status;
	}
}

/** Creates a `CanaryClient` over HTTP. An application token that is refused is read again, and used if it has changed. */
export function createCanaryClient({ url, email, schema, database, token, timeoutMs }: CanarySettings): CanaryClient {
	const post = async (name: EndpointName, signal: AbortSignal, body: unknown, bearer?: string): Promise<unknown> => {
		const response = await fetch(`${url}${pathOf(name)}`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'user-agent': canaryUserAgent,
				...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
			},
			body: JSON.stringify(body),
			redirect: 'error',
			signal,
		});
		if (response.status === 200) return response.json();
		await response.body?.cancel();
		throw new UnexpectedStatusError(name, response.status);
	};
	return {
		signInAndRead: async () => {
			const signal = AbortSignal.timeout(timeoutMs);
			const signIn = (tokenApp: string) => post('loginSso', signal, { email, tokenApp, schemaName: schema, tsdb_name: database });
			const session = v.parse(sessionSchema, await withSecret(token, signal, signIn, isRefusal));
			// Without ids, every variable is read.
			const { data } = v.parse(readingsSchema, await post('multipleDataTsdb', signal, {}, session.token));
			if (data.length === 0) throw new Error('multipleDataTsdb read nothing: save a variable in the schema of the canary');
			if (!data.some(({ quality }) => quality === good))
				throw new Error(`multipleDataTsdb read ${data.length} variables, and none is good: ${data[0]?.quality}`);
			return data.length;
		},
	};
}

const isRefusal = (error: unknown): boolean => error instanceof UnexpectedStatusError && error.status === 401;
