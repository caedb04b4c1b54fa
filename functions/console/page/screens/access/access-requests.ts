import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { mayAct, type Role } from '#domain/access/role.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { beginnings, sessionCheck } from '#page/core/session.ts';

/** A person of the tenant, with the role that was given here. */
export type Person = Schemas['Person'];

/** Returns the role that a person has: the higher of the one of the provider and the one that was given here. */
export function roleOf(person: Person): Role {
	return isByProvider(person) ? (person.granted ?? person.role) : person.role;
}

/** Whether a person has the role by a grant of the provider, whatever was given here. */
export function isByProvider({ role, granted }: Person): boolean {
	return granted !== null && mayAct(granted, role);
}

/** A list that is read when its component appears, and again by `load`. It stays while it is read again. */
export interface Listing<Row> {
	/** Null until it was read for the first time. */
	readonly result: Signal<Result<readonly Row[]> | null>;
	readonly load: () => Promise<void>;
}

/** Reads a list when the component appears, and when somebody signs in again. */
export function useListing<Row>(read: () => Promise<Result<readonly Row[]>>): Listing<Row> {
	const result = useSignal<Result<readonly Row[]> | null>(null);
	const load = async (): Promise<void> => {
		const isSameSession = sessionCheck();
		const answer = await read();
		if (isSameSession()) result.value = answer;
	};
	useEffect(() => void load(), [beginnings.value]);
	return { result, load };
}

/** Reads everybody who signed in or was given a role, by e-mail. */
export async function readPeople(): Promise<Result<readonly Person[]>> {
	const result = await resultOf(api.GET('/getPeople'));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Sets the role of a person, who need not have signed in yet. */
export async function savePerson(body: Schemas['PersonInput']): Promise<Result<Person>> {
	const result = await resultOf(api.POST('/savePerson', { body }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** A program that may use the tenant. */
export type Machine = Schemas['Machine'];

/** A machine as stored, with its new secret. */
export type SavedMachine = Schemas['SavedMachine'];

/** Reads the machines, oldest first. */
export async function readMachines(): Promise<Result<readonly Machine[]>> {
	const result = await resultOf(api.GET('/getMachines'));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Creates a machine, or changes one, on condition of its version. An answer that holds a secret is not kept, so no save is repeated. */
export async function saveMachine(body: Schemas['MachineInput'], version: number | null): Promise<Result<SavedMachine>> {
	const header = version === null ? {} : { 'If-Match': `"${version}"` };
	const result = await resultOf(api.POST('/saveMachine', { params: { header }, body }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Deletes a machine, on condition of its version. */
export function deleteMachine({ clientId, version }: Machine): Promise<Result<unknown>> {
	const params = { path: { clientId }, header: { 'If-Match': `"${version}"` } };
	return resultOf(api.POST('/deleteMachine/{clientId}', { params }));
}
