import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { redactServerMessage } from './redact.ts';
import { type Secret, SecretError, withSecret } from './secret.ts';

/** Where the identity provider is, and how it knows us (specification section 4.2). */
export interface IdpSettings {
	/** {auth_url}, without a slash at its end. */
	readonly url: string;
	readonly token: Secret;
	/** For a whole call: reading the token, asking once more where it was refused, and the body. */
	readonly timeoutMs: number;
}

const userSchema = v.nullable(v.object({ email: v.string(), token_apps: v.string() }));

const schemasSchema = v.nullable(
	v.array(v.object({ schema_name: v.string(), tsdb_name: v.string(), product_id: v.number(), client_id: v.number() })),
);

const productsSchema = v.nullable(v.array(v.object({ id_product: v.number() })));

/** A provider says with these that it knows no such user or client, which is an answer, not a fault. */
const unknownStatuses: ReadonlySet<number> = new Set([400, 404, 422]);

/** With these it refuses our own token. */
const refusalStatuses: ReadonlySet<number> = new Set([401, 403]);

/** A status that is no answer. */
class StatusError extends Error {
	override readonly name = 'StatusError';
	readonly status: number;

	constructor(status: number) {
		super(`status ${status}`);
		this.status = status;
	}
}

/** `IdentityProvider` over HTTP. A token that is refused and has been changed meanwhile is shown anew, once a call. */
export function createIdpClient({ url, token, timeoutMs }: IdpSettings): IdentityProvider {
	const failed = (operation: string, cause: string): DomainError =>
		new DomainError('dependency_failed', { dependency: 'identityProvider', cause: `${operation}: ${cause}` });

	const call = async (operation: string, query: Readonly<Record<string, number>>): Promise<unknown> => {
		const parameters = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
		const signal = AbortSignal.timeout(timeoutMs);
		const ask = async (shown: string): Promise<unknown> => {
			const response = await fetch(`${url}/${operation}?${parameters}`, {
				headers: { authorization: `Bearer ${shown}`, accept: 'application/json' },
				redirect: 'error',
				signal,
			});
			if (response.ok) return response.json();
			await response.body?.cancel();
			if (unknownStatuses.has(response.status)) return null;
			throw new StatusError(response.status);
		};
		try {
			return await withSecret(token, signal, ask, isRefusal);
		} catch (error) {
			if (!isTimeout(error)) throw failed(operation, reasonOf(error));
			const what = error instanceof SecretError ? `: ${error.message}` : '';
			const cause = `${operation}: over ${timeoutMs} ms${what}`;
			throw new DomainError('dependency_slow', { dependency: 'identityProvider', cause });
		}
	};

	const read = async <Schema extends v.GenericSchema>(
		schema: Schema,
		operation: string,
		query: Readonly<Record<string, number>>,
	): Promise<v.InferOutput<Schema>> => {
		const result = v.safeParse(schema, await call(operation, query));
		if (!result.success) throw failed(operation, `not as specified: ${v.getDotPath(result.issues[0]) ?? 'the whole answer'}`);
		return result.output;
	};

	return {
		getUser: (id) => read(userSchema, 'getUser', { id }),
		getSchemaProduct: async (clientId, productId) =>
			(await read(schemasSchema, 'getSchemaProduct', { clientId, productId })) ?? [],
		listProductxUserxClient: async (userId, clientId) =>
			(await read(productsSchema, 'listProductxUserxClient', { id_user: userId, id_client: clientId })) ?? [],
	};
}

const isRefusal = (error: unknown): boolean => error instanceof StatusError && refusalStatuses.has(error.status);

const isTimeout = (error: unknown): boolean =>
	error instanceof SecretError ? isTimeout(error.cause) : error instanceof DOMException && error.name === 'TimeoutError';

/** For the log. A parser's message would quote the answer. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error instanceof SyntaxError ? 'not JSON' : redactServerMessage(`${error.message} ${String(error.cause ?? '')}`.trim());
}
