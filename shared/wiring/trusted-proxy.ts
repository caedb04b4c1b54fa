import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { redactError } from '#adapters/redact.ts';
import type { Secret } from '#adapters/secret.ts';
import type { Log } from '#http/log.ts';
import type { TrustedProxy } from '#http/trusted-proxy.ts';
import { ConfigError, readConfig, trustedProxySchema } from '#shared/config.ts';

/**
 * Opens the trusted proxy of the environment's settings; null without one.
 * Hops without header and secret mean that the proxy shows a client certificate.
 * @throws ConfigError when only one of header and secret is set
 */
export function openTrustedProxy(log: Pick<Log, 'error'>): TrustedProxy | null {
	const {
		TRUSTED_PROXY_HEADER: header,
		TRUSTED_PROXY_HOPS: hops,
		TRUSTED_PROXY_SECRET: secretId,
	} = readConfig(trustedProxySchema);
	if (header === undefined && secretId === undefined) return hops === undefined ? null : { header: null, hops };
	if (header === undefined) throw new ConfigError('TRUSTED_PROXY_HEADER is required.');
	if (secretId === undefined) throw new ConfigError('TRUSTED_PROXY_SECRET is required.');
	return { header, hops: hops ?? 1, isSecret: matching(createSecretsManagerSecret({ secretId }), log) };
}

/**
 * Returns a function that compares texts with a secret. When a text differs, the secret is read again, because it may have changed. While
 * the secret cannot be read, no text matches.
 */
export function matching(secret: Secret, log: Pick<Log, 'error'>): (text: string) => Promise<boolean> {
	return async (text) => {
		try {
			const cached = await secret.value();
			return constantTimeEqual(text, cached) || constantTimeEqual(text, await secret.refresh(cached));
		} catch (error) {
			log.error('The secret of the proxy cannot be read.', { cause: redactError(error) });
			return false;
		}
	};
}
