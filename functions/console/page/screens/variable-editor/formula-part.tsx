import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Icon } from '#page/parts/icon.tsx';
import type { Completion } from './completion.ts';
import { emptyQuery, type InputDraft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import type { FormulaFault } from './formula-faults.ts';
import { FormulaField, type FormulaFieldHandle } from './formula-field.tsx';
import { renameReference } from './formula-text.ts';
import { formulaText } from './formula-texts.ts';
import { InputDialog } from './input-dialog.tsx';
import { useInputReadings } from './input-readings.ts';
import { InputsTable } from './inputs-table.tsx';
import { querySources } from './known-variables.ts';
import { faultText } from './wording.ts';

/** The part of the editor for a formula: its text, what is wrong with it, and its inputs. */
export function FormulaPart({ editor }: { readonly editor: VariableEditor }) {
	const text = formulaText();
	const field = useRef<FormulaFieldHandle>(null);
	/** The input that is edited: an existing one, or a new one with this name. */
	const edited = useSignal<{ readonly input: InputDraft; readonly isNew: boolean } | null>(null);
	const { formula, inputs } = editor.content.value;
	const readings = useInputReadings(inputs);
	const { faults: allFaults, references } = editor.formula.value;
	// An empty formula is wrong only after a save was tried.
	const isQuiet = formula.trim() === '' && !editor.hasTried.value;
	const typedAt = useSignal<number | null>(null);
	const faults = isQuiet ? [] : allFaults.filter(({ start }) => start !== typedAt.value);

	const goToNextFault = (): void => {
		const caret = field.current?.caret() ?? 0;
		const next = faults.find(({ start }) => start > caret) ?? faults[0];
		if (next !== undefined) field.current?.select(next.start, next.end);
	};
	useShortcuts([{ key: 'F8', label: text.nextError, run: goToNextFault }]);

	const edit = (name: string): void => {
		const input = inputs.find((each) => each.name === name);
		const source = querySources.value.find((each) => each.name === name);
		edited.value = { input: input ?? { name, query: source?.query ?? emptyQuery }, isNew: input === undefined };
	};
	/** Adds the input that a chosen name stands for. */
	const complete = (chosen: Completion, nextFormula: string): void => {
		const added = chosen.kind === 'variable' ? [{ name: chosen.name, query: chosen.query }] : [];
		editor.change({ formula: nextFormula, inputs: [...inputs, ...added] });
		if (chosen.kind === 'new') edit(chosen.name);
	};
	const accept = (fault: FormulaFault): void => {
		const { start, end, suggestion } = fault;
		if (suggestion === null) return;
		editor.change({ formula: formula.slice(0, start) + suggestion + formula.slice(end) });
		field.current?.selectLater(start + suggestion.length);
	};
	return (
		<>
			<section class="panel" aria-label={commonText().formula}>
				<h2 class="panel-head">{commonText().formula}</h2>
				<FormulaField
					handle={field}
					text={formula}
					faults={faults}
					faultsId="formula-faults"
					inputs={inputs.map(({ name }) => name)}
					shownInput={(name) => readings.get(name)?.shown ?? null}
					onText={(typed) => editor.change({ formula: typed })}
					onReference={(start) => {
						typedAt.value = start;
					}}
					onComplete={complete}
				/>
				<FaultList faults={faults} onAccept={accept} />
				<p class="field-hint">{text.formulaHint}</p>
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

interface EditedInputProps {
	readonly editor: VariableEditor;
	readonly input: InputDraft;
	readonly isNew: boolean;
	readonly onDone: () => void;
}

/** Edits an input, or adds one. A new name of an input changes the formula, too. */
function EditedInput({ editor, input, isNew, onDone }: EditedInputProps) {
	const { formula, inputs } = editor.content.value;
	const others = inputs.filter((each) => each !== input);
	return (
		<InputDialog
			input={input}
			isNew={isNew}
			taken={new Set(others.map(({ name }) => name))}
			onApply={(after) => {
				if (isNew) editor.change({ inputs: [...inputs, after] });
				else
					editor.change({
						inputs: inputs.map((each) => (each === input ? after : each)),
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

interface FaultListProps {
	readonly faults: readonly FormulaFault[];
	/** Puts the suggestion in the place of what is wrong. */
	readonly onAccept: (fault: FormulaFault) => void;
}

/** What is wrong with the formula, by number. */
function FaultList({ faults, onAccept }: FaultListProps) {
	const text = formulaText();
	return (
		<>
			<ul class="faults" id="formula-faults">
				{faults.map((fault, index) => (
					<li key={`${fault.start} ${fault.code}`}>
						<Icon name="q-bad" />
						<span>
							{index + 1} · {faultText(fault)}{' '}
							{fault.suggestion !== null && (
								<>
									{text.meant}{' '}
									<button type="button" class="link" onClick={() => onAccept(fault)}>
										{fault.suggestion}
									</button>
									?
								</>
							)}
						</span>
					</li>
				))}
			</ul>
			<p class="sr" role="status">
				{faults.length === 0 ? '' : text.formulaErrors(faults.length)}
			</p>
		</>
	);
}
