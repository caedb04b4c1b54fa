import * as v from 'valibot';
import { atMostVariables, idSchema, listUpTo, numberFrom, rule, text } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { parse } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { drawingRules } from './drawing-rules.ts';
import { type DiagramPipe, diagramPipeSchema } from './pipe.ts';
import { maxBoardItems, maxBoardVariables, type Reference } from './reference.ts';
import { type DiagramItem, type DiagramShape, diagramItemSchema, shapesSchema } from './symbol.ts';
import { maxBackgroundBytes } from './symbol-kinds.ts';

/** The narrowest and the widest drawing: 1 to 4, and 4 to 1. */
const minRatio = 0.25;
const maxRatio = 4;

const backgroundSchema = v.pipe(
	v.string(),
	rule<string>(
		(svg) => svg.isWellFormed(),
		problem('not_well_formed', 'Must be well-formed Unicode (it holds half of a surrogate pair).'),
	),
	rule<string>(
		// A text has at least as many bytes as UTF-16 units, so one that is much too long is not encoded.
		(svg) => svg.length <= maxBackgroundBytes && new TextEncoder().encode(svg).length <= maxBackgroundBytes,
		problem('too_many_bytes', `At most ${maxBackgroundBytes} bytes.`, { limit: maxBackgroundBytes }),
		{ maxLength: maxBackgroundBytes },
	),
);

/**
 * A diagram: values and symbols at places, shapes without a variable, and pipes between symbols (shared/domain/board/DIAGRAM.md). The last
 * four fields are optional: on an update, an absent one keeps its stored value and null removes it. A stored diagram has no null.
 */
export const diagramSchema = v.pipe(
	v.object({
		id: idSchema,
		title: text(maxTextLength),
		items: v.pipe(...listUpTo(diagramItemSchema, maxBoardItems, 'items')),
		/** The width of the drawing divided by its height. */
		ratio: v.nullish(numberFrom(minRatio, maxRatio)),
		shapes: v.nullish(shapesSchema),
		pipes: v.nullish(v.pipe(...listUpTo(diagramPipeSchema, maxBoardItems, 'pipes'))),
		/** An SVG that is shown as an image below everything else. */
		background: v.nullish(withKeywords(backgroundSchema, { form: 'any' })),
	}),
	atMostVariables(maxBoardVariables, maxBoardItems, 'items', 'pipes'),
	drawingRules(),
);

/** The content of a diagram. */
export type Diagram = v.InferOutput<typeof diagramSchema>;

/**
 * Returns the diagram that a save stores: an absent optional field keeps its stored value, and null removes it.
 * @param stored null: the diagram is new
 * @throws DomainError `invalid` when what is sent and what is kept do not fit together
 */
export function completeDiagram(sent: Diagram, stored: Diagram | null): Diagram {
	if (stored === null) return withOptional(sent, sent);
	const complete = withOptional(sent, {
		ratio: sent.ratio === undefined ? stored.ratio : sent.ratio,
		shapes: sent.shapes === undefined ? stored.shapes : sent.shapes,
		pipes: sent.pipes === undefined ? stored.pipes : sent.pipes,
		background: sent.background === undefined ? stored.background : sent.background,
	});
	return parse(diagramSchema, complete);
}

/** Returns the references of the items and pipes of a diagram. */
export function diagramReferences({ items, pipes }: Diagram): readonly Reference[] {
	const ofItems = items.map(({ varId, bit }, index) => ({ path: `items.${index}`, varId, bit }));
	const ofPipes = (pipes ?? []).flatMap(({ varId, bit }, index) =>
		varId === undefined ? [] : [{ path: `pipes.${index}`, varId, bit }],
	);
	return [...ofItems, ...ofPipes];
}

/**
 * Returns the diagram without the references to a deleted variable. Boxes with its value are removed. A symbol becomes a shape, and a
 * pipe stays without a variable, so that no pipe loses its end.
 */
export function diagramWithout(diagram: Diagram, varId: number): Diagram {
	const { items, shapes, pipes } = diagram;
	const newShapes = items.flatMap((item) => (item.varId === varId ? shapeOf(item) : []));
	const withoutItems = { ...diagram, items: items.filter((item) => item.varId !== varId) };
	const withShapes = newShapes.length === 0 ? withoutItems : { ...withoutItems, shapes: [...(shapes ?? []), ...newShapes] };
	return pipes === undefined ? withShapes : { ...withShapes, pipes: (pipes ?? []).map((pipe) => unboundPipe(pipe, varId)) };
}

type OptionalFields = Pick<Diagram, 'ratio' | 'shapes' | 'pipes' | 'background'>;

/** Returns the diagram with these optional fields, in the order of responses. Null is stored as an absent field. */
function withOptional({ id, title, items }: Diagram, { ratio, shapes, pipes, background }: OptionalFields): Diagram {
	return {
		id,
		title,
		...((ratio ?? null) === null ? {} : { ratio }),
		items,
		...((shapes ?? null) === null ? {} : { shapes }),
		...((pipes ?? null) === null ? {} : { pipes }),
		...((background ?? null) === null ? {} : { background }),
	};
}

/** Returns the symbol of an item without its variable; nothing for a box with a value. */
function shapeOf({ varId: _varId, bit: _bit, tap: _tap, kind = 'value', ...drawn }: DiagramItem): readonly DiagramShape[] {
	return kind === 'value' ? [] : [{ ...drawn, kind }];
}

/** Returns the pipe without its variable, if it is the one that was deleted. */
function unboundPipe(pipe: DiagramPipe, varId: number): DiagramPipe {
	if (pipe.varId !== varId) return pipe;
	const { varId: _varId, bit: _bit, over: _over, ...unbound } = pipe;
	return unbound;
}
