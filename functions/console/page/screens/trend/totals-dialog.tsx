import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Result, Schemas } from '#page/core/api.ts';
import { may } from '#page/core/session.ts';
import { CorrectionDialog, type NewCorrection } from '#page/corrections/correction-dialog.tsx';
import { correctionText } from '#page/corrections/correction-texts.ts';
import { assumedHoldOf, type CountedLine } from '#page/corrections/try-correction.ts';
import { formatNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { lineFaultText } from '#page/i18n/line-faults.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { ValueText } from '#page/parts/value-text.tsx';
import { trendText } from './texts.ts';
import type { TimeSpan } from './time-range.ts';
import { totalsText } from './totals-texts.ts';
import { formatSpan } from './trend-format.ts';
import { type Curve, isCurve, type Strip } from './trend-model.ts';
import { type CountedTotal, choicesOf, countedLineOf, countTotal, type TotalChoice, unitOfTotal } from './trend-totals.ts';

interface TotalsDialogProps {
	readonly line: Curve | Strip;
	/** The start of the shown range, epoch milliseconds. */
	readonly start: number;
	readonly end: number;
	readonly onCorrected: () => void;
	readonly onClose: () => void;
}

/** Shows the total of a line over the shown range, the share of time that is known, the bounds of the total, and its faults. */
export function TotalsDialog({ line, start, end, onCorrected, onClose }: TotalsDialogProps) {
	const text = totalsText();
	const { choice, size, result, choose, setSize } = useTotal(line, { start, end });
	/** The correction that is being written; null without one. */
	const correction = useSignal<NewCorrection | null>(null);
	if (correction.value !== null)
		return (
			<CorrectionDialog
				begin={correction.value}
				name={line.name}
				unit={unitOf(line)}
				line={countedLineOf(choice, size)}
				countedUnit={unitOfTotal(choice, unitOf(line))}
				onSaved={onCorrected}
				onClose={onClose}
			/>
		);
	const correct = (begin: NewCorrection): void => {
		correction.value = begin;
	};
	return (
		<Dialog title={trendText().totalsOf(line.name)} onClose={onClose} closeLabel={commonText().close} small>
			<p class="muted">{formatSpan({ start, end })}</p>
			<ChoiceField line={line} choice={choice} onChoose={choose} />
			{choice === 'increase' && <SizeField size={size} onSize={setSize} />}
			<div aria-live="polite" class="stack">
				{result === null && <p class="muted">{commonText().reading}</p>}
				{result?.ok === false && <Problems failure={result.failure} fallback={text.failed} />}
				{result?.ok === true && <CountedNumber line={line} choice={choice} counted={result.data} onExchange={correct} />}
			</div>
			<div class="dialog-foot">
				{may('engineer') && (
					<Button onClick={() => correct({ varId: line.varId, type: 'exclude', from: Math.round(start), to: Math.round(end) })}>
						{text.markInvalid}
					</Button>
				)}
				<Button look="primary" onClick={onClose}>
					{commonText().close}
				</Button>
			</div>
		</Dialog>
	);
}

/**
 * Counts the total of a line: at first the usual one, then again with every choice. `size` is the value at which a totalizer wraps to 0;
 * null if it never wraps. `result` is null while the total is being counted.
 */
function useTotal(line: Curve | Strip, span: TimeSpan) {
	const choice = useSignal<TotalChoice>(choicesOf(line)[0] ?? 'mean');
	const size = useSignal<number | null>(null);
	const result = useSignal<Result<CountedTotal> | null>(null);
	const newest = useRef<CountedLine | null>(null);
	const count = async (): Promise<void> => {
		const counted = countedLineOf(choice.value, size.value);
		newest.current = counted;
		result.value = null;
		const answer = await countTotal(line, counted, span);
		// The answer to an earlier choice is dropped.
		if (newest.current === counted) result.value = answer;
	};
	useEffect(() => void count(), []);
	return {
		choice: choice.value,
		size: size.value,
		result: result.value,
		choose: (next: TotalChoice): void => {
			choice.value = next;
			void count();
		},
		setSize: (next: number | null): void => {
			size.value = next;
			void count();
		},
	};
}

/** Returns the unit of a line; empty for a state. */
function unitOf(line: Curve | Strip): string {
	return isCurve(line) ? line.unit : '';
}

/** The most choices that stand beside each other. More of them become a list. */
const mostSegments = 3;

interface ChoiceFieldProps {
	readonly line: Curve | Strip;
	readonly choice: TotalChoice;
	readonly onChoose: (choice: TotalChoice) => void;
}

/** The choice of what is counted. */
function ChoiceField({ line, choice, onChoose }: ChoiceFieldProps) {
	const text = totalsText();
	const options = choicesOf(line).map((value) => ({ value, label: text.choices[value] }));
	return options.length > mostSegments ? (
		<Select aria-label={text.what} value={choice} choices={options} onChoose={onChoose} />
	) : (
		<Segmented label={text.what} value={choice} choices={options} onChoose={onChoose} />
	);
}

interface SizeFieldProps {
	readonly size: number | null;
	readonly onSize: (size: number | null) => void;
}

/** The field for the value at which a totalizer wraps to 0. A number that is not positive counts as none. */
function SizeField({ size, onSize }: SizeFieldProps) {
	const text = totalsText();
	return (
		<Field label={text.size} hint={text.sizeHint}>
			{(ties) => (
				<NumberInput
					ties={ties}
					value={size}
					wrong={null}
					onValue={(typed) => onSize(typed !== null && typed > 0 ? typed : null)}
				/>
			)}
		</Field>
	);
}

interface CountedNumberProps {
	readonly line: Curve | Strip;
	readonly choice: TotalChoice;
	readonly counted: CountedTotal;
	/** Opens the form of a correction for a counter whose readings do not fit together. */
	readonly onExchange: (begin: NewCorrection) => void;
}

/** The total with its share of known time, its bounds, and its faults. */
function CountedNumber({ line, choice, counted, onExchange }: CountedNumberProps) {
	const text = totalsText();
	const decimals = choice === 'starts' ? 0 : 2;
	const number = (value: number): string => formatNumber(value, { decimals });
	const { total, faults = [], corrections = [] } = counted;
	const { value, known, low, high } = total;
	const bounds = (): string => {
		if (low !== null && high !== null) return low === high ? text.exact : commonText().lowToHigh(number(low), number(high));
		if (high !== null) return `≤ ${number(high)}`;
		return low === null ? text.noBounds : `≥ ${number(low)}`;
	};
	return (
		<>
			<p class="total-value">
				<ValueText
					text={value === null ? null : number(value)}
					unit={unitOfTotal(choice, unitOf(line))}
					current
					size="tile-size"
				/>
			</p>
			<dl class="facts">
				<Fact term={text.available}>{known === null ? null : formatKnownShare(known)}</Fact>
				<Fact term={text.bounds}>{bounds()}</Fact>
				<Fact term={text.corrections}>{corrections.length === 0 ? null : String(corrections.length)}</Fact>
			</dl>
			<p class="muted">{text.boundsMean}</p>
			{assumedHoldOf(line.varId) !== undefined && <p class="muted">{correctionText().holdAssumed}</p>}
			{faults.map((fault) => (
				<p key={`${fault.code} ${fault.to?.at}`} class="fault">
					{lineFaultText(fault)} <ExchangeButton fault={fault} varId={line.varId} onExchange={onExchange} />
				</p>
			))}
		</>
	);
}

/** Formats the share of known time in percent. Only the whole is written without a decimal. */
function formatKnownShare(known: number): string {
	return `${formatNumber(100 * known, { decimals: known === 1 ? 0 : 1 })} %`;
}

interface ExchangeButtonProps extends Pick<CountedNumberProps, 'onExchange'> {
	readonly fault: Schemas['LineFault'];
	readonly varId: number;
}

/** Opens the form of a correction where two readings do not fit together, because the meter was probably replaced. */
function ExchangeButton({ fault: { from, to }, varId, onExchange }: ExchangeButtonProps) {
	if (from === undefined || to === undefined || !may('engineer')) return null;
	return (
		<Button small onClick={() => onExchange({ varId, type: 'exchange', at: to.at, oldFinal: from.value, newInitial: to.value })}>
			{totalsText().exchanged}
		</Button>
	);
}
