import { useId } from 'preact/hooks';
import { pathOf } from '#domain/variable/queries.ts';
import type { FieldError } from '#page/core/api.ts';
import { chooseDecimals, chosenDecimals, maxChosenDecimals } from '#page/core/decimals.ts';
import { valueOrBit } from '#page/core/past/windows.ts';
import { shownOf } from '#page/core/shown.ts';
import { variableKinds } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { Field } from '#page/parts/field.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { type BitDraft, withBitName } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import { knownProcesses } from './known-variables.ts';
import { QueryFields } from './query-fields.tsx';
import type { VariableTrial } from './variable-trial.ts';
import { fieldErrorText } from './wording.ts';

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
	const errorAt = (path: string): string | undefined => fieldErrorText(editor.said.value.get(path));
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
					{draft.id !== 0 && draft.kind !== 'byte' && <DecimalsField varId={draft.id} />}
				</div>
			</section>
			{draft.kind !== 'formula' && (
				<section class="panel form" aria-label={text.source}>
					<h2>{text.source}</h2>
					<QueryFields
						query={draft.query}
						areBytes={draft.kind === 'byte'}
						errorAt={(field) => errorAt(pathOf(draft.name.trim(), field))}
						onChange={(query) => editor.change({ query })}
					/>
				</section>
			)}
			{draft.kind === 'byte' && <BitFields editor={editor} trial={trial} />}
		</>
	);
}

/** The choice of decimals. It is not saved with the variable: this browser keeps it, at once. */
function DecimalsField({ varId }: { readonly varId: number }) {
	const { decimals, decimalsOfValues } = editorText();
	const numbers = Array.from({ length: maxChosenDecimals + 1 }, (_, number) => String(number));
	return (
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
	);
}

/** Properties of BitFields. */
export interface BitFieldsProps {
	readonly editor: VariableEditor;
	readonly trial: VariableTrial;
}

/** The eight bits of a byte, each with its state now. The ones with a name are saved. */
export function BitFields({ editor, trial }: BitFieldsProps) {
	const text = editorText();
	const words = stateWords();
	const { bits } = editor.content.value;
	const { phase, answer } = trial.state.value;
	const value = phase === 'answered' && answer !== null ? shownOf(answer.reading).value : null;
	const { error, faulty } = bitFaults(bits, editor.said.value);
	return (
		<section class="panel form" aria-label={text.bits}>
			<h2>{text.bits}</h2>
			<p class="field-hint">{text.bitsHint}</p>
			<ul class="bit-fields">
				{[7, 6, 5, 4, 3, 2, 1, 0].map((position) => {
					const named = bits.find(({ bit }) => bit === position);
					const state = valueOrBit(value, position);
					const isOn = state === null ? null : state === 1;
					return (
						<li key={position}>
							<span class="mono">{text.bit(position)}</span>
							<TextInput
								aria-label={text.bit(position)}
								aria-invalid={faulty.has(position) || undefined}
								value={named?.name ?? ''}
								onText={(name) => editor.change({ bits: withBitName(bits, editor.base.value.content.bits, position, name) })}
							/>
							<span class={isOn === null ? 'word unknown' : 'word'}>
								<StateShape kind="state" on={isOn} /> {isOn === null ? words.unknown : isOn ? words.state.on : words.state.off}
							</span>
						</li>
					);
				})}
			</ul>
			{error !== undefined && (
				<p class="field-error" role="alert">
					<Icon name="q-bad" />
					<span>{error}</span>
				</p>
			)}
		</section>
	);
}

/** Returns what is said about the bits, and the positions of those at fault. */
function bitFaults(bits: readonly BitDraft[], said: ReadonlyMap<string, FieldError>) {
	const ofNames = bits.flatMap(({ bit }, index) => {
		const fault = said.get(`bits.${index}.name`);
		return fault === undefined ? [] : [{ bit, fault }];
	});
	const ofAll = said.get('bits');
	const inUse = ofAll?.params['bits'];
	return {
		error: fieldErrorText(ofAll ?? ofNames[0]?.fault),
		faulty: new Set([...ofNames.map(({ bit }) => bit), ...(Array.isArray(inUse) ? inUse : [])]),
	};
}
