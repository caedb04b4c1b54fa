import { useSignal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { formatDated } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { LocalTimeField, localText, parseLocalText } from '#page/parts/local-time-field.tsx';
import { Select } from '#page/parts/select.tsx';
import { type Comparison, comparedSpan, comparisonFrom } from './comparison.ts';
import { trendText } from './texts.ts';
import { spanOf, type TimeRange, type TimeSpan } from './time-range.ts';
import { comparisonName } from './trend-format.ts';

interface CompareToolProps {
	readonly comparison: Comparison | null;
	readonly range: TimeRange;
	/** Whether the windows are too long to be compared. */
	readonly isTooCoarse: boolean;
	readonly onCompare: (comparison: Comparison | null) => void;
}

/** Chooses the range that the shown range is compared with. */
export function CompareTool({ comparison, range, isTooCoarse, onCompare }: CompareToolProps) {
	const text = trendText();
	/** Whether the dialog for another range is open. */
	const isAsking = useSignal(false);
	const span = spanOf(range, currentTime());
	// The choice `kept` needs no case: it stands for the present comparison, so it cannot be chosen anew.
	const choose = (value: string): void => {
		if (value === 'other') isAsking.value = true;
		else onCompare(value === 'day' || value === 'week' ? value : null);
	};
	return (
		<>
			<Select
				aria-label={text.compare}
				value={typeof comparison === 'number' ? 'kept' : (comparison ?? '')}
				choices={[
					{ value: '', label: text.compareNothing },
					{ value: 'day', label: text.compareDay },
					{ value: 'week', label: text.compareWeek },
					...(typeof comparison === 'number' ? [{ value: 'kept', label: comparisonName(comparison, span.start) }] : []),
					{ value: 'other', label: text.compareOther },
				]}
				onChoose={choose}
			/>
			{isTooCoarse && (
				<p class="muted" role="status">
					{text.tooCoarse}
				</p>
			)}
			{isAsking.value && (
				<CompareDialog
					span={span}
					start={comparedSpan(comparison ?? 'day', span).start}
					onClose={() => {
						isAsking.value = false;
					}}
					onCompare={(next) => {
						isAsking.value = false;
						onCompare(next);
					}}
				/>
			)}
		</>
	);
}

interface CompareDialogProps {
	/** The shown range. */
	readonly span: TimeSpan;
	/** The time that the field shows at first, epoch milliseconds. */
	readonly start: number;
	readonly onCompare: (comparison: Comparison) => void;
	readonly onClose: () => void;
}

/** Asks for the start of the range that the shown range is compared with. Both have the same length. */
function CompareDialog({ span, start, onCompare, onClose }: CompareDialogProps) {
	const text = trendText();
	const typed = useSignal(localText(start));
	const error = useSignal<string | null>(null);
	const submit = (event: SubmitEvent): void => {
		event.preventDefault();
		const from = parseLocalText(typed.value);
		const next = from === null ? null : comparisonFrom(from, span);
		if (from === null) error.value = text.rangeWrong;
		else if (from >= currentTime()) error.value = text.rangeFuture(formatDated(from));
		else if (next === null) error.value = text.compareSame;
		else onCompare(next);
	};
	return (
		<Dialog title={text.compareOther} onClose={onClose} closeLabel={commonText().close} small>
			<form class="form" onSubmit={submit} noValidate>
				<LocalTimeField
					label={commonText().from}
					value={typed.value}
					error={error.value}
					onInput={(value) => {
						typed.value = value;
					}}
				/>
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<Button type="submit" look="primary">
						{commonText().show}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
