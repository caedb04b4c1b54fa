import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { correctionTypes } from '#domain/board/correction.ts';
import { maxReasonLength } from '#domain/validation/input-limits.ts';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { createDraftEditor, type DraftEditor } from '#page/core/draft-editor.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { LocalTimeField, localText, parseLocalText } from '#page/parts/local-time-field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { focusFirstFault, useEditing } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type CorrectionDraft, correctionRequests } from './correction-draft.ts';
import { correctionText } from './correction-texts.ts';
import { TriedDays } from './tried-days.tsx';
import { type CountedLine, type TriedCorrection, tryCorrection } from './try-correction.ts';

/** The first values of a new correction. Times are epoch milliseconds. */
export type NewCorrection = Pick<CorrectionDraft, 'varId'> & Partial<CorrectionDraft>;

interface CorrectionDialogProps {
	/** The first values of the form. */
	readonly begin: NewCorrection;
	/** The name and the unit of the variable. */
	readonly name: string;
	readonly unit: string;
	/** How the days of the correction are counted; null: the service chooses. */
	readonly line: CountedLine | null;
	/** The unit of the numbers of the days. Without it, the unit of the variable is shown. */
	readonly countedUnit?: string;
	readonly onSaved: () => void;
	readonly onClose: () => void;
}

/** The form of a new correction. It shows the numbers of the corrected days before the correction is saved. */
export function CorrectionDialog({ begin, name, unit, line, countedUnit = unit, onSaved, onClose }: CorrectionDialogProps) {
	const text = correctionText();
	const form = useRef<HTMLFormElement>(null);
	const editor = useMemo(() => {
		const content: CorrectionDraft = { id: 0, type: 'exclude', reason: '', ...begin };
		return createDraftEditor<CorrectionDraft>({ content, version: null }, correctionRequests);
	}, []);
	const tried = useSignal<TriedCorrection | null>(null);
	const refused = useSignal<Failure | null>(null);
	const { type, reason } = editor.content.value;
	const change = (part: Partial<CorrectionDraft>): void => {
		tried.value = null;
		refused.value = null;
		editor.change(part);
	};
	const chooseType = (next: CorrectionDraft['type']): void => change(fieldsFor(next, editor.content.value));
	const save = useEditing(editor, { onSaved, onFault: () => focusFirstFault(form.current) });
	const show = async (): Promise<void> => {
		const draft = editor.content.value;
		// Days can be shown before a reason is typed. The service refuses an empty one, also in a dry run.
		const reason = draft.reason.trim() === '' ? '–' : draft.reason;
		const result = await tryCorrection({ ...draft, reason }, line);
		if (editor.content.value !== draft) return;
		tried.value = result.ok ? result.data : null;
		refused.value = result.ok ? null : result.failure;
	};
	const failure = refused.value ?? editor.failure.value;
	return (
		<Dialog title={text.title(name)} onClose={onClose} closeLabel={commonText().close}>
			<form
				ref={form}
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					void save();
				}}
			>
				<p class="muted">{text.explained}</p>
				<SegmentedField
					label={text.what}
					value={type}
					choices={correctionTypes.map((each) => ({ value: each, label: text.types[each] }))}
					onChoose={chooseType}
				/>
				<TypeFields editor={editor} unit={unit} onChange={change} />
				<TextField
					label={text.reason}
					value={reason}
					maxLength={maxReasonLength}
					error={editor.shownProblems.value.has('reason') ? text.reasonMissing : null}
					onText={(typed) => change({ reason: typed })}
				/>
				{tried.value !== null && <TriedDays tried={tried.value} unit={countedUnit} />}
				{failure !== null && (
					<Problems failure={failure} fallback={refused.value === null ? commonText().notSavedButKept : text.notTried} />
				)}
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<Button onClick={() => void show()}>{text.tryOut}</Button>
					<WriteButton type="submit" look="primary" disabled={editor.isSaving.value}>
						{editor.isSaving.value ? commonText().saving : commonText().save}
					</WriteButton>
				</div>
			</form>
		</Dialog>
	);
}

interface TypeFieldsProps {
	readonly editor: DraftEditor<CorrectionDraft>;
	readonly unit: string;
	readonly onChange: (part: Partial<CorrectionDraft>) => void;
}

/** The fields of the chosen type of correction. */
function TypeFields({ editor, unit, onChange }: TypeFieldsProps) {
	const text = correctionText();
	const { type } = editor.content.value;
	const time = (field: 'from' | 'to' | 'at', label: string) => (
		<TimeField key={field} label={label} field={field} editor={editor} onChange={onChange} />
	);
	const number = (field: 'value' | 'oldFinal' | 'newInitial', label: string) => (
		<Field
			key={field}
			label={unit === '' ? label : `${label}, ${unit}`}
			error={editor.shownProblems.value.has(field) ? commonText().numberMissing(numberSigns.value.decimal) : null}
		>
			{(ties) => (
				<NumberInput
					ties={ties}
					value={editor.content.value[field] ?? null}
					wrong={null}
					onValue={(typed) => onChange({ [field]: typed ?? undefined })}
				/>
			)}
		</Field>
	);
	if (type === 'exchange')
		return (
			<>
				{time('at', text.at)}
				{number('oldFinal', text.oldFinal)}
				{number('newInitial', text.newInitial)}
			</>
		);
	return (
		<>
			{time('from', commonText().from)}
			{time('to', commonText().to)}
			{type === 'value' && number('value', commonText().value)}
		</>
	);
}

interface TimeFieldProps extends Omit<TypeFieldsProps, 'unit'> {
	readonly label: string;
	readonly field: 'from' | 'to' | 'at';
}

/** The field for a time of the draft. While its text is not a time, the draft has no time. */
function TimeField({ label, field, editor, onChange }: TimeFieldProps) {
	const time = editor.content.value[field];
	const typed = useSignal(time === undefined ? '' : localText(time));
	return (
		<LocalTimeField
			label={label}
			value={typed.value}
			error={editor.shownProblems.value.has(field) ? correctionText().fieldWrong : null}
			onInput={(value) => {
				typed.value = value;
				onChange({ [field]: parseLocalText(value) ?? undefined });
			}}
		/>
	);
}

/** How long a new stretch is before somebody changes its end, in milliseconds: half an hour. */
const firstStretchMs = 1_800_000;

/**
 * Returns the fields for another type; those of other types become undefined. Times are kept: the beginning of a stretch becomes the time
 * of an exchange, and the other way round.
 */
function fieldsFor(type: CorrectionDraft['type'], before: CorrectionDraft): Partial<CorrectionDraft> {
	const noFields = {
		from: undefined,
		to: undefined,
		value: undefined,
		at: undefined,
		oldFinal: undefined,
		newInitial: undefined,
	};
	const { from = before.at ?? currentTime(), to = from + firstStretchMs } = before;
	if (type === 'exchange') return { ...noFields, type, at: before.at ?? from };
	return { ...noFields, type, from, to };
}
