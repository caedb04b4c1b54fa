import type { Variable } from '#page/core/definitions.ts';
import { formatExact } from '#page/format/number.ts';
import type { DiagramDraft } from './diagram-draft.ts';
import { labelOf } from './item-reading.ts';

/** Describes a diagram line by line, so that two versions can be compared. */
export function diagramLines({ title, items }: DiagramDraft, variables: ReadonlyMap<number, Variable>): readonly string[] {
	return [
		title,
		...items.map((item) => {
			const variable = variables.get(item.varId);
			const bit = item.bit === null ? '' : `, bit ${item.bit}`;
			return `${labelOf(item, variable)} (${variable?.name ?? `#${item.varId}`}${bit}): ${formatExact(item.x)} · ${formatExact(item.y)}`;
		}),
	];
}
