import type { KeyRing, RingKey } from '#domain/signing-keys/key-ring.ts';
import { activatableFrom, type RotationRefusal, retirableFrom } from '#domain/signing-keys/rotation.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { formatFuture, formatPast } from './relative-time.ts';

const pc = coloursFor(process.stdout);

/** The data that messages depend on. Times are in milliseconds, `now` since the epoch. */
export interface MessageContext {
	readonly environment: string;
	readonly tokenLifetimeMs: number;
	readonly now: number;
	readonly ring: KeyRing;
}

/** A command of the tool that changes the key ring. */
export type KeyStep = 'publish' | 'activate' | 'retire';

/** A key in KMS. */
export interface KmsKey {
	readonly name: string;
	readonly kid: string;
	/**
	 * `Enabled` when the environment's functions can sign with it. Any other state says why they cannot: one of KMS, `missing` or `unsuitable`
	 * as from `keyStateOf`, or `replaced`: the alias of this name points to another key.
	 */
	readonly state: string;
}

/** Returns a command line of this tool: `npm run key -- retire first --env dev`. */
export function commandLine(environment: string, ...args: readonly string[]): string {
	return `npm run key -- ${args.join(' ')} --env ${environment}`;
}

/** Returns the command line that deploys the stack of the signing keys. */
export function deployCommand(environment: string): string {
	return `npx cdk deploy ${resourceNames(environment).stack('issuer')} -c env=${environment}`;
}

/** Returns the command line that shows the previous values of the parameter. */
export function historyCommand(environment: string): string {
	return `aws ssm get-parameter-history --name ${resourceNames(environment).keyRing}`;
}

/** Says that a key can be activated or retired, or from when: `may sign from 2026-11-21 14:32 (in 2 h 15 min)`. */
export function formatNextStep(
	{ ring, now, tokenLifetimeMs }: MessageContext,
	key: RingKey,
	step: 'activate' | 'retire',
): string {
	// `retirableFrom` is null for the active key. Nobody asks when that one may be retired.
	const from = step === 'activate' ? activatableFrom(ring, key) : (retirableFrom(ring, key, tokenLifetimeMs) ?? now);
	const action = step === 'activate' ? 'sign' : 'be retired';
	return from <= now ? `may ${action}` : `may ${action} from ${formatFuture(from, now)}`;
}

/** Says whether a published key is active, since when it is published or stopped, and its next step. */
export function formatKey(context: MessageContext, key: RingKey): string {
	if (key.signedUntil !== undefined)
		return `stopped ${formatPast(key.signedUntil, context.now)}, ${formatNextStep(context, key, 'retire')}`;
	const state = key.kid === context.ring.active ? pc.green('active') : formatNextStep(context, key, 'activate');
	return `${state}, published since ${formatPast(key.publishedAt, context.now)}`;
}

/** Formats the state of a key, in red when the key cannot sign. */
export function formatState(state: string): string {
	return state === 'Enabled' ? state : pc.red(`${state}: cannot sign`);
}

/** Says why a key cannot sign, and what to do. */
export function cannotSignMessage(environment: string, { kid, name, state }: KmsKey): string {
	const publish = `${commandLine(environment, 'publish', name)}, then ${commandLine(environment, 'activate', name)}`;
	const other = `activate another key: ${commandLine(environment, 'activate', 'OTHER')}`;
	switch (state) {
		case 'replaced':
			return `${name} cannot sign: its stack now has another key of that name. Publish and activate that key: ${publish}`;
		case 'unsuitable':
			return `${name} cannot sign: it is not an RSA key for signing, and API Gateway accepts no other. Let the issuer stack create it: ${deployCommand(environment)}`;
		case 'missing':
			return `${name} cannot sign: KMS has no such key. Instead, ${other}`;
		default:
			return `${name} cannot sign: KMS reports ${state}. Repair it in KMS (aws kms enable-key or cancel-key-deletion, --key-id ${kid}), or ${other}`;
	}
}

/** Says why a step was refused, and what to do. */
export function refusalMessage(
	{ environment, now }: MessageContext,
	step: KeyStep,
	key: string,
	refusal: RotationRefusal,
): string {
	const list = commandLine(environment, 'list');
	switch (refusal.reason) {
		case 'not_published':
			return `No published key is called ${key}: ${list} shows the published keys, ${commandLine(environment, 'publish', 'NAME')} publishes one.`;
		case 'signing':
			return `${key} is the active key: activate another key first (${commandLine(environment, 'activate', 'OTHER')}), then wait until the last tokens of ${key} have expired.`;
		case 'too_early': {
			const [action, reason] =
				step === 'activate'
					? ['sign', 'an authorizer may have cached the previous keys, and would reject its tokens']
					: ['be retired', 'a token that it signed may still be valid'];
			return `Too early: ${key} may ${action} from ${formatFuture(refusal.from, now)}. Until then ${reason}. Run this again then.`;
		}
		case 'weak_key':
			return `${key} is too weak to sign tokens: its ${refusal.weakness} Let the issuer stack create a key: ${deployCommand(environment)}`;
		case 'public_key_mismatch':
			return `${key} is published with another public key than KMS has: somebody changed the parameter by hand. Restore its previous value: ${historyCommand(environment)}`;
		case 'full': {
			const when = refusal.from === null || refusal.from <= now ? 'now' : `from ${formatFuture(refusal.from, now)}`;
			return `The parameter has no room for another key. A key may be retired ${when}: ${list} shows which. Then run this again.`;
		}
	}
}
