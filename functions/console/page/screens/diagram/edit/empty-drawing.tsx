import { panel, useDefinitions, type Variable } from '#page/core/definitions.ts';
import { Button } from '#page/parts/button.tsx';
import { processNamesOf, withFrames, withPanel } from './beginnings.ts';
import { focusDrawing } from './drawing-keys.ts';
import { editText } from './texts.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

interface EmptyDrawingProps {
	readonly edits: DrawingEdits;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** Shown over an empty drawing. It offers to begin with the plant's processes, or with its panel. */
export function EmptyDrawing({ edits, variables }: EmptyDrawingProps) {
	const text = editText();
	useDefinitions('panel');
	const processes = processNamesOf(variables.values());
	const stored = panel.rows.value ?? null;
	const members = stored === null ? 0 : stored.pumps.length + stored.states.length;
	return (
		<div class="edit-empty">
			<h2>{text.nothing}</h2>
			<p>{text.nothingText}</p>
			<div class="line">
				{processes.length > 0 && (
					<Button
						onClick={() => {
							edits.apply('begin', (draft) => withFrames(draft, processes));
							edits.endUndoStep();
							focusDrawing();
						}}
					>
						{text.frames(processes.length)}
					</Button>
				)}
				{stored !== null && members > 0 && (
					<Button
						onClick={() => {
							edits.apply('begin', (draft) => withPanel(draft, stored, variables));
							edits.endUndoStep();
							focusDrawing();
						}}
					>
						{text.fromPanel(members)}
					</Button>
				)}
			</div>
		</div>
	);
}
