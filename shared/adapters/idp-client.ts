import * as v from 'valibot';
import { DomainError } from '../domain/errors.ts';
import type { IdentityProvider } from '../domain/ports/identity-provider.ts';

/** Where the identity provider is, and how it knows us (specification section 4.2). */
export interface IdpSettings {
	/** {auth_url}, without a slash at its end. */
	readonly url: string;
	readonly token: string;
	/** For a whole call, the body included. */
	readonly timeoutMs: number;
}

const userSchema = v.nullable(v.object({ email: v.string(), token_apps: v.string() }));
const schemasSchema = v.nullable(
	v.array(v.object({ schema_name: v.string(), tsdb_name: v.string(), product_id: v.number(), client_id: v.number() })),
);
const productsSchema = v.nullable(v.array(v.object({ id_product: v.number() })));

/** A provider says with these that it knows no such user or client, which is an answer, not a fault. */
const unknownStatuses: ReadonlySet<number> = new Set([400, 404, 422]);

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** `IdentityProvider` over HTTP. */
export const createIdpClient = ({ url, token, timeoutMs }: IdpSettings): IdentityProvider => {
	const failed = (operation: string, cause: string): DomainError =>
		new DomainError('dependency_failed', { dependency: 'identityProvider', cause: `${operation}: ${cause}` });

	const call = async (operation: string, query: Readonly<Record<string, number>>): Promise<unknown> => {
		const parameters = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
		try {
			const response = await fetch(`${url}/${operation}?${parameters}`, {
				headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
				redirect: 'error',
				signal: AbortSignal.timeout(timeoutMs),
			});
			if (unknownStatuses.has(response.status)) {
				await response.body?.cancel();
				return null;
			}
			if (!response.ok) throw failed(operation, `status ${response.status}`);
			return await response.json();
		} catch (error) {
			if (error instanceof DomainError) throw error;
			if (isTimeout(error))
				throw new DomainError('dependency_slow', { dependency: 'identityProvider', cause: `${operation}: over ${timeoutMs} ms` });
			throw failed(operation, error instanceof Error ? `${error.message} ${String(error.cause ?? '')}`.trim() : String(error));
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
};
