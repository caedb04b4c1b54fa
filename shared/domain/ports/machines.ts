import type { KeyedMachine, Machine } from '../access/machine.ts';
import type { Change } from '../changes/change-entry.ts';

/** Why nothing was stored: the machine is not at the version that was read. */
export type MachineConflict = 'conflict';

/**
 * The machines of all schemas by client id. Reads of one are strongly consistent. `save` and `remove` add their change to the journal of
 * changes in the same commit.
 * @throws DomainError `store_failed`; `save` and `remove` also `outcome_unknown`
 */
export interface Machines {
	/** Returns null for a client id that no machine has. */
	find(clientId: string): Promise<KeyedMachine | null>;
	/** Returns the machines of a schema in any order. A change of the last second may be missing. */
	list(schema: string): Promise<readonly Machine[]>;
	/**
	 * Stores a machine. `lastUsedAt` stays as it is stored.
	 * @param replaced the version that was read; null: there is none yet
	 */
	save(machine: KeyedMachine, replaced: number | null, change: Change): Promise<'saved' | MachineConflict>;
	/** Deletes a machine that is at the version that was read. */
	remove(machine: Machine, change: Change): Promise<'removed' | MachineConflict>;
	/** Notes a sign-in at `at` (epoch milliseconds). Does nothing where the machine is gone. */
	noteUse(clientId: string, at: number): Promise<void>;
}

/** Client ids and secrets of machines. */
export interface MachineSecrets {
	/** Returns 20 random letters and digits. */
	newClientId(): string;
	/** Returns a new secret: 256 random bits, in a form that scanners know. */
	newSecret(): string;
	/** Returns whether a text has the form of a secret with the right checksum. So a typo is found without a read. */
	isWellFormed(text: string): boolean;
	/** Returns the hash of a secret, which is stored in place of the secret. */
	hash(secret: string): string;
}
