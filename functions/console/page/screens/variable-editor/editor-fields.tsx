import { useId } from 'preact/hooks';
import { queryPathOf } from '#domain/variable/queries.ts';
import { chooseDecimals, chosenDecimals, maxChosenDecimals } from '#page/core/chosen-decimals.ts';
import { shownOf } from '#page/core/shown.ts';
import { variableKinds } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { Field } from '#page/parts/field.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import { knownProcesses } from './known-variables.ts';
import { QueryFields } from './query-fields.tsx';
import type { VariableTrial } from './variable-trial.ts';
import { fieldErrorText } from './wording.ts';

const BitInputs = lazyScreen(async () => (await import('./bit-inputs.tsx')).BitInputs);

/** Properties of EditorFields. */
export interface EditorFieldsProps {
	readonly editor: VariableEditor;
	readonly trial: VariableTrial;
}

/** The fields of every variable, and those of the kinds that have one query. */
export function EditorFields({ editor, trial }: EditorFieldsProps) {
	const text = editorText();
	const labels = { name: commonText().name, unit: commonText().unit, process: commonText().process };
	const list = useId();
	const draft = editor.content.value;
	const errorAt = (path: string): string | undefined => fieldErrorText(editor.shownProblems.value.get(path));
	return (
		<>
			<section class="panel form">
				<div class="variable-names">
					{(['name', 'unit', 'process'] as const).map((field) => (
						<Field key={field} label={labels[field]} error={errorAt(field)}>
							{(ties) => (
								<TextInput
									{...ties}
									value={draft[field]}
									list={field === 'process' ? list : undefined}
									onText={(typed) => editor.change({ [field]: typed })}
								/>
							)}
						</Field>
					))}
					<datalist id={list}>
						{knownProcesses.value.map((process) => (
							<option key={process} value={process} />
						))}
					</datalist>
				</div>
				<div class="line wrap variable-kinds">
					<SegmentedField
						label={commonText().kind}
						value={draft.kind}
						choices={variableKinds.map((value) => ({ value, label: text.kinds[value] }))}
						onChoose={(kind) => editor.change({ kind })}
					/>
					<SegmentedField
						label={text.type}
						value={draft.type}
						choices={(['last', 'history'] as const).map((value) => ({ value, label: text.types[value] }))}
						onChoose={(type) => editor.change({ type })}
					/>
				</div>
			</section>
			{draft.kind !== 'formula' && (
				<section class="panel form" aria-label={text.source}>
					<h2>{text.source}</h2>
					<QueryFields
						query={draft.query}
						areBytes={draft.kind === 'byte'}
						hasSeveral={trial.state.value.answer?.reading.reason?.code === 'several_series'}
						errorAt={(field) => errorAt(queryPathOf(draft.name.trim(), field))}
						onChange={(query) => editor.change({ query })}
					/>
				</section>
			)}
			{draft.kind === 'byte' && <BitFields editor={editor} trial={trial} />}
		</>
	);
}

/** The choice of decimals. This browser keeps it at once; it is not saved with the variable. */
export function DecimalsPanel({ varId }: { readonly varId: number }) {
	const { decimals, decimalsOfValues } = editorText();
	const numbers = Array.from({ length: maxChosenDecimals + 1 }, (_, number) => String(number));
	return (
		<div class="panel form">
			<Field label={decimals}>
				{(ties) => (
					<Select
						{...ties}
						value={String(chosenDecimals(varId) ?? '')}
						choices={[{ value: '', label: decimalsOfValues }, ...numbers.map((value) => ({ value, label: value }))]}
						onChoose={(value) => chooseDecimals(varId, value === '' ? null : Number(value))}
					/>
				)}
			</Field>
		</div>
	);
}

interface BitFieldsProps {
	readonly editor: VariableEditor;
	readonly trial: VariableTrial;
}

/** The eight bits of a byte that is edited. */
function BitFields({ editor, trial }: BitFieldsProps) {
	const text = editorText();
	const { phase, answer } = trial.state.value;
	return (
		<section class="panel form" aria-label={text.bits}>
			<h2>{text.bits}</h2>
			<BitInputs
				bits={editor.content.value.bits}
				stored={editor.base.value.content.bits}
				value={phase === 'answered' && answer !== null ? shownOf(answer.reading).value : null}
				problems={editor.shownProblems.value}
				onChange={(bits) => editor.change({ bits })}
			/>
		</section>
	);
}
