import type { Schemas } from '#infra/openapi/api.ts';

/** How people sign in to this service. */
export type SignInWays = Schemas['WaysToSignInAnswer']['data'];

/** What the page needs to send a person to a provider. */
export type Authorization = Schemas['OpenIdProviderAnswer']['data'];

/** The answer to a sign-in with a provider, and to its renewal. */
export type OpenIdAnswer = Schemas['OpenIdSession'];
