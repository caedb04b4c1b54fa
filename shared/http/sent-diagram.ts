import * as v from 'valibot';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { type Diagram, diagramSchema } from '#domain/board/diagram.ts';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { fieldOf } from '#domain/validation/field.ts';
import { messageFor } from '#domain/validation/parse.ts';

/** A diagram that a client sends. Its background must be harmless; that of a stored diagram was by the rules of its release. */
export const sentDiagramSchema = v.pipe(
	diagramSchema,
	v.rawCheck(({ dataset, addIssue }) => {
		const input: unknown = dataset.value;
		const svg = fieldOf(input, 'background');
		// A text that is too long has an issue of its own.
		if (typeof svg !== 'string' || svg.length > maxBackgroundBytes) return;
		const found = svgProblem(svg);
		if (found !== null)
			addIssue({
				message: messageFor(found),
				path: [{ type: 'unknown', origin: 'value', input, key: 'background', value: svg }],
			});
	}),
);

/**
 * Returns the schema for a diagram that a client sends. A background that the diagram has already is not checked: an earlier release may
 * have accepted what is refused now, and the rest of the diagram can still be changed.
 * @param stored the stored content of the diagram; null or undefined: there is none
 */
export function sentDiagramSchemaFor(sent: unknown, stored: unknown): v.GenericSchema<unknown, Diagram> {
	const background = fieldOf(stored, 'background');
	return background !== undefined && fieldOf(sent, 'background') === background ? diagramSchema : sentDiagramSchema;
}
