import { maxTextLength } from '#domain/validation/input-limits.ts';
import { diagrams } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Combobox } from '#page/parts/combobox.tsx';
import { Field } from '#page/parts/field.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { variableOptions } from '#page/parts/variable-options.ts';
import { storedDraftOf } from '../diagram-draft.ts';
import { formerRatio, newRatio } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import { ActionButton } from './action-button.tsx';
import { drawingActions } from './drawing-actions.ts';
import type { EditProps } from './drawing-edits.ts';
import { focusDrawing, focusEntry } from './focus.ts';
import { PortFields } from './port-fields.tsx';
import { editText } from './texts.ts';

/** Chooses the variable of a new value. The choice places the value in the drawing. */
export function NewValueForm({ edits, variables }: EditProps) {
	const text = editText();
	return (
		<section class="panel form" aria-label={text.newValue}>
			<h2>{text.newValue}</h2>
			<Field label={commonText().variable} hint={text.newValueHint}>
				{(ties) => (
					<Combobox
						ties={ties}
						listLabel={commonText().variables}
						value={null}
						options={variableOptions(variables.values())}
						onChoose={(id) => focusEntry(edits.add('value', edits.newPlace.peek(), Number(id)))}
						emptyText={commonText().nothingMatches}
						moreText={commonText().moreVariables}
					/>
				)}
			</Field>
		</section>
	);
}

/** Chooses the beginning and then the end of a new pipe. The choice of the end draws the pipe. */
export function NewPipeForm({ edits, variables }: EditProps) {
	const text = editText();
	const draft = edits.editor.content.value;
	const { from, via } = edits.newPipe.value;
	return (
		<section class="panel form" aria-label={text.newPipe}>
			<h2>{text.newPipe}</h2>
			<PortFields
				label={commonText().from}
				port={from}
				other={undefined}
				draft={draft}
				variables={variables}
				onPort={(port) => {
					edits.newPipe.value = { from: port, via };
				}}
			/>
			{from !== null && (
				<PortFields
					label={commonText().to}
					port={null}
					other={from.symbol}
					draft={draft}
					variables={variables}
					onPort={edits.pipeAt}
				/>
			)}
		</section>
	);
}

/** The acts on several selected symbols and pipes. */
export function SeveralForm({ edits }: Pick<EditProps, 'edits'>) {
	const text = editText();
	const chosen = edits.selected.value;
	return (
		<section class="panel form" aria-label={text.chosen(chosen.length)}>
			<h2>{text.chosen(chosen.length)}</h2>
			<ActionButton action={drawingActions.copy} edits={edits} />
			<ActionButton action={drawingActions.remove} edits={edits} />
		</section>
	);
}

/** The name of `formerRatio`. */
const formerRatioName = '13:9';

/** The proportions that can be chosen. Null stands for those that all diagrams of earlier releases had. */
const ratios: readonly { readonly value: string; readonly ratio: number | null }[] = [
	{ value: formerRatioName, ratio: null },
	{ value: '16:10', ratio: newRatio },
	{ value: '16:9', ratio: 16 / 9 },
];

/** Two ratios that differ by less than this are the same. */
const sameRatio = 0.001;

/** The form of the diagram: its title, its proportions, and, while it is empty, another diagram to copy. */
export function DiagramForm({ edits }: Pick<EditProps, 'edits'>) {
	const { editor } = edits;
	const draft = editor.content.value;
	const titleError = editor.shownProblems.value.get('title')?.code === 'empty' ? commonText().titleMissing : null;
	/** Undefined for a stored ratio that cannot be chosen here. */
	const chosenRatio = ratios.find(({ ratio }) => Math.abs((ratio ?? formerRatio) - (draft.ratio ?? formerRatio)) < sameRatio);
	return (
		<section class="panel form">
			<TextField
				label={commonText().title}
				error={titleError}
				value={draft.title}
				maxLength={maxTextLength}
				onText={(title) => editor.change({ title })}
			/>
			<SegmentedField
				label={diagramText().ratio}
				value={chosenRatio?.value ?? null}
				choices={ratios.map(({ value }) => ({ value, label: value }))}
				onChoose={(value) => {
					const next = ratios.find((each) => each.value === value);
					if (next !== undefined) edits.once('ratio', (before) => ({ ...before, ratio: next.ratio }));
				}}
			/>
			{draft.symbols.length === 0 && <CopyField edits={edits} />}
		</section>
	);
}

/** Begins the drawing with a copy of another diagram. */
function CopyField({ edits }: Pick<EditProps, 'edits'>) {
	const text = editText();
	const draft = edits.editor.content.value;
	const others = (diagrams.rows.value ?? []).filter(({ id }) => id !== draft.id);
	const begin = (id: string): void => {
		const other = others.find((each) => String(each.id) === id);
		if (other === undefined) return;
		const { ratio, symbols, pipes, background } = storedDraftOf(other).content;
		edits.once('begin', (before) => ({ ...before, ratio, symbols, pipes, background }));
		focusDrawing();
	};
	if (others.length === 0) return null;
	return (
		<Field label={text.copyOf} hint={text.ratioKept(formerRatioName)}>
			{(ties) => (
				<Select
					{...ties}
					value=""
					choices={[
						{ value: '', label: text.chooseDiagram },
						...others.map(({ id, title }) => ({ value: String(id), label: title })),
					]}
					onChoose={begin}
				/>
			)}
		</Field>
	);
}
