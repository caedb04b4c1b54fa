import * as v from 'valibot';
import { type KeyedMachine, type Machine, machineRoles } from '#domain/access/machine.ts';

const detailsSchema = v.object({
	clientId: v.string(),
	schema: v.string(),
	database: v.string(),
	owner: v.number(),
	name: v.string(),
	role: v.picklist(machineRoles),
	expiresAt: v.number(),
	createdBy: v.string(),
	createdAt: v.number(),
	secrets: v.array(v.object({ id: v.string(), createdAt: v.number() })),
	version: v.number(),
});

const hashesSchema = v.record(v.string(), v.string());

/** The texts in which a machine is stored: what administrators see, and the hashes, which listings do not read. */
export interface StoredMachine {
	readonly machine: string;
	readonly hashes: string;
}

/** Returns the stored form of a machine. `lastUsedAt` is stored by itself, because a sign-in changes nothing else. */
export function storedMachineOf({ hashes, lastUsedAt: _, ...details }: KeyedMachine): StoredMachine {
	return { machine: JSON.stringify(details), hashes: JSON.stringify(hashes) };
}

/** Parses a machine without its hashes. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseListedMachine(machine: string, lastUsedAt: number | null): Machine {
	return { ...v.parse(detailsSchema, JSON.parse(machine)), lastUsedAt };
}

/** Parses a machine, as `parseListedMachine` does. */
export function parseStoredMachine({ machine, hashes }: StoredMachine, lastUsedAt: number | null): KeyedMachine {
	return { ...parseListedMachine(machine, lastUsedAt), hashes: v.parse(hashesSchema, JSON.parse(hashes)) };
}
