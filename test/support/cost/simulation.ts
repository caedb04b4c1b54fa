import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import type { RowKinds, SchemaReader } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { makeBoardRow, makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';
import { pollSeconds } from './prices.ts';
import { savesPerDay, units } from './units.ts';

/** Variables that one dashboard of each tenant reads every 30 s. */
export const variables = 500;
/** Rows that stand for these variables, each for as many and as large as them together. */
const rowsOfSchema = 10;
const variablesOfRow = variables / rowsOfSchema;
/** The size in memory of a variable with texts as plants have them, in bytes. */
const variableBytes = 800;
/** How long a poll takes an environment of the function, in seconds. An environment serves one request at a time. */
const requestSeconds = 0.3;
const simulatedSeconds = 300;
const packSeconds = 300;
export const packUnits = units.packOf500;
/** Of a row, and of the metadata that is read with rows. */
const rowUnits = 2;
/** How far the model of the guide's cost may be from the simulation. */
export const modelTolerance = 0.1;
/** Most read units of a poll, in the mean. */
export const budget = 10;

export const alarmsOfTenant = 100;

/** Returns the mean units of a poll, and the share of polls that find no definitions of their schema in their environment. */
export async function simulatePolls(tenants: number, hasPacks: boolean, seconds = simulatedSeconds) {
	const random = randomFrom(tenants);
	let spent = 0;
	let cold = 0;
	const row = makeVariableRow(1, { variable: { ...makeVariable(), unit: 'x'.repeat(variablesOfRow * variableBytes) } });
	const definitions = new Map(Array.from({ length: rowsOfSchema }, (_, index) => [index + 1, row]));
	const revisions = new Map<string, number>();
	const packedAt = new Map<string, number>();
	const revisionOf = (schema: string) => {
		const revision = revisions.get(schema) ?? 100;
		const listed = Array.from({ length: 50 }, (_, index) => revision - 49 + index);
		return { revision, listed: revision, changes: listed.map((each) => [1 + (each % rowsOfSchema)]), marks: listed };
	};
	const reader: Pick<SchemaReader, 'revision' | 'packed' | 'snapshot'> = {
		revision: async (schema) => {
			spent += 1;
			return revisionOf(schema);
		},
		packed: async (schema) => {
			cold += 1;
			if (!hasPacks) return null;
			spent += packUnits;
			const revision = packedAt.get(schema) ?? 100;
			return { revision, listed: revision, mark: revision, definitions };
		},
		snapshot: async (schema, ids) => {
			const asked = ids === 'all' ? [...definitions.keys()] : ids;
			// One row that changed is one variable; all rows are all variables.
			const read = asked.length === rowsOfSchema ? variables : asked.length;
			spent += rowUnits * (read + Math.max(1, Math.ceil(read / 99)));
			return { ...revisionOf(schema), variables: new Map(asked.map((id) => [id, row])) };
		},
	};
	const environments = Array.from({ length: environmentsFor(tenants) }, () => createDefinitionCache({ ...unused, ...reader }));
	const ids = [...definitions.keys()];
	let polls = 0;
	// The first polls of all environments fill their caches, and are not counted.
	for (let second = -seconds; second < seconds; second += pollSeconds) {
		if (second === 0) [spent, cold, polls] = [0, 0, 0];
		for (let tenant = 0; tenant < tenants; tenant += 1) {
			const schema = `tenant ${tenant}`;
			if (random() < (savesPerDay * pollSeconds) / 86_400) revisions.set(schema, revisionOf(schema).revision + 1);
			if (second % packSeconds === 0) packedAt.set(schema, revisionOf(schema).revision);
			await environments[Math.floor(random() * environments.length)]?.get(schema, ids);
			polls += 1;
		}
	}
	return { units: spent / polls, cold: cold / polls };
}

/** Returns the mean units of a request for all alarms of a tenant beside definitions of variables, likewise. */
export async function simulateAlarms(tenants: number, seconds = simulatedSeconds): Promise<number> {
	const random = randomFrom(tenants);
	let spent = 0;
	const rows = Array.from({ length: alarmsOfTenant }, (_, index) => makeBoardRow('alarm', index + 1));
	const revisions = new Map<string, number>();
	const store = {
		revision: async (schema: string) => {
			spent += units.revision;
			return { revision: revisions.get(schema) ?? 1, listed: 0, changes: [], marks: [] };
		},
		list: async <Kind extends keyof RowKinds>(): Promise<readonly RowKinds[Kind][]> => {
			spent += units.alarms;
			return rows as never;
		},
	};
	const environments = Array.from({ length: environmentsFor(tenants) }, () => createSavedAlarms(store));
	let requests = 0;
	for (let second = -seconds; second < seconds; second += pollSeconds) {
		if (second === 0) [spent, requests] = [0, 0];
		for (let tenant = 0; tenant < tenants; tenant += 1) {
			const schema = `tenant ${tenant}`;
			if (random() < (savesPerDay * pollSeconds) / 86_400) revisions.set(schema, (revisions.get(schema) ?? 1) + 1);
			await environments[Math.floor(random() * environments.length)]?.list(schema, second * 1000);
			spent += units.progress + units.states;
			requests += 1;
		}
	}
	return spent / requests;
}

/** Number of environments that serve the requests of tenants that poll one function. */
function environmentsFor(tenants: number): number {
	return Math.max(1, Math.ceil((tenants * requestSeconds) / pollSeconds));
}

const never = async () => {
	throw new Error('The definition cache reads no rows.');
};
const unused = { get: never, list: never, page: never };
