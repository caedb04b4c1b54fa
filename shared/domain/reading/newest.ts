import { maxWindows, type ReadContext, type ReadingDeps, readNow } from '../use-cases/read-variables.ts';
import { bitOf } from '../variable/bit.ts';
import type { Variable } from '../variable/variable.ts';
import type { Quality } from './quality.ts';
import type { Reading } from './reading.ts';

/** The newest value of a variable, or of one bit of it. */
export interface NewestState {
	readonly value: number | null;
	readonly quality: Quality;
}

/** What names a variable, or one bit of it. */
interface Reference {
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** What each reference shows at one moment, in their order, from one batch read. */
export async function readNewest(
	{ definitions, timeSeries }: ReadingDeps,
	schema: string,
	moment: ReadContext,
	references: readonly Reference[],
): Promise<readonly NewestState[]> {
	const rows = await definitions.get(schema, [...new Set(references.map(({ varId }) => varId))]);
	const variables = new Map([...rows].map(([id, row]) => [id, asNewest(row.variable)]));
	const readings: Reading[] = [];
	for (const slice of slicesOf([...variables.values()])) readings.push(...(await readNow(timeSeries, moment, slice, 'request')));
	const byId = new Map(readings.map((reading) => [reading.id, reading]));
	return references.map((reference) => stateOf(reference, variables.get(reference.varId), byId.get(reference.varId)));
}

/** The variable as type last and aggregate last, whatever its own (design section 5). */
const asNewest = (variable: Variable): Variable => ({
	...variable,
	type: 'last',
	varsTsdb: new Map([...variable.varsTsdb].map(([name, query]) => [name, { ...query, calc_type_period: 'last' }])),
});

/** One slice for all but very many variables: newest values take a window for each query, and a read takes so many. */
function slicesOf(variables: readonly Variable[]): readonly (readonly Variable[])[] {
	const slices: Variable[][] = [];
	let windows = maxWindows;
	for (const variable of variables) {
		windows += Math.max(1, variable.varsTsdb.size);
		if (windows > maxWindows) {
			slices.push([]);
			windows = Math.max(1, variable.varsTsdb.size);
		}
		slices.at(-1)?.push(variable);
	}
	return slices;
}

function stateOf({ bit }: Reference, variable: Variable | undefined, reading: Reading | undefined): NewestState {
	// A bit of a variable that has no bits any more refers to nothing.
	if (variable === undefined || reading === undefined || (bit !== undefined && !variable.binary_compressed))
		return { value: null, quality: 'missing_reference' };
	const { shown, quality } = reading;
	if (shown.type !== 'last' || shown.value === null) return { value: null, quality };
	return { value: bit === undefined ? shown.value : bitOf(shown.value, bit), quality };
}
