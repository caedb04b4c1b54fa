import { panel, useDefinitions } from '#page/core/definitions.ts';
import { Button } from '#page/parts/button.tsx';
import type { DiagramDraft } from '../diagram-draft.ts';
import { processNamesOf, withFrames, withPanel } from './beginnings.ts';
import type { EditProps } from './drawing-edits.ts';
import { focusDrawing } from './focus.ts';
import { editText } from './texts.ts';

/** Shown over an empty drawing. It offers to begin with the plant's processes, or with its panel. */
export function EmptyDrawing({ edits, variables }: EditProps) {
	const text = editText();
	useDefinitions('panel');
	const processes = processNamesOf(variables.values());
	const stored = panel.rows.value ?? null;
	const members = stored === null ? 0 : stored.pumps.length + stored.states.length;
	const begin = (change: (draft: DiagramDraft) => DiagramDraft): void => {
		edits.once('begin', change);
		focusDrawing();
	};
	return (
		<div class="edit-empty">
			<h2>{text.nothing}</h2>
			<p>{text.nothingText}</p>
			<div class="line">
				{processes.length > 0 && (
					<Button onClick={() => begin((draft) => withFrames(draft, processes))}>{text.frames(processes.length)}</Button>
				)}
				{stored !== null && members > 0 && (
					<Button onClick={() => begin((draft) => withPanel(draft, stored, variables))}>{text.fromPanel(members)}</Button>
				)}
			</div>
		</div>
	);
}
