import { createLocalJWKSet } from 'jose';
import * as v from 'valibot';
import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';
import { type CachedRead, cacheRead } from '../cached-read.ts';
import { byProvider } from './by-provider.ts';
import { endpointOf, type ProviderDocument } from './provider-documents.ts';
import { type AskProvider, bodyOf } from './provider-request.ts';

const maxAgeMs = 600_000;

/** Finds the key of a token by its header. */
export type KeyLookup = ReturnType<typeof createLocalJWKSet>;

const keysSchema = v.object({ keys: v.array(v.looseObject({})) });

/** Reads the public keys of providers (RFC 7517). They are kept for 10 minutes. */
export function createProviderKeys(settings: {
	readonly ask: AskProvider;
	readonly documents: (provider: OpenIdProvider) => CachedRead<ProviderDocument>;
	readonly now: () => number;
}): (provider: OpenIdProvider) => CachedRead<KeyLookup> {
	const { ask, documents, now } = settings;
	return byProvider((provider) => {
		const operation = `${provider.name} keys`;
		if (provider.keys !== undefined) {
			const lookup = async () => createLocalJWKSet({ keys: provider.keys?.keys ?? [] });
			return cacheRead({ read: lookup, now, freshMs: Number.POSITIVE_INFINITY, usableMs: Number.POSITIVE_INFINITY });
		}
		const read = async () => {
			const address = endpointOf(await documents(provider).current(), provider, 'jwks_uri');
			return createLocalJWKSet(bodyOf(keysSchema, operation, await ask(operation, address)));
		};
		return cacheRead({ read, now, freshMs: maxAgeMs, usableMs: maxAgeMs });
	});
}
