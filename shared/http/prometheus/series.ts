import type { Definition } from '#domain/ports/schema-store.ts';
import { bitOf } from '#domain/variable/byte.ts';
import type { Variable } from '#domain/variable/variable.ts';
import type { Labels, Selector } from './selector.ts';

/**
 * The metrics: one for the values of all variables, and one for the states of bits. A name of its own for each process and unit would change
 * with them, and dashboards would lose their series. The id stays.
 */
export const metrics = {
	caudal_value: 'The value of a variable, in its unit.',
	caudal_bit: 'The state of a named bit of a variable: 1 or 0.',
} as const;

/** A series: a variable, or one of its bits. */
export interface LabelledSeries {
	readonly id: number;
	/** The position of the bit; null: the value itself. */
	readonly bit: number | null;
	readonly labels: Labels;
}

/** Returns the series that a selector matches, by ascending id. */
export function seriesOf(definitions: ReadonlyMap<number, Definition>, matches: Selector): readonly LabelledSeries[] {
	const variables = [...definitions.values()].map(({ variable }) => variable).toSorted((a, b) => a.id - b.id);
	return variables.flatMap(ofVariable).filter(({ labels }) => matches(labels));
}

/** Returns the number of a series in a value of its variable; null: there is none. */
export function numberOf({ bit }: LabelledSeries, value: number | null): number | null {
	return bit === null || value === null ? value : bitOf(value, bit);
}

function ofVariable(variable: Variable): readonly LabelledSeries[] {
	const { id, name, unit, process } = variable;
	const common = { id: String(id), name, process };
	const value = { id, bit: null, labels: labelsOf({ __name__: 'caudal_value', ...common, unit }) };
	const bits = 'bits' in variable ? variable.bits : [];
	return [
		value,
		...bits.map(({ bit, name: state }) => ({
			id,
			bit,
			labels: labelsOf({ __name__: 'caudal_bit', ...common, bit: String(bit), state }),
		})),
	];
}

/** Prometheus takes a label without text for one that is not there. */
const labelsOf = (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
