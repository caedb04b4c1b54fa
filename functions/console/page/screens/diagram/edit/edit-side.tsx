import { pipeIn, symbolIn } from '../diagram-draft.ts';
import type { EditProps } from './drawing-edits.ts';
import { focusEntry } from './focus.ts';
import { PipeForm } from './pipe-form.tsx';
import { DiagramForm, NewPipeForm, NewValueForm, SeveralForm } from './side-forms.tsx';
import { SymbolForm } from './symbol-form.tsx';

/**
 * The column beside the drawing: the form of the selection or of the next symbol, and that of the diagram. Esc moves the focus back to
 * the drawing.
 */
export function EditSide({ edits, variables }: EditProps) {
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: it only listens to Esc in the fields.
		<div
			class="stack edit-side"
			onKeyDown={(event) => {
				if (event.key !== 'Escape' || event.defaultPrevented) return;
				event.preventDefault();
				focusEntry(edits.selected.peek().at(-1));
			}}
		>
			<ChosenForm edits={edits} variables={variables} />
			<DiagramForm edits={edits} />
		</div>
	);
}

function ChosenForm({ edits, variables }: EditProps) {
	const draft = edits.editor.content.value;
	const chosen = edits.selected.value;
	const tool = edits.tool.value;
	if (tool === 'value') return <NewValueForm edits={edits} variables={variables} />;
	if (chosen.length > 1) return <SeveralForm edits={edits} />;
	const [symbol, pipe] = [symbolIn(draft, chosen[0]), pipeIn(draft, chosen[0])];
	// A pipe that was just drawn is selected, so its form comes before that of the next pipe.
	if (pipe !== null) return <PipeForm key={pipe.id} pipe={pipe} edits={edits} variables={variables} />;
	if (tool === 'pipe') return <NewPipeForm edits={edits} variables={variables} />;
	return symbol === null ? null : <SymbolForm key={symbol.id} symbol={symbol} edits={edits} variables={variables} />;
}
