import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { isDownStatus } from '#domain/identity/provider-outage.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { redactServerMessage } from './redact.ts';
import { isTimeout, type Secret, SecretError, withSecret } from './secret.ts';

/** How the service reaches the identity provider (shared/domain/use-cases/README.md#sign-in). */
export interface IdpSettings {
	/** Base address of the operations, without a slash at its end. */
	readonly url: string;
	readonly token: Secret;
	/** Time limit of a whole call: reading the token, a second request with a new token, and the body. */
	readonly timeoutMs: number;
}

const userSchema = v.nullable(v.object({ email: v.string(), token_apps: v.nullable(v.string()) }));

const schemasSchema = recordsOf(
	v.object({ schema_name: v.string(), tsdb_name: v.string(), product_id: v.number(), client_id: v.number() }),
);

const productsSchema = recordsOf(v.object({ id_product: v.number() }));

/** The statuses of a provider that does not know the user or client. They are results, not faults. */
const unknownStatuses: ReadonlySet<number> = new Set([400, 404, 422]);
/** The statuses of a provider that refuses the service's token. */
const refusalStatuses: ReadonlySet<number> = new Set([401, 403]);

/** A response with the status of a fault. */
class StatusError extends Error {
	override readonly name = 'StatusError';
	readonly status: number;

	constructor(status: number) {
		super(`status ${status}`);
		this.status = status;
	}
}

/** Creates an `IdentityProvider` over HTTP. A refused token is read again, at most once in each call. */
export function createIdpClient({ url, token, timeoutMs }: IdpSettings): IdentityProvider {
	const call = async <Schema extends v.GenericSchema>(
		schema: Schema,
		operation: string,
		query: string,
	): Promise<v.InferOutput<Schema>> => {
		const signal = AbortSignal.timeout(timeoutMs);
		try {
			const request = (text: string) => fetchJson(`${url}/${operation}?${query}`, text, signal);
			return v.parse(schema, await withSecret(token, signal, request, isRefusal));
		} catch (error) {
			const isSlow = isTimeout(error);
			const secretCause = error instanceof SecretError ? `: ${error.message}` : '';
			const cause = `${operation}: ${isSlow ? `over ${timeoutMs} ms${secretCause}` : causeOf(error)}`;
			// JSON of another form is an answer: what it says is not known.
			const isDown = error instanceof StatusError ? isDownStatus(error.status) : !v.isValiError(error);
			throw new DomainError(isSlow ? 'dependency_slow' : 'dependency_failed', { dependency: 'identityProvider', cause, isDown });
		}
	};
	return {
		getUser: (id) => call(userSchema, 'getUser', `id=${id}`),
		getSchemaProduct: async (clientId, productId) =>
			(await call(schemasSchema, 'getSchemaProduct', `clientId=${clientId}&productId=${productId}`)) ?? [],
		listProductxUserxClient: async (userId, clientId) =>
			(await call(productsSchema, 'listProductxUserxClient', `id_user=${userId}&id_client=${clientId}`)) ?? [],
	};
}

/**
 * Builds the schema of a list of records. It skips damaged records. When all records are damaged, it rejects the list as a fault of the
 * provider.
 */
function recordsOf<Schema extends v.GenericSchema>(record: Schema) {
	return v.nullable(
		v.pipe(
			v.array(v.unknown()),
			v.rawTransform<unknown[], v.InferOutput<Schema>[]>(({ dataset, addIssue, NEVER }) => {
				const good = dataset.value.flatMap((each) => {
					const result = v.safeParse(record, each);
					return result.success ? [result.output] : [];
				});
				if (good.length > 0 || dataset.value.length === 0) return good;
				addIssue({ message: 'Every record is damaged.' });
				return NEVER;
			}),
		),
	);
}

/** Returns the body of a response; null when the provider does not know what the request names. */
async function fetchJson(address: string, token: string, signal: AbortSignal): Promise<unknown> {
	const response = await fetch(address, {
		headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
		redirect: 'error',
		signal,
	});
	if (response.ok) return response.json();
	await response.body?.cancel();
	if (unknownStatuses.has(response.status)) return null;
	throw new StatusError(response.status);
}

const isRefusal = (error: unknown): boolean => error instanceof StatusError && refusalStatuses.has(error.status);

/** Describes a failed call for the log. The messages of parsers would quote the response. */
function causeOf(error: unknown): string {
	if (v.isValiError(error)) return `not as specified: ${v.getDotPath(error.issues[0]) ?? 'the whole answer'}`;
	if (!(error instanceof Error)) return String(error);
	return error instanceof SyntaxError ? 'not JSON' : redactServerMessage(`${error.message} ${String(error.cause ?? '')}`.trim());
}
