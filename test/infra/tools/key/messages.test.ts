import { expect, test } from 'vitest';
import { emptyKeyRing } from '#domain/signing-keys/key-ring.ts';
import type { RotationRefusal } from '#domain/signing-keys/rotation.ts';
import { type KeyStep, refusalMessage } from '#infra/tools/key/messages.ts';
import { formatFuture } from '#infra/tools/key/relative-time.ts';

test.each<[KeyStep, RotationRefusal, string]>([
	[
		'publish',
		{ reason: 'weak_key', weakness: 'n must be a modulus of at least 2048 bits.' },
		'a is too weak to sign tokens: its n must be a modulus of at least 2048 bits. Let the issuer stack create a key: npx cdk deploy caudal-dev-issuer -c env=dev',
	],
	[
		'publish',
		{ reason: 'full', from: 3_600_000 },
		`The parameter has no room for another key. A key may be retired from ${formatFuture(3_600_000, 0)}: npm run key -- list --env dev shows which. Then run this again.`,
	],
	[
		'publish',
		{ reason: 'full', from: 0 },
		'The parameter has no room for another key. A key may be retired now: npm run key -- list --env dev shows which. Then run this again.',
	],
	[
		'publish',
		{ reason: 'public_key_mismatch' },
		'a is published with another public key than KMS has: somebody changed the parameter by hand. Restore its previous value: aws ssm get-parameter-history --name /caudal/dev/signing-keys',
	],
])('refusalMessage says why %s was refused, and what to do: %j', (step, refusal, message) => {
	const context = { environment: 'dev', tokenLifetimeMs: 3_600_000, now: 0, ring: emptyKeyRing };
	expect(refusalMessage(context, step, 'a', refusal)).toBe(message);
});
