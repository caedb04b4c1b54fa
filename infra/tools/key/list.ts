import pc from 'picocolors';
import { activeKeyOf } from '#domain/signing-keys/key-ring.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type Aws, aliasedKeys, canSign, findKey, signingStateOf } from './aws.ts';
import { readKeyRing } from './key-ring-store.ts';
import { deadWords, deployLine, kmsWords, lineOf, stateWords, type Telling } from './messages.ts';

/** A line of the list. */
interface Row {
	readonly name: string;
	readonly kid: string;
	/** KMS's word; null: it has no such key. */
	readonly kmsState: string | null;
	readonly words: string;
}

/** Says of each key of an environment, published or only in KMS, what it does and what may be done with it. */
export async function listKeys(aws: Aws, environment: string, tokenLifetimeMs: number): Promise<void> {
	const { ring, version } = await readKeyRing(aws, environment);
	const telling: Telling = { environment, tokenLifetimeMs, now: aws.now() };
	const published = new Set(ring.keys.map(({ kid }) => kid));
	const waiting = (await aliasedKeys(aws, environment)).filter(({ kid }) => !published.has(kid));
	const rows: Row[] = await Promise.all([
		...ring.keys.map(async (key) => ({
			name: key.name,
			kid: key.kid,
			kmsState: await signingStateOf(aws, environment, key),
			words: stateWords(ring, key, telling),
		})),
		...waiting.map(async ({ name, kid }) => ({
			name,
			kid,
			kmsState: (await findKey(aws, kid))?.state ?? null,
			words: `not published: ${lineOf(environment, 'publish', name)}`,
		})),
	]);
	if (rows.length === 0) {
		console.log(
			pc.yellow(`${environment} has no signing key: deploy its issuer stack first (${deployLine(environment)}). Is --env right?`),
		);
		return;
	}
	const written = version === 0 ? 'nothing published yet' : `version ${version}`;
	console.log(pc.dim(`Signing keys of ${environment}, in ${resourceNames(environment).keyRing}: ${written}`));
	const width = Math.max(...rows.map(({ name }) => name.length));
	for (const { name, kid, kmsState, words } of rows)
		console.log(`${name.padEnd(width)}  ${pc.dim(kid)}  ${kmsWords(kmsState)}  ${words}`);
	const active = activeKeyOf(ring);
	if (active === undefined) {
		const [first] = ring.keys;
		const how = first === undefined ? 'publish a key, then activate it' : lineOf(environment, 'activate', first.name);
		console.log(pc.yellow(`No key signs, so nobody can sign in: ${how}`));
		return;
	}
	const state = rows.find(({ kid }) => kid === active.kid)?.kmsState ?? null;
	if (state !== canSign) console.log(pc.red(deadWords(active, state, environment)));
}
