import type { TokenSettings } from '#domain/access/token-settings.ts';
import { scopes } from '#shared/endpoint.ts';

/** The settings of tokens, as functions and the service on one machine read them. */
interface TokenVariables {
	readonly TOKEN_AUDIENCE: string;
	readonly TOKEN_LIFETIME_SECONDS: number;
	readonly SESSION_HOURS: number;
}

/** Returns what the tokens of an issuer hold. */
export function tokenSettingsOf(issuer: string, settings: TokenVariables): TokenSettings {
	return {
		issuer,
		audience: settings.TOKEN_AUDIENCE,
		scopes,
		lifetimeSeconds: settings.TOKEN_LIFETIME_SECONDS,
		sessionSeconds: settings.SESSION_HOURS * 3600,
	};
}
