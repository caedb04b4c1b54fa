import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { renameReference } from '#domain/equation/formula-text.ts';
import { CheckedFormulaField } from '#page/formula/checked-formula-field.tsx';
import type { FormulaFieldHandle } from '#page/formula/formula-field.tsx';
import { commonText } from '#page/i18n/common.ts';
import { type Completion, completionsFor } from './completion.ts';
import { CompletionList } from './completion-list.tsx';
import { emptyQuery, type InputDraft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import { InputDialog } from './input-dialog.tsx';
import { useInputReadings } from './input-readings.ts';
import { inputText } from './input-texts.ts';
import { InputsTable } from './inputs-table.tsx';
import { formulaNames, querySources } from './known-variables.ts';

/** The part of the editor for a formula: its text, its errors, and its inputs. */
export function FormulaPart({ editor }: { readonly editor: VariableEditor }) {
	const field = useRef<FormulaFieldHandle | null>(null);
	/** The input in the dialog: an existing one, or a new one whose name is filled in. Null while the dialog is closed. */
	const edited = useSignal<{ readonly input: InputDraft; readonly isNew: boolean } | null>(null);
	const { formula, inputs } = editor.content.value;
	const names = inputs.map(({ name }) => name);
	const readings = useInputReadings(inputs);
	const { faults: allFaults, references } = editor.formula.value;
	// An empty formula is shown as wrong only after a try to save.
	const isQuiet = formula.trim() === '' && !editor.hasTried.value;
	const faults = isQuiet ? [] : allFaults;

	/** Opens the dialog for the input with a name. Without such an input it is a new one, which reads what a variable of that name reads. */
	const edit = (name: string): void => {
		const input = inputs.find((candidate) => candidate.name === name);
		const source = querySources.value.find((candidate) => candidate.name === name);
		edited.value = { input: input ?? { name, query: source?.query ?? emptyQuery }, isNew: input === undefined };
	};
	/** Adds the input for a name that was chosen from the list. */
	const complete = (chosen: Completion, nextFormula: string): void => {
		const added = chosen.kind === 'variable' ? [{ name: chosen.name, query: chosen.query }] : [];
		editor.change({ formula: nextFormula, inputs: [...inputs, ...added] });
		if (chosen.kind === 'new') edit(chosen.name);
	};
	return (
		<>
			<section class="panel" aria-label={commonText().formula}>
				<h2 class="panel-head">{commonText().formula}</h2>
				<CheckedFormulaField
					onHandle={(handle) => {
						field.current = handle;
					}}
					text={formula}
					faults={faults}
					namesFor={(typed) => completionsFor(typed, names, querySources.value)}
					renderNames={(choice) => <CompletionList choice={choice} shownInput={(name) => readings.get(name)?.shown ?? null} />}
					sayUnknown={sayUnknown}
					onText={(typed) => editor.change({ formula: typed })}
					onComplete={complete}
				/>
			</section>
			<InputsTable
				inputs={inputs}
				references={references}
				readings={readings}
				problems={editor.problems.value}
				onEdit={edit}
				onAdd={() => edit('')}
			/>
			{edited.value !== null && (
				<EditedInput
					{...edited.value}
					hasSeveral={readings.get(edited.value.input.name)?.shown?.reason?.code === 'several_series'}
					editor={editor}
					onDone={() => {
						edited.value = null;
						field.current?.focus();
					}}
				/>
			)}
		</>
	);
}

/** Says that a reference, such as `{Level}`, is no input, and why if it names a variable with a formula. */
function sayUnknown(reference: string): string {
	const { isFormula, unknownInput } = inputText();
	return formulaNames.value.has(reference) ? isFormula(reference) : unknownInput(reference);
}

interface EditedInputProps {
	readonly editor: VariableEditor;
	/** The input before it is edited. */
	readonly input: InputDraft;
	/** Whether the formula has no such input yet. */
	readonly isNew: boolean;
	readonly hasSeveral: boolean;
	readonly onDone: () => void;
}

/** The dialog that edits an input, or adds one. If the name of an input changes, its references in the formula change, too. */
function EditedInput({ editor, input, isNew, hasSeveral, onDone }: EditedInputProps) {
	const { formula, inputs } = editor.content.value;
	const others = inputs.filter((other) => other !== input);
	return (
		<InputDialog
			input={input}
			isNew={isNew}
			hasSeveral={hasSeveral}
			taken={new Set(others.map(({ name }) => name))}
			onApply={(after) => {
				if (isNew) editor.change({ inputs: [...inputs, after] });
				else
					editor.change({
						inputs: inputs.map((before) => (before === input ? after : before)),
						formula: renameReference(formula, input.name, after.name),
					});
				onDone();
			}}
			onRemove={() => {
				editor.change({ inputs: others });
				onDone();
			}}
			onClose={onDone}
		/>
	);
}
