import type { KeyRing } from '#domain/signing-keys/key-ring.ts';
import type { NewKey, Step } from '#domain/signing-keys/rotation.ts';

/** A key as KMS has it: 2048 bits, told from others by its number. */
export const makeNewKey = (number: number, overrides: Partial<NewKey> = {}): NewKey => ({
	kid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
	name: `key-${number}`,
	n: `${number}`.padStart(342, 'n'),
	e: 'AQAB',
	...overrides,
});

/** The ring after a step that must have been taken. */
export const ringAfter = (step: Step): KeyRing => {
	if (step.outcome !== 'changed') throw new Error(`The step was not taken: ${JSON.stringify(step)}`);
	return step.ring;
};
