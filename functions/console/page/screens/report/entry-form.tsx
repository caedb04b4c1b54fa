import { useSignal } from '@preact/signals';
import { maxReasonLength } from '#domain/validation/input-limits.ts';
import { createActs } from '#page/core/acts.ts';
import { api, resultOf, type Schemas } from '#page/core/api.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { useRequest } from '#page/core/use-request.ts';
import { DeleteDialog } from '#page/editing/delete-dialog.tsx';
import type { TypedNumber } from '#page/format/typed-number.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { entryText } from './entry-texts.ts';
import type { ReportColumn } from './report-model.ts';

interface EntryFormProps {
	readonly reportId: number;
	readonly column: ReportColumn;
	/** The local dates of the first and the last day. */
	readonly days: { readonly from: string; readonly to: string };
	/** The stored number of these days, which is replaced; null: there is none. */
	readonly stored: Schemas['Entry'] | null;
	/** Whether the days are sealed, so that their numbers stay until they are sealed anew. */
	readonly isSealed: boolean;
	readonly onChanged: (announcement: string) => void;
}

const acts = createActs();

/** The number that somebody enters for a line and some days, with the reason. */
export function EntryForm({ reportId, column: { line }, days, stored, isSealed, onChanged }: EntryFormProps) {
	const text = entryText();
	const value = useSignal<TypedNumber>(stored?.value ?? null);
	const low = useSignal<TypedNumber>(stored?.low ?? null);
	const high = useSignal<TypedNumber>(stored?.high ?? null);
	const reason = useSignal(stored?.reason ?? '');
	const hasTried = useSignal(false);
	const isDeleting = useSignal(false);
	const hasReason = reason.value.trim() !== '';
	const { send, failure, isRunning } = useRequest(
		(numbers: { readonly value: number; readonly low: number | null; readonly high: number | null }) => {
			const body = { id: stored?.id ?? 0, reportId, key: line.key, ...days, ...numbers, reason: reason.value.trim() };
			return acts.send({ content: body, version: stored?.version ?? null }, (header) =>
				resultOf(api.POST('/saveEntry', { params: { header }, body })),
			);
		},
		() => onChanged(isSealed ? text.savedSealed(line.name) : text.saved(line.name)),
	);
	const number = (label: string, typed: typeof value, missing: string | null) => (
		<Field label={label} error={!hasTried.value ? null : typed.value === 'unreadable' ? text.numberMissing : missing}>
			{(ties) => <NumberInput ties={ties} value={typed.value} wrong="unreadable" onValue={(next) => (typed.value = next)} />}
		</Field>
	);
	const save = (): void => {
		hasTried.value = true;
		const numbers = { value: value.value, low: low.value, high: high.value };
		if (hasReason && isWhole(numbers)) void send(numbers);
	};
	return (
		<form
			class="stack"
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			{number(`${text.number} ${line.unit}`.trim(), value, value.value === null ? text.numberMissing : null)}
			<div class="two-fields">
				{number(text.low, low, null)}
				{number(text.high, high, null)}
			</div>
			<TextField
				label={text.reason}
				maxLength={maxReasonLength}
				value={reason.value}
				error={hasTried.value && !hasReason ? text.reasonMissing : null}
				onText={(typed) => (reason.value = typed)}
			/>
			{failure !== null && <Problems failure={failure} fallback={text.notSaved} />}
			<div class="line">
				<WriteButton look="primary" type="submit" disabled={isRunning}>
					{isRunning ? commonText().saving : text.enter}
				</WriteButton>
				{stored !== null && <Button onClick={() => (isDeleting.value = true)}>{commonText().delete}</Button>}
			</div>
			{stored !== null && isDeleting.value && (
				<DeleteDialog
					name={stored.reason}
					remove={() => deleteStored('/deleteEntry/{id}', stored)}
					onDeleted={() => onChanged(isSealed ? text.deletedSealed(line.name) : text.deleted(line.name))}
					onClose={() => (isDeleting.value = false)}
				>
					<p class="dialog-text">{isSealed ? text.deleteSealedText : text.deleteText}</p>
				</DeleteDialog>
			)}
		</form>
	);
}

/** Whether a number is written, and its bounds are left out or readable. */
function isWhole(numbers: {
	readonly value: TypedNumber;
	readonly low: TypedNumber;
	readonly high: TypedNumber;
}): numbers is { readonly value: number; readonly low: number | null; readonly high: number | null } {
	const { value, low, high } = numbers;
	return typeof value === 'number' && low !== 'unreadable' && high !== 'unreadable';
}
