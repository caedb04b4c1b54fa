import { decimalsOf } from '#page/core/decimals.ts';
import { shownOf } from '#page/core/shown.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { Icon } from '#page/parts/icon.tsx';
import { ShownValue } from '#page/parts/shown-cells.tsx';
import { QualityMark } from '#page/parts/value-text.tsx';
import { resultText } from '../editor-texts.ts';
import type { CheckedRow } from './checked-rows.ts';
import { describeText } from './describe-texts.ts';
import { faultText } from './fault-text.ts';

interface RowCheckProps {
	readonly checked: CheckedRow;
	/** Whether another row has the same name. */
	readonly hasTwin: boolean;
	readonly onNameBits: () => void;
}

/** Shows the present value of a row, or all of its problems. */
export function RowCheck({ checked, hasTwin, onNameBits }: RowCheckProps) {
	const text = describeText();
	const { faults, draft } = checked;
	const sentences = [...new Set([...faults.values()].map((fault) => faultText(fault)))];
	return (
		<>
			{sentences.map((sentence) => (
				<p key={sentence} class="field-error">
					<Icon name="q-bad" />
					<span>{sentence}</span>
				</p>
			))}
			{sentences.length === 0 && <TriedValue checked={checked} />}
			{draft.kind === 'byte' && (
				<button type="button" class="link" onClick={onNameBits}>
					{text.nameBits}
				</button>
			)}
			{hasTwin && <p class="muted">{text.sameName}</p>}
		</>
	);
}

function TriedValue({ checked: { state, trial, draft, cells } }: Pick<RowCheckProps, 'checked'>) {
	const text = describeText();
	const { answer } = trial.state.value;
	if (state === 'trying') return <span class="muted">{resultText().trying}</span>;
	if (state === 'failed' || answer === null) return <span class="quality">{text.notTried}</span>;
	const shown = shownOf(answer.reading);
	if (state === 'no_data')
		return (
			<>
				<QualityMark quality="no_data" word={qualityWords().no_data} />
				<p class="muted">{text.nothingIn(cells.lookback)}</p>
			</>
		);
	const reason = shown.reason === null ? null : reasonText(shown.reason, { ownName: draft.name });
	return (
		<>
			{shown.quality === 'good' && <span class="good-mark">✓ </span>}
			{state === 'ready' && <ShownValue shown={shown} kind={draft.kind} decimals={decimalsOf([shown.value])} />}
			{shown.quality !== 'good' && (
				<QualityMark
					quality={shown.quality}
					word={reason === null ? qualityWords()[shown.quality] : `${qualityWords()[shown.quality]} · ${reason}`}
				/>
			)}
		</>
	);
}
