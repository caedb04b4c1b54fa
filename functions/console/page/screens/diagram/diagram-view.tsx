import type { Variable } from '#page/core/definitions.ts';
import { Drawing } from './drawing.tsx';
import { ItemList } from './item-list.tsx';
import { ProcessView } from './process-view.tsx';
import { type DiagramContent, drawnDiagramOf } from './symbols/drawn-diagram.ts';

interface DiagramViewProps {
	readonly content: DiagramContent;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly background: string | null;
}

/** A diagram with its present values. */
export function DiagramView({ content, variables, background }: DiagramViewProps) {
	const diagram = drawnDiagramOf(content);
	const shown = { diagram, variables, background };
	return (
		<div class="diagram viewing">
			{diagram.isPlain ? (
				<>
					<Drawing {...shown} />
					<ItemList diagram={diagram} variables={variables} />
				</>
			) : (
				<ProcessView {...shown} />
			)}
		</div>
	);
}
