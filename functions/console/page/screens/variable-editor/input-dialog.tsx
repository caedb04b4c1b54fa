import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import type { QuerySource } from './completion.ts';
import { type InputDraft, inputProblemsOf } from './draft.ts';
import { inputText } from './input-texts.ts';
import { querySources } from './known-variables.ts';
import { QueryFields } from './query-fields.tsx';
import { fieldErrorText } from './wording.ts';

/** Properties of InputDialog. */
export interface InputDialogProps {
	/** The input before it is edited. */
	readonly input: InputDraft;
	/** Whether the formula has no such input yet. */
	readonly isNew: boolean;
	/** Whether several sources write what the input reads. */
	readonly hasSeveral: boolean;
	/** The names that other inputs have. */
	readonly taken: ReadonlySet<string>;
	readonly onApply: (input: InputDraft) => void;
	readonly onRemove: () => void;
	readonly onClose: () => void;
}

/** Edits an input: its name in the formula, and its query. Closing the dialog changes nothing. */
export function InputDialog({ input, isNew, hasSeveral, taken, onApply, onRemove, onClose }: InputDialogProps) {
	const text = inputText();
	const draft = useSignal(input);
	const hasTried = useSignal(false);
	const { name, query } = draft.value;
	const problems = inputProblemsOf(draft.value);
	const wrongError = taken.has(name) ? text.nameTaken : fieldErrorText(problems.get('name'));
	const nameError = name === '' ? text.nameEmpty : wrongError;
	const apply = (): void => {
		hasTried.value = true;
		if (nameError === undefined && problems.size === 0) onApply(draft.value);
	};
	return (
		<Dialog title={text.inputTitle(input.name)} onClose={onClose} small>
			<form
				class="form"
				onSubmit={(event) => {
					event.preventDefault();
					apply();
				}}
			>
				{/* An empty name is called wrong only after the first try to apply. */}
				<Field label={text.inputName} error={name !== '' || hasTried.value ? nameError : undefined}>
					{(ties) => (
						<TextInput
							{...ties}
							value={name}
							onText={(typed) => {
								draft.value = { ...draft.value, name: typed };
							}}
						/>
					)}
				</Field>
				<CopyField
					onCopy={(source) => {
						draft.value = { name: name === '' ? source.name : name, query: source.query };
					}}
				/>
				<QueryFields
					query={query}
					areBytes={false}
					hasSeveral={hasSeveral}
					errorAt={(field) => {
						const error = problems.get(field);
						return error?.code === 'empty' && !hasTried.value ? undefined : fieldErrorText(error);
					}}
					onChange={(changed) => {
						draft.value = { ...draft.value, query: changed };
					}}
				/>
				<div class="dialog-foot">
					{!isNew && (
						<div class="apart">
							<Button onClick={onRemove}>{text.remove}</Button>
						</div>
					)}
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<Button type="submit" look="primary">
						{text.apply}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

/** The field that copies the query of a stored variable into the input. */
function CopyField({ onCopy }: { readonly onCopy: (source: QuerySource) => void }) {
	const text = inputText();
	const list = useId();
	const typed = useSignal('');
	return (
		<>
			<Field label={text.copyFrom} hint={text.copyHint}>
				{(ties) => (
					<TextInput
						{...ties}
						list={list}
						value={typed.value}
						onText={(name) => {
							typed.value = name;
							const source = querySources.value.find((candidate) => candidate.name === name);
							if (source !== undefined) onCopy(source);
						}}
					/>
				)}
			</Field>
			<datalist id={list}>
				{querySources.value.map(({ id, name, query }) => (
					<option key={id} value={name}>
						{query.topic}
					</option>
				))}
			</datalist>
		</>
	);
}
