import { SymbolIcon } from '../symbols/symbol-icon.tsx';
import { notByKey, palette } from './drawing-actions.ts';
import type { DrawingEdits } from './drawing-edits.ts';
import { focusDrawing } from './focus.ts';
import { editText } from './texts.ts';

/** The buttons of the tools. `isFull`: no symbol and no pipe can be added to the drawing. */
export function ToolPalette({ edits, isFull }: { readonly edits: DrawingEdits; readonly isFull: boolean }) {
	return (
		<div class="tool-palette" role="toolbar" aria-label={editText().symbols}>
			{palette.map(({ tool, key, label, perform }) => (
				<button
					key={tool}
					type="button"
					aria-pressed={edits.tool.value === tool}
					aria-keyshortcuts={key.toLowerCase()}
					title={`${label()} (${key})`}
					disabled={isFull && tool !== 'choose'}
					onClick={() => {
						perform(edits, notByKey);
						// The form of a value takes the focus.
						if (tool !== 'value') focusDrawing();
					}}
				>
					<SymbolIcon kind={tool} />
					{label()}
				</button>
			))}
		</div>
	);
}
