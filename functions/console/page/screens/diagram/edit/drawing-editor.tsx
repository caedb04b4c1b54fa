import type { Variable } from '#page/core/definitions.ts';
import { KeyHints } from '#page/parts/key-hints.tsx';
import { DrawnList } from './drawn-list.tsx';
import { EditSide } from './edit-side.tsx';
import { EditingArea } from './editing-area.tsx';
import { maxSize, sizeOf } from './limits.ts';
import { editText } from './texts.ts';
import { ToolPalette } from './tool-palette.tsx';
import type { DrawingEdits } from './use-drawing-edits.ts';

interface DrawingEditorProps {
	readonly edits: DrawingEdits;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** The palette, the drawing, the list of everything drawn, and the forms beside them. */
export function DrawingEditor({ edits, variables }: DrawingEditorProps) {
	const size = sizeOf(edits.editor.content.value);
	const isFull = size.drawn >= maxSize.drawn;
	return (
		<div class="diagram">
			<div class="stack">
				<ToolPalette edits={edits} isFull={isFull} />
				{isFull && <p class="muted">{editText().exceeded.drawn}</p>}
				<EditingArea edits={edits} variables={variables} />
				<DrawingKeys isPiping={edits.tool.value === 'pipe'} />
				<DrawnList edits={edits} variables={variables} size={size} />
			</div>
			<EditSide edits={edits} variables={variables} />
		</div>
	);
}

/** Hints about the keys in the drawing. */
function DrawingKeys({ isPiping }: { readonly isPiping: boolean }) {
	const { hints, pipeHints } = editText();
	const keyHints: readonly (readonly [key: string, words: string])[] = isPiping
		? [
				['Click', pipeHints.click],
				['Enter', pipeHints.enter],
				['Backspace', pipeHints.backspace],
				['Esc', pipeHints.escape],
			]
		: [
				['← ↑ → ↓', hints.move],
				['Shift', '×10'],
				['Ctrl', hints.size],
				['Tab', hints.next],
				['L', hints.pipe],
				['Del', hints.remove],
				['Esc', hints.back],
				['Alt', hints.free],
			];
	return <KeyHints keys={keyHints} isDecoration />;
}
