import * as v from 'valibot';
import { holdsAtSign } from '../access/actor.ts';
import {
	clientIdLength,
	isUnreadable,
	type KeyedMachine,
	type Machine,
	machineRoles,
	maxMachineSecrets,
	secretIdLength,
	secretIdOf,
} from '../access/machine.ts';
import { contentOfMachine, machineChange } from '../access/machine-change.ts';
import type { ChangeOrigin } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import { dayMs } from '../milliseconds.ts';
import type { MachineSecrets, Machines } from '../ports/machines.ts';
import { checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { optionalField, text } from '../validation/field.ts';
import { maxMachineNameLength } from '../validation/input-limits.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { timeSchema } from '../validation/time.ts';

/** Longest life of a machine from each save on. */
const maxDays = 366;
/** Attempts to save or delete a machine, each after another change of it. */
const maxAttempts = 12;
/** When a client should repeat a request after too many attempts. */
const retryAfterMs = 1000;

/**
 * A machine, as an administrator sends it. Without `clientId` it is a new one, which gets a secret at once. If no end is named, it lives
 * for 366 days.
 */
export const machineSchema = v.object({
	clientId: optionalField(text(clientIdLength)),
	name: text(maxMachineNameLength),
	role: v.picklist(machineRoles),
	expiresAt: optionalField(timeSchema),
	newSecret: optionalField(v.boolean()),
	removeSecret: optionalField(text(secretIdLength)),
});

/** A parsed machine of a request. */
export type SentMachine = v.InferOutput<typeof machineSchema>;

/** The dependencies of changing machines. */
export interface SaveMachineDeps {
	readonly machines: Pick<Machines, 'find' | 'save' | 'remove'>;
	readonly secrets: Pick<MachineSecrets, 'newClientId' | 'newSecret' | 'hash'>;
	/** Waits after an attempt that met another change. */
	readonly pause: (attempt: number) => Promise<unknown>;
	readonly origin: ChangeOrigin;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The tenant of the administrator, by the token. `owner`: the client that schema and database belong to. */
export type MachineTenant = Pick<Machine, 'schema' | 'database' | 'owner'>;

/** A machine as it is stored, and its new secret, which is shown only this one time; null: it has no new secret. */
export interface SavedMachine {
	readonly machine: Machine;
	readonly secret: string | null;
}

/**
 * Creates a machine, or changes one of the administrator's schema. A change keeps its database. A save that changes nothing stores nothing.
 * @param match what If-Match says of the version
 * @throws DomainError `invalid`, `no_such_machine` also for one that cannot be read, `version_mismatch`, `secrets_full`, `write_contention`, and the store's errors
 */
export async function saveMachine(
	deps: SaveMachineDeps,
	tenant: MachineTenant,
	sent: SentMachine,
	match: VersionMatch,
): Promise<SavedMachine> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const at = deps.now();
		const { clientId } = sent;
		const stored = clientId === undefined ? null : await findOwn(deps, tenant.schema, clientId);
		// A save would replace what is stored of a machine that cannot be read.
		if (clientId !== undefined && (stored === null || isUnreadable(stored)))
			throw new DomainError('no_such_machine', { clientId });
		checkVersion(match, stored);
		const expiresAt = sent.expiresAt ?? stored?.expiresAt ?? at + maxDays * dayMs;
		checkFields({ name: sent.name, expiresAt }, stored, at);
		const secret = stored === null || sent.newSecret ? deps.secrets.newSecret() : null;
		const machine = changedMachine(
			stored ?? newMachine(deps, tenant, at),
			{ ...sent, expiresAt },
			secret === null ? null : { hash: deps.secrets.hash(secret), at },
		);
		if (stored !== null && isSame(stored, machine)) return { machine: stored, secret: null };
		const outcome = await deps.machines.save(
			machine,
			stored?.version ?? null,
			machineChange({ before: stored, after: machine }, deps.origin, at),
		);
		if (outcome === 'saved') return { machine, secret };
		await deps.pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/**
 * Deletes a machine of a schema. From then on its tokens can change nothing; they can read until they expire.
 * @returns whether the schema had such a machine
 * @throws DomainError `version_mismatch`, `write_contention`, and the store's errors
 */
export async function deleteMachine(
	deps: Omit<SaveMachineDeps, 'secrets'>,
	schema: string,
	clientId: string,
	match: VersionMatch,
): Promise<boolean> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const stored = await findOwn(deps, schema, clientId);
		checkVersion(match, stored);
		if (stored === null) return false;
		const outcome = await deps.machines.remove(stored, machineChange({ before: stored, after: null }, deps.origin, deps.now()));
		if (outcome === 'removed') return true;
		await deps.pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/** Returns a machine of the schema; null where there is none, also for a machine of another schema. */
async function findOwn(
	{ machines }: Pick<SaveMachineDeps, 'machines'>,
	schema: string,
	clientId: string,
): Promise<KeyedMachine | null> {
	const machine = await machines.find(clientId);
	return machine?.schema === schema ? machine : null;
}

/** Checks the name and the end of a machine. An end that is stored may stay as it is. */
function checkFields({ name, expiresAt }: Pick<Machine, 'name' | 'expiresAt'>, stored: Machine | null, at: number): void {
	const issues = new ValidationIssues();
	if (holdsAtSign(name))
		issues.add(
			'name',
			problem('at_sign_in_name', 'Must hold no @, by which it could be taken for a person: give it another name.'),
		);
	if (expiresAt !== stored?.expiresAt && (expiresAt <= at || expiresAt > at + maxDays * dayMs)) {
		const message = `Must be after now, and at most ${maxDays} days from now.`;
		issues.add('expiresAt', problem('expiry_out_of_range', message, { days: maxDays }));
	}
	issues.throwIfAny();
}

/** Returns a machine without a secret, before the sent fields are put in. */
function newMachine({ secrets, origin }: SaveMachineDeps, tenant: MachineTenant, at: number): KeyedMachine {
	return {
		...tenant,
		clientId: secrets.newClientId(),
		name: '',
		role: 'viewer',
		expiresAt: at,
		createdBy: origin.actor.name,
		createdAt: at,
		lastUsedAt: null,
		secrets: [],
		hashes: {},
		version: 0,
	};
}

/** Returns the machine with the sent changes. A removed secret makes room for a new one. */
function changedMachine(
	stored: KeyedMachine,
	{ name, role, expiresAt, removeSecret }: SentMachine & Pick<Machine, 'expiresAt'>,
	added: { readonly hash: string; readonly at: number } | null,
): KeyedMachine {
	const kept = stored.secrets.filter(({ id }) => id !== removeSecret);
	if (added !== null && kept.length >= maxMachineSecrets) throw new DomainError('secrets_full', { limit: maxMachineSecrets });
	const hashes = new Map(kept.flatMap(({ id }) => Object.entries(stored.hashes).filter(([each]) => each === id)));
	const secret = added === null ? null : { id: secretIdOf(added.hash), createdAt: added.at };
	if (secret !== null && added !== null) hashes.set(secret.id, added.hash);
	return {
		...stored,
		name,
		role,
		expiresAt,
		secrets: secret === null ? kept : [...kept, secret],
		hashes: Object.fromEntries(hashes),
		version: stored.version + 1,
	};
}

const isSame = (a: Machine, b: Machine): boolean => JSON.stringify(contentOfMachine(a)) === JSON.stringify(contentOfMachine(b));
