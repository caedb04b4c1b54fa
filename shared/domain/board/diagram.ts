import * as v from 'valibot';
import { atMost, bitPositionSchema, finiteNumber, idSchema, maxTextLength, text, variableIdSchema } from '../validation/field.ts';
import { maxBoardItems, type Reference } from './reference.ts';

/** A place on the diagram, as a part of its width or height. */
const part = v.pipe(
	finiteNumber,
	v.check((value) => value >= 0 && value <= 1, 'Must be a number from 0 to 1.'),
);

/** A diagram: values at places of a picture. */
export const diagramSchema = v.object({
	id: idSchema,
	title: text(maxTextLength),
	items: v.pipe(
		v.array(
			v.object({
				varId: variableIdSchema,
				bit: v.optional(bitPositionSchema),
				x: part,
				y: part,
				label: v.optional(text(maxTextLength)),
			}),
		),
		atMost(maxBoardItems, 'items'),
	),
});

export type Diagram = v.InferOutput<typeof diagramSchema>;

export function diagramReferences({ items }: Diagram): readonly Reference[] {
	return items.map(({ varId, bit }, index) => ({ path: `items.${index}`, varId, bit }));
}

/** The diagram less a variable's items. */
export function diagramWithout(diagram: Diagram, varId: number): Diagram {
	return {
		...diagram,
		items: diagram.items.filter((each) => each.varId !== varId),
	};
}
