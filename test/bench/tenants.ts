import type { SchemaReader } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';
import { type BenchRow, sizeOf } from './row.ts';

/** Variables that one dashboard of each tenant reads every 30 s. */
const variables = 500;
/** Rows that stand for these variables, each for as many and as large as them together. */
const rowsOfSchema = 10;
const variablesOfRow = variables / rowsOfSchema;
/** The size in memory of a variable with texts as plants have them, in bytes. */
const variableBytes = 800;
const pollSeconds = 30;
/** How long a poll takes an environment of the function, in seconds. An environment serves one request at a time. */
const requestSeconds = 0.3;
const simulatedSeconds = 300;
const savesPerDay = 20;
const packSeconds = 300;
/** Read units of DynamoDB, as test/shared/adapters/dynamo/packs.integration.ts measures them: of a pack of 500, and of a part of it. */
const packUnits = 4.5;
const rowUnits = 2;
/** Most read units of a poll, in the mean. */
const budget = 10;

/** Simulates polls of many tenants, which Lambda gives to any environment that is free: the mean of the read units that definitions cost a poll. */
export async function benchTenants(): Promise<readonly BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const tenants of [1, 100, 1000].map((each) => sizeOf(each, Math.min(each, 5)))) {
		const [packed, plain] = [await simulate(tenants, true), await simulate(tenants, false)];
		rows.push({
			name: `read units of a poll of ${variables} definitions, ${tenants} tenants`,
			baseline: 'without packs',
			measured: `${packed.units.toFixed(1)} against ${plain.units.toFixed(1)}; ${(100 * packed.cold).toFixed(0)} % of polls miss`,
			ratio: packed.units / plain.units,
			budget: `at most ${budget} units`,
			met: packed.units <= budget,
		});
	}
	return rows;
}

/** Returns the mean units of a poll, and the share of polls that find no definitions of their schema in their environment. */
async function simulate(tenants: number, hasPacks: boolean) {
	const random = randomFrom(tenants);
	let units = 0;
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
			units += 1;
			return revisionOf(schema);
		},
		packed: async (schema) => {
			cold += 1;
			if (!hasPacks) return null;
			units += packUnits;
			const revision = packedAt.get(schema) ?? 100;
			return { revision, listed: revision, mark: revision, definitions };
		},
		snapshot: async (schema, ids) => {
			const asked = ids === 'all' ? [...definitions.keys()] : ids;
			// One row that changed is one variable; all rows are all variables.
			const read = asked.length === rowsOfSchema ? variables : asked.length;
			units += rowUnits * (read + Math.max(1, Math.ceil(read / 99)));
			return { ...revisionOf(schema), variables: new Map(asked.map((id) => [id, row])) };
		},
	};
	const environments = Array.from({ length: Math.max(1, Math.ceil((tenants * requestSeconds) / pollSeconds)) }, () =>
		createDefinitionCache({ ...unused, ...reader }),
	);
	const ids = [...definitions.keys()];
	let polls = 0;
	// The first polls of all environments fill their caches, and are not counted.
	for (let second = -simulatedSeconds; second < simulatedSeconds; second += pollSeconds) {
		if (second === 0) [units, cold, polls] = [0, 0, 0];
		for (let tenant = 0; tenant < tenants; tenant += 1) {
			const schema = `tenant ${tenant}`;
			if (random() < (savesPerDay * pollSeconds) / 86_400) revisions.set(schema, revisionOf(schema).revision + 1);
			if (second % packSeconds === 0) packedAt.set(schema, revisionOf(schema).revision);
			await environments[Math.floor(random() * environments.length)]?.get(schema, ids);
			polls += 1;
		}
	}
	return { units: units / polls, cold: cold / polls };
}

const never = async () => {
	throw new Error('The definition cache reads no rows.');
};
const unused = { get: never, list: never, page: never };
