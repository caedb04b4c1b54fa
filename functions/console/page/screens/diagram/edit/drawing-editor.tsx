import { KeyHints } from '#page/parts/key-hints.tsx';
import { type DrawingAction, drawingActions } from './drawing-actions.ts';
import type { EditProps } from './drawing-edits.ts';
import { DrawnList } from './drawn-list.tsx';
import { EditSide } from './edit-side.tsx';
import { EditingArea } from './editing-area.tsx';
import { countsOf, maxCounts } from './limits.ts';
import { editText } from './texts.ts';
import { ToolPalette } from './tool-palette.tsx';

/** The palette, the drawing, the list of everything drawn, and the forms beside them. */
export function DrawingEditor({ edits, variables }: EditProps) {
	const counts = countsOf(edits.editor.content.value);
	const isFull = counts.drawn >= maxCounts.drawn;
	return (
		<div class="diagram">
			<div class="stack">
				<ToolPalette edits={edits} isFull={isFull} />
				{isFull && <p class="muted">{editText().exceeded.drawn}</p>}
				<EditingArea edits={edits} variables={variables} />
				<Hints isPiping={edits.tool.value === 'pipe'} />
				<DrawnList edits={edits} variables={variables} counts={counts} />
			</div>
			<EditSide edits={edits} variables={variables} />
		</div>
	);
}

/** Hints about the keys in the drawing. */
function Hints({ isPiping }: { readonly isPiping: boolean }) {
	const { hints } = editText();
	const { move, size, enter, pipe, bend, remove, back } = drawingActions;
	const keyHints: readonly (readonly [key: string, words: string])[] = isPiping
		? [
				['Click', hints.click],
				[enter.key, enter.pipeHint()],
				[bend.key, bend.pipeHint()],
				[shortKey(back), back.pipeHint()],
			]
		: [
				[move.key, move.hint()],
				['Shift', '×10'],
				['Ctrl', size.hint()],
				['Tab', hints.next],
				[pipe.key, pipe.hint().toLowerCase()],
				[shortKey(remove), remove.hint()],
				[shortKey(back), back.hint()],
				['Alt', hints.free],
			];
	return <KeyHints keys={keyHints} isDecoration />;
}

/** Returns the first letters of a key, as keyboards show them: `Del`, `Esc`. */
function shortKey({ key }: DrawingAction): string {
	return key.slice(0, 3);
}
