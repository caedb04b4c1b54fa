import pc from 'picocolors';
import { resourceNames } from '#shared/resource-names.ts';
import { cannotSign, commandLine, deployCommand, formatKey, formatState } from './messages.ts';
import type { KeySession } from './session.ts';

/** Prints every key of an environment, published or only in KMS: its state and its next step. */
export function listKeys(session: KeySession): void {
	const { environment, ring, version, keys } = session;
	const [first] = keys;
	if (first === undefined) {
		const deploy = deployCommand(environment);
		console.log(pc.yellow(`${environment} has no signing key: deploy its issuer stack first (${deploy}). Is --env right?`));
		return;
	}
	console.log(pc.dim(`Signing keys of ${environment}, in ${resourceNames(environment).keyRing}: version ${version}`));
	const width = Math.max(...keys.map(({ name }) => name.length));
	for (const { name, kid, state } of keys) {
		const published = ring.keys.find((key) => key.kid === kid);
		const text =
			published === undefined ? `not published: ${commandLine(environment, 'publish', name)}` : formatKey(session, published);
		console.log(`${name.padEnd(width)}  ${pc.dim(kid)}  ${formatState(state)}  ${text}`);
	}
	const active = keys.find(({ kid }) => kid === ring.active);
	if (active === undefined) {
		const next = commandLine(environment, ring.keys.length === 0 ? 'publish' : 'activate', first.name);
		console.log(pc.yellow(`No key is active, so nobody can sign in: ${next}`));
	} else if (active.state !== 'Enabled') {
		const reason = cannotSign(environment, active);
		console.log(pc.red(`Nobody can sign in: ${reason}. The next key may sign immediately.`));
	}
}
