import { useSignal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { formatDated } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { LocalTimeField, localText, parseLocalText } from '#page/parts/local-time-field.tsx';
import { trendText } from './texts.ts';
import { maxLengthMs, rangeBetween, type TimeRange, type TimeSpan } from './time-range.ts';

interface RangeDialogProps {
	readonly span: TimeSpan;
	readonly onChoose: (range: TimeRange) => void;
	readonly onClose: () => void;
}

/** Asks for the start and the end of a range, in the time zone of the view. */
export function RangeDialog({ span, onChoose, onClose }: RangeDialogProps) {
	const text = trendText();
	const typed = useSignal({ from: localText(span.start), to: localText(span.end) });
	const error = useSignal<{ readonly field: 'from' | 'to'; readonly sentence: string } | null>(null);
	const submit = (event: SubmitEvent): void => {
		event.preventDefault();
		const [from, to] = [parseLocalText(typed.value.from), parseLocalText(typed.value.to)];
		if (from === null || to === null) error.value = { field: from === null ? 'from' : 'to', sentence: text.rangeWrong };
		else if (from >= currentTime()) error.value = { field: 'from', sentence: text.rangeFuture(formatDated(from)) };
		else if (to <= from) error.value = { field: 'to', sentence: text.rangeOrder };
		else if (Math.min(to, currentTime()) - from > maxLengthMs) error.value = { field: 'from', sentence: text.rangeLong };
		else onChoose(rangeBetween(from, Math.min(to, currentTime()), currentTime()));
	};
	return (
		<Dialog title={text.rangeTitle} onClose={onClose} closeLabel={commonText().close} small>
			<form class="form" onSubmit={submit} noValidate>
				{(['from', 'to'] as const).map((field) => (
					<LocalTimeField
						key={field}
						label={commonText()[field]}
						value={typed.value[field]}
						error={error.value?.field === field ? error.value.sentence : null}
						onInput={(value) => {
							typed.value = { ...typed.value, [field]: value };
						}}
					/>
				))}
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
