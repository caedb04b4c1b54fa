/** The roles that a machine may have. No machine may be an administrator, because machines give no rights to others. */
export const machineRoles = ['viewer', 'operator', 'engineer'] as const;

/** Most secrets of a machine: the one in use, and the one that replaces it. */
export const maxMachineSecrets = 2;

/** Returns the id of a secret: the start of its hash, as text. */
export function secretIdOf(hash: string): string {
	return hash.slice(0, secretIdLength);
}

/** Number of characters of a client id. */
export const clientIdLength = 20;

/** Number of characters of the id of a secret. */
export const secretIdLength = 10;

/** A secret of a machine, as it is shown: never the secret itself. */
export interface MachineSecret {
	/** Identifies the secret among those of its machine. */
	readonly id: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

/** A program that may use a schema (shared/domain/access/README.md#machines). */
export interface Machine {
	/** 20 random characters: letters and digits. */
	readonly clientId: string;
	readonly schema: string;
	/** The time-series database that it reads. */
	readonly database: string;
	/** The client at the identity provider to which schema and database belonged when the machine was made. */
	readonly owner: number;
	readonly name: string;
	readonly role: (typeof machineRoles)[number];
	/** Epoch milliseconds. */
	readonly expiresAt: number;
	/** The name of the person who made it. */
	readonly createdBy: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
	/** When it last signed in, in epoch milliseconds; null: never. */
	readonly lastUsedAt: number | null;
	/** By ascending time. Without secrets the machine cannot sign in, and may not change anything with tokens that it still has. */
	readonly secrets: readonly MachineSecret[];
	/** The number of its saves. */
	readonly version: number;
}

/** A machine with the hashes of its secrets (SHA-256), by the ids of the secrets. */
export interface KeyedMachine extends Machine {
	readonly hashes: Readonly<Record<string, string>>;
}

/** Returns a machine that is stored, and cannot be read: it may do nothing, and can only be deleted. */
export function unreadableMachine(key: Pick<Machine, 'clientId' | 'schema' | 'version' | 'lastUsedAt'>): KeyedMachine {
	const nothing = { database: '', owner: 0, expiresAt: 0, createdBy: '', createdAt: 0, secrets: [], hashes: {} };
	return { ...key, ...nothing, name: key.clientId, role: 'viewer' };
}

/** Returns whether a machine is one of `unreadableMachine`: every other has a database. */
export function isUnreadable({ database }: Machine): boolean {
	return database === '';
}

/** Why a machine may not sign in or change anything: it was deleted, it has expired, or its secrets were taken away. */
export type MachineRefusal = 'removed' | 'expired' | 'revoked';

/** Returns why a machine may not sign in or change anything; null: it may. `now`: epoch milliseconds. */
export function refusalOf(machine: Machine | null, now: number): MachineRefusal | null {
	if (machine === null) return 'removed';
	if (machine.secrets.length === 0) return 'revoked';
	return machine.expiresAt <= now ? 'expired' : null;
}
