import type { Reference } from '../board/reference.ts';
import type { DifferingTag } from '../totals/join-sources.ts';
import { bitOf } from '../variable/byte.ts';
import { isStandIn, type Variable } from '../variable/variable.ts';
import type { Quality } from './quality.ts';
import { type ReadContext, type ReadingDeps, readNow } from './read-now.ts';
import type { Reading } from './reading.ts';

/** The newest value of a variable, or of one bit of it. */
export interface NewestState {
	readonly value: number | null;
	readonly quality: Quality;
	/** Of several sources, where `read` tells them apart: the tags in which they differ. */
	readonly tags?: readonly DifferingTag[];
	/** The row of the variable, or that of the alarm that refers to it, cannot be read. */
	readonly isUnread?: boolean;
}

type VariableReference = Pick<Reference, 'varId' | 'bit'>;

/**
 * Reads the newest value of each reference. Returns each reference with its state, in their order. Values beyond what one request
 * may read are null with the quality `skipped` (shared/domain/reading/README.md#budgets).
 * @param read reads the variables: `readTold` where several sources are told apart
 */
export async function readNewest<Item extends VariableReference>(
	{ definitions, timeSeries }: ReadingDeps,
	schema: string,
	context: ReadContext,
	references: readonly Item[],
	read: typeof readNow = readNow,
): Promise<readonly (readonly [Item, NewestState])[]> {
	const rows = await definitions.get(schema, [...new Set(references.map(({ varId }) => varId))]);
	const variables = new Map([...rows].map(([id, row]) => [id, asNewest(row.variable)]));
	const readings = await read(timeSeries, context, [...variables.values()]);
	const byId = new Map(readings.map((reading) => [reading.id, reading]));
	return references.map((reference) => [
		reference,
		stateOf(reference, variables.get(reference.varId), byId.get(reference.varId)),
	]);
}

/** The variable with type last and aggregate last. */
const asNewest = (variable: Variable): Variable => ({
	...variable,
	type: 'last',
	varsTsdb: new Map([...variable.varsTsdb].map(([name, query]) => [name, { ...query, calc_type_period: 'last' }])),
});

/** Returns the state of a reference. `variable` and `reading` are undefined where there is no such variable. */
function stateOf({ bit }: VariableReference, variable: Variable | undefined, reading: Reading | undefined): NewestState {
	if (variable === undefined || reading === undefined) return { value: null, quality: 'missing_reference' };
	const { content, quality, reason } = reading;
	// Which bits it has is not known.
	if (isStandIn(variable)) return { value: null, quality, isUnread: true };
	// A variable that is no longer bit-compressed has no such bit.
	if (bit !== undefined && !variable.binary_compressed) return { value: null, quality: 'missing_reference' };
	if (content.type !== 'last' || content.value === null)
		return { value: null, quality, ...(reason?.tags === undefined ? {} : { tags: reason.tags }) };
	return { value: bit === undefined ? content.value : bitOf(content.value, bit), quality };
}
