import { findKeys, keyRingMaxAgeMs, type RingKey } from '#domain/signing-keys/key-ring.ts';
import { activate, publish, type RotationResult, retire } from '#domain/signing-keys/rotation.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { print } from '#infra/cli/print.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { publicKeyParts } from './aws.ts';
import { cannotSignMessage, commandLine, deployCommand, formatNextStep, type KeyStep, refusalMessage } from './messages.ts';
import { type KeySession, saveKeyRing } from './session.ts';

const pc = coloursFor(process.stdout);

/**
 * Publishes the key that the environment has in KMS under a name.
 * @throws ConfigError when the key cannot sign tokens, or when the step is refused
 */
export async function publishKey(session: KeySession, name: string): Promise<void> {
	const { kms, environment, ring, now, tokenLifetimeMs, keys, aliases } = session;
	const kid = aliases.get(name);
	if (kid === undefined) {
		const remedy = `add ${name} to signingKeys of ${environment} in cdk.json and deploy its issuer stack first (${deployCommand(environment)})`;
		throw new ConfigError(`KMS has no key ${resourceNames(environment).signingKey(name)}: ${remedy}. Is --env right?`);
	}
	// A published key whose alias was renamed is `replaced` under its old name only, and can sign under the new one.
	if (keys.some((each) => each.kid === kid && each.state !== 'replaced')) requireEnabled(session, kid);
	const key = { kid, name, ...(await publicKeyParts(kms, kid)) };
	const saved = await applyResult(session, 'publish', name, publish(ring, key, now, tokenLifetimeMs));
	print(saved === null ? `${name} is already published: nothing to do.` : `${pc.green('published')} ${name} ${pc.dim(kid)}`);
	const published = (saved ?? session).ring.keys.find((each) => each.kid === kid);
	if (published === undefined || kid === ring.active) return;
	const next = isActiveKeyLost(session)
		? 'may sign immediately, because the active key cannot'
		: formatNextStep(session, published, 'activate');
	print(`It ${next}: ${commandLine(environment, 'activate', name)}`);
}

/**
 * Makes a published key the one that signs.
 * @throws ConfigError when the key cannot sign, or when the step is refused
 */
export async function activateKey(session: KeySession, nameOrKid: string): Promise<void> {
	const { environment, ring, now } = session;
	const key = selectKey(session, 'activate', nameOrKid);
	const result = activate(ring, key.kid, now, { isActiveKeyLost: isActiveKeyLost(session) });
	if (result.outcome === 'changed') requireEnabled(session, key.kid);
	const saved = await applyResult(session, 'activate', nameOrKid, result);
	if (saved === null) {
		print(`${key.name} is already active: nothing to do.`);
		return;
	}
	const minutes = keyRingMaxAgeMs / 60_000;
	print(`${pc.green('activated')} ${key.name} ${pc.dim(key.kid)}: within ${minutes} minutes it signs every new token`);
	const stopped = saved.ring.keys.find(({ kid }) => kid === ring.active);
	if (stopped === undefined) return;
	const wasTooEarly = activate(ring, key.kid, now).outcome === 'refused';
	if (wasTooEarly) {
		const consequence = 'For two hours an authorizer that cached the previous keys may reject its tokens.';
		print(pc.yellow(`${stopped.name} was lost, so ${key.name} did not have to wait. ${consequence}`));
	}
	const isNameUnique = findKeys(ring, stopped.name).length === 1;
	const retireCommand = commandLine(environment, 'retire', isNameUnique ? stopped.name : stopped.kid);
	print(`${stopped.name} no longer signs. It ${formatNextStep(saved, stopped, 'retire')}: ${retireCommand}`);
}

/**
 * Removes a key whose tokens have all expired.
 * @throws ConfigError when the step is refused
 */
export async function retireKey(session: KeySession, nameOrKid: string): Promise<void> {
	const { kid, name } = selectKey(session, 'retire', nameOrKid);
	await applyResult(session, 'retire', nameOrKid, retire(session.ring, kid, session.now, session.tokenLifetimeMs));
	print(`${pc.green('retired')} ${name} ${pc.dim(kid)}: no valid token needs it`);
	print(
		`Remove it from signingKeys of ${session.environment} in cdk.json and deploy. If KMS still has the key after that, schedule its deletion there.`,
	);
}

/** Whether there is an active key and it cannot sign. */
const isActiveKeyLost = ({ ring, keys }: KeySession): boolean =>
	keys.some(({ kid, state }) => kid === ring.active && state !== 'Enabled');

/** Throws ConfigError when the functions of the environment cannot sign with a key. */
function requireEnabled({ environment, keys }: KeySession, kid: string): void {
	const key = keys.find((each) => each.kid === kid);
	if (key !== undefined && key.state !== 'Enabled') throw new ConfigError(cannotSignMessage(environment, key));
}

/** Saves the changed ring. Returns the session with it, or null when nothing changes. Throws ConfigError when the step was refused. */
async function applyResult(session: KeySession, step: KeyStep, key: string, result: RotationResult): Promise<KeySession | null> {
	if (result.outcome === 'refused') throw new ConfigError(refusalMessage(session, step, key, result.refusal));
	return result.outcome === 'unchanged' ? null : saveKeyRing(session, result.ring);
}

/**
 * Selects the published key with this name or id. When several have the name, `activate` takes the one that the environment's alias
 * points to. Throws ConfigError when no key or several keys remain.
 */
function selectKey(session: KeySession, step: 'activate' | 'retire', nameOrKid: string): RingKey {
	const keys = findKeys(session.ring, nameOrKid);
	const [key] = keys;
	if (key === undefined) throw new ConfigError(refusalMessage(session, step, nameOrKid, { reason: 'not_published' }));
	if (keys.length === 1) return key;
	const keyOfAlias = step === 'activate' ? keys.find(({ kid }) => kid === session.aliases.get(nameOrKid)) : undefined;
	if (keyOfAlias !== undefined) return keyOfAlias;
	const kids = keys.map(({ kid }) => kid).join(', ');
	throw new ConfigError(`Several published keys are called ${nameOrKid}. Give the key id instead, one of ${kids}.`);
}
