import { machineActor, machineSubject } from '../access/actor.ts';
import { clientIdLength, type KeyedMachine, refusalOf } from '../access/machine.ts';
import { endOfToken, grantedScope, type TokenSettings } from '../access/token-settings.ts';
import type { SessionRefusal } from '../changes/change-entry.ts';
import type { SessionEvent } from '../changes/session-entry.ts';
import type { MachineSecrets, Machines } from '../ports/machines.ts';
import type { Owners } from '../ports/owners.ts';
import type { TokenSigner } from '../ports/token-signer.ts';

/** The dependencies of checking the credentials of a machine. */
export interface MachineCheckDeps {
	readonly machines: Pick<Machines, 'find' | 'noteUse'>;
	readonly secrets: Pick<MachineSecrets, 'isWellFormed' | 'hash'>;
	readonly owners: Pick<Owners, 'find'>;
	/** Adds a sign-in, or a refusal, to the journal of changes of a schema. */
	readonly tell: (schema: string, event: SessionEvent) => Promise<void>;
	/** Compares two texts in a time that does not reveal where they differ. */
	readonly constantTimeEqual: (a: string, b: string) => boolean;
}

/** The dependencies of signing a machine in. */
export interface MachineSignInDeps extends MachineCheckDeps {
	readonly signer: TokenSigner;
	readonly newId: () => string;
	/** Returns a random number from 0 (included) to 1 (excluded). */
	readonly random: () => number;
	readonly token: Omit<TokenSettings, 'sessionSeconds'>;
}

/** The request of a machine that signs in (RFC 6749, section 4.4.2). */
export interface ClientCredentials {
	readonly clientId: string;
	readonly secret: string;
	/** The requested scopes, separated by spaces; empty: the widest of its role. */
	readonly scope: string;
}

/** A token for a machine, or why there is none, by the error codes of RFC 6749, section 5.2. */
export type MachineSignIn =
	| { readonly token: string; readonly expiresInSeconds: number; readonly scope: string }
	| { readonly error: 'invalid_client' | 'invalid_scope' };

/** The form of the ids that `MachineSecrets.newClientId` makes. */
const clientIdForm = new RegExp(`^[A-Za-z0-9]{${clientIdLength}}$`);

/**
 * Exchanges the credentials of a machine for a token that ends no later than the machine. Schema and database must still belong to the
 * client that they belonged to when the machine was made. No attempt is counted: 256 random bits cannot be guessed, and one wrong secret
 * behind a shared address would lock people out. A wrong client id, a wrong secret and a machine that may not sign in have one answer.
 * @param source the network address that the request came from
 * @param now epoch milliseconds
 * @throws the errors of the ports
 */
export async function signInMachine(
	deps: MachineSignInDeps,
	sent: ClientCredentials,
	source: string,
	now: number,
): Promise<MachineSignIn> {
	const { random, newId, signer } = deps;
	const { issuer, audience, scopes } = deps.token;
	const machine = await authenticatedMachine(deps, sent, source, now);
	const issuedAt = Math.floor(now / 1000);
	if (machine === null) return { error: 'invalid_client' };
	const expiresAt = Math.min(endOfToken(deps.token, random, issuedAt), Math.floor(machine.expiresAt / 1000));
	if (expiresAt <= issuedAt) return { error: 'invalid_client' };
	const scope = grantedScope(scopes, machine.role, sent.scope);
	if (scope === undefined) return { error: 'invalid_scope' };
	const token = await signer.sign({
		iss: issuer,
		aud: audience,
		sub: machineSubject(machine.clientId),
		name: machine.name,
		schema: machine.schema,
		tsdb: machine.database,
		client: String(machine.owner),
		scope,
		iat: issuedAt,
		exp: expiresAt,
		jti: newId(),
	});
	await tellSignIn(deps, machine, source, now);
	return { token, expiresInSeconds: expiresAt - issuedAt, scope };
}

/**
 * Checks the credentials that a machine sends with a request, in place of a token. A sign-in is told as that of `signInMachine` is.
 * @param source the network address that the request came from
 * @param now epoch milliseconds
 * @returns null: they are wrong, or the machine may not sign in
 * @throws the errors of the ports
 */
export async function checkMachine(
	deps: MachineCheckDeps,
	sent: Omit<ClientCredentials, 'scope'>,
	source: string,
	now: number,
): Promise<KeyedMachine | null> {
	const machine = await authenticatedMachine(deps, sent, source, now);
	if (machine !== null) await tellSignIn(deps, machine, source, now);
	return machine;
}

async function tellSignIn(
	{ tell, machines }: MachineCheckDeps,
	machine: KeyedMachine,
	source: string,
	now: number,
): Promise<void> {
	// The entry is added before the machine is let in, so that every sign-in has an entry.
	await tell(machine.schema, { actor: machineActor(machine), source, refusal: null, at: now });
	// The machine is let in even if its use cannot be noted.
	await Promise.allSettled([machines.noteUse(machine.clientId, now)]);
}

/**
 * Returns the machine whose credentials were sent; null: they are wrong, or it may not sign in. The refusal of a known machine is added
 * to the journal. A text that is not a secret is refused without a read.
 */
async function authenticatedMachine(
	{ machines, secrets, owners, constantTimeEqual, tell }: MachineCheckDeps,
	{ clientId, secret }: Omit<ClientCredentials, 'scope'>,
	source: string,
	now: number,
): Promise<KeyedMachine | null> {
	if (!clientIdForm.test(clientId) || !secrets.isWellFormed(secret)) return null;
	const machine = await machines.find(clientId);
	if (machine === null) return null;
	const refuse = async (refusal: SessionRefusal): Promise<null> => {
		// The client gets the same answer even if the refusal cannot be added to the journal.
		await tell(machine.schema, { actor: machineActor(machine), source, refusal, at: now }).catch(() => undefined);
		return null;
	};
	const hash = secrets.hash(secret);
	const matches = Object.values(machine.hashes).map((stored) => constantTimeEqual(stored, hash));
	const state = refusalOf(machine, now);
	// No secret matches a machine that has none, so this reason comes first.
	if (state === 'revoked') return refuse('revoked');
	if (!matches.includes(true)) return refuse('secret');
	// The machine was found, so it is not `removed`.
	if (state !== null) return refuse('expired');
	const found = await Promise.all([
		owners.find({ kind: 'schema', name: machine.schema }),
		owners.find({ kind: 'database', name: machine.database }),
	]);
	return found.every((owner) => owner === machine.owner) ? machine : refuse('tenant');
}
