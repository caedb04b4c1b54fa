import * as v from 'valibot';
import { type KeyedMachine, type Machine, machineRoles, unreadableMachine } from '#domain/access/machine.ts';
import { storedTimeSchema } from '#domain/calendar/iso-time.ts';
import { tellInvalidRow } from './invalid-row.ts';

const detailsSchema = v.object({
	clientId: v.string(),
	schema: v.string(),
	database: v.string(),
	owner: v.number(),
	name: v.string(),
	role: v.picklist(machineRoles),
	expiresAt: storedTimeSchema,
	createdBy: v.string(),
	createdAt: storedTimeSchema,
	secrets: v.array(v.object({ id: v.string(), createdAt: storedTimeSchema })),
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

/**
 * Parses a machine. One that cannot be read may do nothing, as one whose secrets were taken away, and can be deleted. The log names it.
 * @param stored the texts of a machine, and what the store keeps beside them. `version` is null where the row lost it: then it is that of the text
 */
export function parseStoredMachine(
	{
		machine,
		hashes,
		version,
		...key
	}: StoredMachine & Pick<Machine, 'clientId' | 'schema'> & { readonly version: number | null },
	lastUsedAt: number | null,
): KeyedMachine {
	try {
		return { ...parseListedMachine(machine, lastUsedAt), hashes: v.parse(hashesSchema, JSON.parse(hashes)) };
	} catch {
		tellInvalidRow(key.schema, `machine#${key.clientId}`);
		const told = version ?? Number(/"version":(\d{1,15})/.exec(machine)?.[1] ?? 0);
		return unreadableMachine({ ...key, version: told, lastUsedAt });
	}
}
