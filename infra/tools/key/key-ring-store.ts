import {
	readKeyRing as readStoredRing,
	type StoredKeyRing,
	writeKeyRing as writeStoredRing,
} from '#adapters/aws/ssm-key-ring.ts';
import { faultOf } from '#adapters/dynamo/fault.ts';
import { DomainError } from '#domain/errors.ts';
import type { KeyRing } from '#domain/signing-keys/key-ring.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { Aws } from './aws.ts';
import { historyLine, lineOf } from './messages.ts';

/** An environment's ring. Throws ConfigError where what is kept is none. */
export async function readKeyRing({ ssm }: Aws, environment: string): Promise<StoredKeyRing> {
	const { keyRing: parameter } = resourceNames(environment);
	try {
		return await readStoredRing(ssm, parameter);
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		const reason = 'cause' in error.payload ? error.payload.cause : error.message;
		throw new ConfigError(
			`${parameter} is not as this tool writes it (${reason}). Put back what was there before: ${historyLine(environment)}`,
		);
	}
}

/** Writes a ring in the place of the one that was read. Throws ConfigError where that is not all that happened. */
export async function writeKeyRing(
	{ writingSsm }: Aws,
	environment: string,
	{ version }: StoredKeyRing,
	ring: KeyRing,
): Promise<void> {
	const written = await writeStoredRing(writingSsm, resourceNames(environment).keyRing, { ring, version }).catch(
		(cause: unknown) => {
			const words = writeWords(cause, environment);
			throw words === null ? cause : new ConfigError(words, { cause });
		},
	);
	if (written !== version + 1)
		throw new ConfigError(
			`SOMEONE ELSE WROTE AT THE SAME TIME. This became version ${written} and had to be ${version + 1}: what they wrote is overwritten. ` +
				`Tell them, see ${lineOf(environment, 'list')}, and take again whatever step is missing.`,
		);
}

/** What is said of a write that failed; null where it was refused, so that nothing was written. */
function writeWords(error: unknown, environment: string): string | null {
	const list = lineOf(environment, 'list');
	if (error instanceof Error && error.name === 'ParameterAlreadyExists')
		return `Someone else published a first key at the same time. Nothing was written: see ${list}, then run this again.`;
	if (faultOf(error) !== 'uncertain') return null;
	const reason = error instanceof Error ? error.message : String(error);
	return `It is not known whether this was written (${reason}): see ${list}, then run this again; it does no harm twice.`;
}
