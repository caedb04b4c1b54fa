import * as v from 'valibot';
import { isDocumentAddress, type OpenIdProvider } from '#domain/identity/provider-settings.ts';
import { type CachedRead, cacheRead } from '../cached-read.ts';
import { byProvider } from './by-provider.ts';
import { type AskProvider, bodyOf, providerFailed } from './provider-request.ts';

const freshMs = 3_600_000;
const usableMs = 24 * 3_600_000;

/** What a provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as it is used. */
export type ProviderDocument = v.InferOutput<ReturnType<typeof documentSchema>>;

/** The addresses of a document that requests go to. */
export type ProviderEndpoint = 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri' | 'userinfo_endpoint';

/** Reads the documents of providers. Each is kept for an hour, and up to a day while the provider fails. */
export function createProviderDocuments(settings: {
	readonly ask: AskProvider;
	readonly now: () => number;
	readonly httpToo: boolean;
}): (provider: OpenIdProvider) => CachedRead<ProviderDocument> {
	const { ask, now, httpToo } = settings;
	return byProvider(({ name, issuer }) => {
		const operation = `${name} document`;
		const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
		const schema = documentSchema(issuer, httpToo);
		const read = async () => bodyOf(schema, operation, await ask(operation, address));
		return cacheRead({ read, now, freshMs, usableMs });
	});
}

/** Returns an address of a document. @throws DomainError `dependency_failed` where the provider has none */
export function endpointOf(document: ProviderDocument, { name }: OpenIdProvider, endpoint: ProviderEndpoint): string {
	const address = document[endpoint];
	if (typeof address !== 'string') throw providerFailed(`${name} document`, `no ${endpoint}`);
	return address;
}

/** A wrong address makes the whole document wrong: nobody sees one of them alone. */
function documentSchema(issuer: string, httpToo: boolean) {
	const address = v.pipe(
		v.string(),
		v.check((text) => isDocumentAddress(text, issuer, httpToo)),
	);
	return v.object({
		issuer: v.literal(issuer),
		authorization_endpoint: v.nullish(address),
		token_endpoint: v.nullish(address),
		jwks_uri: v.nullish(address),
		userinfo_endpoint: v.nullish(address),
		revocation_endpoint: v.nullish(address),
		end_session_endpoint: v.nullish(address),
		/** Whether the provider names itself in its answer (RFC 9207). */
		authorization_response_iss_parameter_supported: v.nullish(v.boolean(), false),
	});
}
