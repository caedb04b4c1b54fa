import type { KeyRing } from '#domain/signing-keys/key-ring.ts';
import type { NewKey, RotationResult } from '#domain/signing-keys/rotation.ts';

/** A public key of 2048 bits. The number makes it differ from other keys. */
export function makeNewKey(number: number, overrides: Partial<NewKey> = {}): NewKey {
	return {
		kid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		name: `key-${number}`,
		n: `${number}`.padStart(342, 'n'),
		e: 'AQAB',
		...overrides,
	};
}

/** Returns the ring after a step. Throws when the step did not change the ring. */
export function ringAfter(result: RotationResult): KeyRing {
	if (result.outcome !== 'changed') throw new Error(`The step did not change the ring: ${JSON.stringify(result)}`);
	return result.ring;
}
