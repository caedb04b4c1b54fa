import { SymbolIcon } from '../symbols/symbol-icon.tsx';
import { diagramText } from '../texts.ts';
import { focusDrawing, focusForm } from './drawing-keys.ts';
import { editText } from './texts.ts';
import { type Tool, tools } from './tools.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

/** The buttons of the tools. `isFull`: no symbol and no pipe can be added to the drawing. */
export function ToolPalette({ edits, isFull }: { readonly edits: DrawingEdits; readonly isFull: boolean }) {
	const text = editText();
	const wordOf = (tool: Tool): string => (tool === 'choose' || tool === 'pipe' ? text[tool] : diagramText().kinds[tool]);
	return (
		<div class="tool-palette" role="toolbar" aria-label={text.symbols}>
			{tools.map(([tool, key]) => (
				<button
					key={tool}
					type="button"
					aria-pressed={edits.tool.value === tool}
					aria-keyshortcuts={key}
					title={`${wordOf(tool)} (${key.toUpperCase()})`}
					disabled={isFull && tool !== 'choose'}
					onClick={() => {
						edits.take(tool);
						// The variable of a value is chosen in the form.
						if (tool === 'value') focusForm();
						else focusDrawing();
					}}
				>
					{tool === 'choose' ? (
						<svg class="i d-icon" viewBox="0 0 24 24" aria-hidden="true">
							<path d="M6 3.5l13 8-5.8 1.4-3 5.6z" />
						</svg>
					) : (
						<SymbolIcon kind={tool} />
					)}
					{wordOf(tool)}
				</button>
			))}
		</div>
	);
}
