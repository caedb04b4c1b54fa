import * as v from 'valibot';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { diagramSchema } from '#domain/board/diagram.ts';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { fieldOf } from '#domain/validation/field.ts';
import { messageFor } from '#domain/validation/parse.ts';

/** A diagram that a client sends. Its background must be harmless; that of a stored diagram was when it was sent. */
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
