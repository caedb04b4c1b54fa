import type { createProviderReads } from '#adapters/openid/openid-providers.ts';
import { algorithms } from '#adapters/openid/verify-token.ts';
import { DomainError } from '#domain/errors.ts';
import { type OpenIdProvider, redirectAddress } from '#domain/identity/provider-settings.ts';
import type { CheckResult } from '#infra/cli/print-check.ts';

/** The providers of an environment, and how they are asked. */
export interface CheckedProviders {
	readonly providers: readonly OpenIdProvider[];
	/** The address of the console; null: nobody signs in with a button. */
	readonly consoleUrl: string | null;
	/** Whether only the functions' network may reach the providers. What this machine cannot reach is then no fault. */
	readonly isPrivate: boolean;
	readonly reads: Pick<ReturnType<typeof createProviderReads>, 'documents' | 'keys'>;
	/** Returns what is missing before the secret of a provider is set. */
	readonly missingSecret: (name: string) => Promise<readonly string[]>;
}

/**
 * Checks that each provider is the one of the settings and has a key that tokens can be verified with, and that the secret of its client is
 * set. Says which redirect address is registered there.
 */
export async function checkOpenIdProviders(checked: CheckedProviders): Promise<readonly CheckResult[]> {
	const buttons = checked.providers.filter(({ clientId }) => clientId !== undefined);
	return Promise.all(
		checked.providers.map(async (provider) => {
			const secret = provider.secret ? await checked.missingSecret(provider.name) : [];
			const { missing, notes, requiresIssuer } = await askProvider(checked, provider);
			const told = buttons.includes(provider)
				? buttonNotes(provider, checked.consoleUrl, requiresIssuer, buttons.length > 1)
				: [];
			return {
				subject: `the OpenID provider ${provider.name} at ${provider.issuer}`,
				missing: [...secret, ...missing],
				notes: [...told, ...notes],
			};
		}),
	);
}

interface ProviderFindings {
	readonly missing: readonly string[];
	readonly notes: readonly string[];
	/** Whether the provider names itself in its answers; null: it is not known. */
	readonly requiresIssuer: boolean | null;
}

async function askProvider({ reads, isPrivate }: CheckedProviders, provider: OpenIdProvider): Promise<ProviderFindings> {
	try {
		const keys = await reads.keys(provider).current();
		const isUsable = keys.jwks().keys.some(isUsableKey);
		const key = isUsable ? [] : ['It has no key that this service can verify tokens with: RSA from 2048 bits, EC or Ed25519.'];
		if (provider.clientId === undefined) return { missing: key, notes: [], requiresIssuer: null };
		const document = await reads.documents(provider).current();
		const absent = (['authorization_endpoint', 'token_endpoint'] as const).filter((name) => typeof document[name] !== 'string');
		return {
			missing: [...key, ...absent.map((name) => `Its document has no ${name}, which a button needs.`)],
			notes: [],
			requiresIssuer: document.authorization_response_iss_parameter_supported,
		};
	} catch (error) {
		if (!(error instanceof DomainError) || !('cause' in error.payload)) throw error;
		const { cause } = error.payload;
		const message = cause.endsWith('not as specified: issuer')
			? 'Its document names another issuer: write it as the document does, a slash at its end included.'
			: `It cannot be used (${cause}): check its issuer and the network.`;
		return isPrivate
			? { missing: [], notes: [`${message} With openIdInVpc, the functions’ network counts.`], requiresIssuer: null }
			: { missing: [message], notes: [], requiresIssuer: null };
	}
}

/** Returns what the operator should know of a provider that people sign in with. `isOneOfSeveral`: there is another button. */
function buttonNotes(
	provider: OpenIdProvider,
	consoleUrl: string | null,
	requiresIssuer: boolean | null,
	isOneOfSeveral: boolean,
): readonly string[] {
	const address = consoleUrl === null ? [] : [`Register this redirect address there: ${redirectAddress(provider, consoleUrl)}`];
	if (requiresIssuer === null) return address;
	if (requiresIssuer) return [...address, 'It names itself in its answers (RFC 9207).'];
	const advice =
		isOneOfSeveral && !provider.via ? ' Set via: otherwise its answer can be taken for that of another provider.' : '';
	return [...address, `It does not name itself in its answers (RFC 9207).${advice}`];
}

const minModulusBytes = 256;
const curves: ReadonlySet<unknown> = new Set(['P-256', 'P-384', 'P-521', 'Ed25519']);

/** Whether a public key (RFC 7517) can verify tokens. */
function isUsableKey({ kty, use, alg, n, crv }: Readonly<Record<string, unknown>>): boolean {
	if (use === 'enc' || (typeof alg === 'string' && !algorithms.includes(alg))) return false;
	if (kty === 'RSA') return typeof n === 'string' && Buffer.from(n, 'base64url').length >= minModulusBytes;
	return (kty === 'EC' || kty === 'OKP') && curves.has(crv);
}
