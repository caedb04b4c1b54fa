import pc from 'picocolors';
import type { KeyRing, RingKey } from '#domain/signing-keys/key-ring.ts';
import { type Refusal, retiresFrom, signsFrom } from '#domain/signing-keys/rotation.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { canSign } from './aws.ts';
import { momentPast, momentToCome } from './relative-time.ts';

/** What is said of an environment's keys, and when. */
export interface Telling {
	readonly environment: string;
	readonly tokenLifetimeMs: number;
	/** Epoch milliseconds. */
	readonly now: number;
}

type StepName = 'publish' | 'activate' | 'retire';

/** The line that takes a step, or lists. */
export function lineOf(environment: string, step: StepName | 'list', key?: string): string {
	return `npm run key -- ${step}${key === undefined ? '' : ` ${key}`} --env ${environment}`;
}

/** The line that deploys what has the keys. */
export function deployLine(environment: string): string {
	return `npx cdk deploy ${resourceNames(environment).stack('issuer')} -c env=${environment}`;
}

/** The line that shows what the parameter held before. */
export function historyLine(environment: string): string {
	return `aws ssm get-parameter-history --name ${resourceNames(environment).keyRing}`;
}

/** That a key may sign, or from when. */
export function maySign(ring: KeyRing, key: RingKey, { now }: Telling): string {
	return nextOf('sign', signsFrom(ring, key), now);
}

/** That a key may be retired, or from when. */
export function mayRetire(ring: KeyRing, key: RingKey, { now, tokenLifetimeMs }: Telling): string {
	const from = retiresFrom(ring, key, tokenLifetimeMs);
	return from === null ? 'signs' : nextOf('be retired', from, now);
}

/** What a key of the ring does, since when, and what it may do next. */
export function stateWords(ring: KeyRing, key: RingKey, telling: Telling): string {
	const published = `published since ${momentPast(key.publishedAt, telling.now)}`;
	if (key.kid === ring.active) return `${pc.green('signs')}, ${published}`;
	if (key.signedUntil === undefined) return `${maySign(ring, key, telling)}, ${published}`;
	return `stopped ${momentPast(key.signedUntil, telling.now)}, ${mayRetire(ring, key, telling)}`;
}

/** KMS's word on a key; null: it has none. */
export function kmsWords(state: string | null): string {
	if (state === canSign) return canSign;
	if (state === 'replaced') return pc.red('replaced in its stack by another key: a dead key');
	return pc.red(state === null ? 'missing in KMS: a dead key' : `${state}: a dead key`);
}

/** Why a published key cannot sign, and what to do. */
export function cannotSignWords({ name, kid }: RingKey, state: string | null): string {
	if (state === 'replaced')
		return `${name} cannot sign: its stack has another key of that name now. Publish and activate that one.`;
	const why = state ?? 'that it has no such key';
	return `${name} cannot sign: KMS says ${why}. Mend it there (--key-id ${kid}), or activate another key.`;
}

/** That the key that signs is dead, and what to do. */
export function deadWords({ name, kid }: RingKey, state: string | null, environment: string): string {
	const dead = `${name} cannot sign, so nobody can sign in`;
	if (state === 'replaced')
		return `${dead}: its stack has another key of that name now. ${lineOf(environment, 'publish', name)}, then ${lineOf(environment, 'activate', name)}: it need not wait`;
	const mend = `mend it in KMS (aws kms enable-key, cancel-key-deletion; --key-id ${kid})`;
	return `${dead}: ${mend}, or ${lineOf(environment, 'activate', 'OTHER')}, which need not wait`;
}

/** What comes of a key that signs before every authorizer can know it. */
export const lostWords = 'for two hours an authorizer that has cached the keys from before may refuse its tokens.';

/** Why a step was not taken, and what to do. */
export function refusalWords(step: StepName, key: string, refusal: Refusal, { environment, now }: Telling): string {
	const list = lineOf(environment, 'list');
	switch (refusal.why) {
		case 'not_published':
			return `No published key is called ${key}: ${list} shows them, ${lineOf(environment, 'publish', 'NAME')} publishes one.`;
		case 'signing':
			return `${key} signs: let another key sign first (${lineOf(environment, 'activate', 'OTHER')}), then wait until its last tokens have expired.`;
		case 'too_early':
			return step === 'activate'
				? `Too early: ${key} may sign from ${momentToCome(refusal.from, now)}. Until then an authorizer may have cached the keys from before, and would refuse its tokens. Run this again then.`
				: `Too early: ${key} may be retired from ${momentToCome(refusal.from, now)}. Until then a token that it signed may be in use. Run this again then.`;
		case 'other_material':
			return `${key} is published with another public key than KMS has: someone changed the parameter by hand. Put back what was there before: ${historyLine(environment)}`;
		case 'full':
			return `The parameter holds no more keys: ${
				refusal.from === null || refusal.from <= now
					? `retire one, ${list} says which`
					: `the first may be retired from ${momentToCome(refusal.from, now)}`
			}. Then run this again.`;
	}
}

/** What a key may do next, and from when, as a person is told. */
const nextOf = (verb: string, from: number, now: number): string =>
	from <= now ? `may ${verb}` : `may ${verb} from ${momentToCome(from, now)}`;
