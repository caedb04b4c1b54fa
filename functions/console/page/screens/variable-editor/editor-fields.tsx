import { useId } from 'preact/hooks';
import { pathOf } from '#domain/variable/queries.ts';
import { variableKinds } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { Field } from '#page/parts/field.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { BitFields } from './bit-fields.tsx';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import { knownProcesses } from './known-variables.ts';
import { QueryFields } from './query-fields.tsx';
import type { Trial } from './trial.ts';
import { fieldErrorText } from './wording.ts';

/** Properties of EditorFields. */
export interface EditorFieldsProps {
	readonly editor: VariableEditor;
	readonly trial: Trial;
}

/** The fields of every variable, and those of the kinds that have one query. */
export function EditorFields({ editor, trial }: EditorFieldsProps) {
	const text = editorText();
	const labels = { name: commonText().name, unit: text.unit, process: commonText().process };
	const list = useId();
	const draft = editor.content.value;
	/** What is still empty is wrong only after a save was tried. */
	const errorAt = (path: string): string | undefined => {
		const error = editor.problems.value.get(path);
		const isEmpty = error?.code === 'empty' || error?.code === 'required' || error?.code === 'bits_required';
		return isEmpty && !editor.hasTried.value ? undefined : fieldErrorText(error);
	};
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
						hasMean={draft.kind === 'simple'}
						errorAt={(field) => errorAt(pathOf(draft.name.trim(), field))}
						onChange={(query) => editor.change({ query })}
					/>
				</section>
			)}
			{draft.kind === 'byte' && <BitFields editor={editor} trial={trial} errorAt={errorAt} />}
		</>
	);
}
