import { expect, test } from 'vitest';
import { emptyKeyRing } from '#domain/signing-keys/key-ring.ts';
import { refusalMessage } from '#infra/tools/key/messages.ts';

test('refusalMessage says why a key is too weak to publish, and what to do', () => {
	const context = { environment: 'dev', tokenLifetimeMs: 3_600_000, now: 0, ring: emptyKeyRing };
	const weakness = 'n must be a modulus of at least 2048 bits.';
	expect(refusalMessage(context, 'publish', 'first', { reason: 'weak_key', weakness })).toBe(
		'first is too weak to sign tokens: its n must be a modulus of at least 2048 bits. Let the issuer stack create a key: ' +
			'npx cdk deploy caudal-dev-issuer -c env=dev',
	);
});
