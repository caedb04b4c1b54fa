import pc from 'picocolors';
import type { StoredKeyRing } from '#adapters/aws/ssm-key-ring.ts';
import { activeKeyOf, type KeyRing, keyRingMaxAgeMs, keysCalled, type RingKey } from '#domain/signing-keys/key-ring.ts';
import { activate, publish, retire, type Step } from '#domain/signing-keys/rotation.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type Aws, canSign, findKey, publicPartOf, signingStateOf } from './aws.ts';
import { readKeyRing, writeKeyRing } from './key-ring-store.ts';
import { cannotSignWords, deployLine, lineOf, lostWords, mayRetire, maySign, refusalWords, type Telling } from './messages.ts';

/** What a step is taken on. */
export interface StepDeps {
	readonly aws: Aws;
	readonly environment: string;
	readonly tokenLifetimeMs: number;
}

/** Publishes the key that the environment has in KMS under a name. */
export async function publishKey(deps: StepDeps, name: string): Promise<void> {
	const { aws, environment, tokenLifetimeMs } = deps;
	const { signingKey } = resourceNames(environment);
	const found = await findKey(aws, signingKey(name));
	if (found === null)
		throw new ConfigError(
			`KMS has no key ${signingKey(name)}: add ${name} to signingKeys of ${environment} in cdk.json and deploy its issuer stack first (${deployLine(environment)}). Is --env right?`,
		);
	const { kid, state, signsTokens } = found;
	if (!signsTokens) throw new ConfigError(`${signingKey(name)} is no RSA key for signing: API Gateway takes no other.`);
	if (state !== canSign)
		throw new ConfigError(`${name} cannot sign: KMS says ${state}. Mend it there (--key-id ${kid}), or publish another key.`);
	const part = await publicPartOf(aws, kid);
	const read = await readKeyRing(aws, environment);
	const telling = tellingOf(deps);
	const step = publish(read.ring, { kid, name, ...part }, telling.now, tokenLifetimeMs);
	const { ring, changed } = await taken(deps, read, step, (refusal) => refusalWords('publish', name, refusal, telling));
	console.log(changed ? `${pc.green('published')} ${name} ${pc.dim(kid)}` : `${name} is published already: nothing to do.`);
	const key = ring.keys.find((each) => each.kid === kid);
	if (key === undefined || ring.active === kid) return;
	const active = activeKeyOf(ring);
	const dead = active !== undefined && (await signingStateOf(aws, environment, active)) !== canSign;
	const when = dead ? `may sign now, for ${active.name} cannot` : maySign(ring, key, telling);
	console.log(`It ${when}: ${lineOf(environment, 'activate', name)}`);
}

/** Lets a published key sign. */
export async function activateKey(deps: StepDeps, nameOrKid: string): Promise<void> {
	const { aws, environment } = deps;
	const read = await readKeyRing(aws, environment);
	const telling = tellingOf(deps);
	const key = await keyCalled(deps, read, nameOrKid, telling, 'activate');
	const { kid, name } = key;
	const before = activeKeyOf(read.ring);
	const lost = before !== undefined && (await signingStateOf(aws, environment, before)) !== canSign;
	const step = activate(read.ring, kid, telling.now, lost);
	const state = await signingStateOf(aws, environment, key);
	if (step.outcome === 'changed' && state !== canSign) throw new ConfigError(cannotSignWords(key, state));
	const { ring, changed } = await taken(deps, read, step, (refusal) => refusalWords('activate', nameOrKid, refusal, telling));
	if (!changed) {
		console.log(`${name} signs already: nothing to do.`);
		return;
	}
	const minutes = keyRingMaxAgeMs / 60_000;
	console.log(`${pc.green('activated')} ${name} ${pc.dim(kid)}: it signs every new token, within ${minutes} minutes everywhere`);
	const stopped = ring.keys.find((key) => key.kid === before?.kid);
	if (stopped === undefined) return;
	const early = activate(read.ring, kid, telling.now).outcome === 'refused';
	if (early) console.log(pc.yellow(`${stopped.name} was lost, so ${name} did not have to wait: ${lostWords}`));
	console.log(
		`${stopped.name} signs no more. It ${mayRetire(ring, stopped, telling)}: ${lineOf(environment, 'retire', keysCalled(ring, stopped.name).length > 1 ? stopped.kid : stopped.name)}`,
	);
}

/** Takes back a key that no valid token is signed with. */
export async function retireKey(deps: StepDeps, nameOrKid: string): Promise<void> {
	const { aws, environment, tokenLifetimeMs } = deps;
	const read = await readKeyRing(aws, environment);
	const telling = tellingOf(deps);
	const { kid, name } = await keyCalled(deps, read, nameOrKid, telling, 'retire');
	const step = retire(read.ring, kid, telling.now, tokenLifetimeMs);
	await taken(deps, read, step, (refusal) => refusalWords('retire', nameOrKid, refusal, telling));
	console.log(`${pc.green('retired')} ${name} ${pc.dim(kid)}: nothing needs it any more`);
	console.log(
		`Take it out of signingKeys of ${environment} in cdk.json and deploy; where KMS still has it then, schedule its deletion there.`,
	);
}

const tellingOf = ({ aws, environment, tokenLifetimeMs }: StepDeps): Telling => ({
	environment,
	tokenLifetimeMs,
	now: aws.now(),
});

/** What became of a step: the ring, and whether it is new. Throws ConfigError where it was refused. */
async function taken(
	deps: StepDeps,
	read: StoredKeyRing,
	step: Step,
	refused: (refusal: Extract<Step, { outcome: 'refused' }>['refusal']) => string,
): Promise<{ readonly ring: KeyRing; readonly changed: boolean }> {
	if (step.outcome === 'refused') throw new ConfigError(refused(step.refusal));
	if (step.outcome === 'unchanged') return { ring: read.ring, changed: false };
	await writeKeyRing(deps.aws, deps.environment, read, step.ring);
	return { ring: step.ring, changed: true };
}

/**
 * The one published key that a person means. Of several with one name, the one that may sign is the environment's own, which its alias
 * points to. Throws ConfigError where there is none, or several.
 */
async function keyCalled(
	{ aws, environment }: StepDeps,
	{ ring }: StoredKeyRing,
	nameOrKid: string,
	telling: Telling,
	step: 'activate' | 'retire',
): Promise<RingKey> {
	const [key, ...others] = keysCalled(ring, nameOrKid);
	if (key !== undefined && others.length > 0 && step === 'activate') {
		const alias = await findKey(aws, resourceNames(environment).signingKey(nameOrKid));
		const own = [key, ...others].find(({ kid }) => kid === alias?.kid);
		if (own !== undefined) return own;
	}
	if (key === undefined) throw new ConfigError(refusalWords(step, nameOrKid, { why: 'not_published' }, telling));
	if (others.length > 0)
		throw new ConfigError(
			`Several published keys are called ${nameOrKid}: give the key id instead, one of ${[key, ...others].map(({ kid }) => kid).join(', ')}.`,
		);
	return key;
}
