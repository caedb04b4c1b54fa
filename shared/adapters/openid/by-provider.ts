import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';

/** Returns a function that creates something for a provider at its first use, and returns the same afterwards. */
export function byProvider<Value>(create: (provider: OpenIdProvider) => Value): (provider: OpenIdProvider) => Value {
	const values = new Map<string, { readonly value: Value }>();
	return (provider) => {
		const entry = values.get(provider.name) ?? { value: create(provider) };
		values.set(provider.name, entry);
		return entry.value;
	};
}
