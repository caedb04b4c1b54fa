import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Result, Schemas } from '#page/core/api.ts';
import { may } from '#page/core/session.ts';
import { CorrectionDialog, type NewCorrection } from '#page/corrections/correction-dialog.tsx';
import { correctionText } from '#page/corrections/correction-texts.ts';
import { assumedHoldOf, type CountedLine } from '#page/corrections/tried-days.ts';
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
	const choices = choicesOf(line);
	const choice = useSignal<TotalChoice>(choices[0] ?? 'mean');
	/** The value at which the totalizer wraps to 0. */
	const size = useSignal<number | null>(null);
	const result = useSignal<Result<CountedTotal> | null>(null);
	const correction = useSignal<NewCorrection | null>(null);
	const latest = useRef<CountedLine | null>(null);
	const count = async (): Promise<void> => {
		const asked = countedLineOf(choice.value, size.value);
		latest.current = asked;
		result.value = null;
		const answer = await countTotal(line, asked, { start, end });
		if (latest.current !== asked) return;
		result.value = answer;
	};
	useEffect(() => void count(), []);
	const choose = (next: TotalChoice): void => {
		choice.value = next;
		void count();
	};
	const options = choices.map((value) => ({ value, label: text.choices[value] }));
	const unit = isCurve(line) ? line.unit : '';
	if (correction.value !== null)
		return (
			<CorrectionDialog
				begin={correction.value}
				name={line.name}
				unit={unit}
				line={countedLineOf(choice.value, size.value)}
				countedUnit={unitOfTotal(choice.value, unit)}
				onSaved={onCorrected}
				onClose={onClose}
			/>
		);
	return (
		<Dialog title={trendText().totalsOf(line.name)} onClose={onClose} closeLabel={commonText().close} small>
			<p class="muted">{formatSpan({ start, end })}</p>
			{options.length > 3 ? (
				<Select aria-label={text.what} value={choice.value} choices={options} onChoose={choose} />
			) : (
				<Segmented label={text.what} value={choice.value} choices={options} onChoose={choose} />
			)}
			{choice.value === 'increase' && (
				<Field label={text.size} hint={text.sizeHint}>
					{(ties) => (
						<NumberInput
							ties={ties}
							value={size.value}
							wrong={null}
							disabled={false}
							onValue={(typed) => {
								size.value = typed !== null && typed > 0 ? typed : null;
								void count();
							}}
						/>
					)}
				</Field>
			)}
			<div aria-live="polite" class="stack">
				{result.value === null && <p class="muted">{commonText().reading}</p>}
				{result.value?.ok === false && <Problems failure={result.value.failure} fallback={text.failed} />}
				{result.value?.ok === true && (
					<CountedNumber
						line={line}
						choice={choice.value}
						counted={result.value.data}
						onExchange={(begin) => {
							correction.value = begin;
						}}
					/>
				)}
			</div>
			<div class="dialog-foot">
				{may('engineer') && (
					<Button
						onClick={() => {
							correction.value = { varId: line.varId, type: 'exclude', from: Math.round(start), to: Math.round(end) };
						}}
					>
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
	const unit = unitOfTotal(choice, isCurve(line) ? line.unit : '');
	const number = (value: number): string => formatNumber(value, choice === 'starts' ? 0 : 2);
	const { total, faults = [], corrections = [] } = counted;
	const { value, known, low, high } = total;
	return (
		<>
			<p class="total-value">
				<ValueText text={value === null ? null : number(value)} unit={unit} current={true} size="tile-size" />
			</p>
			<dl class="facts">
				<Fact term={text.available}>{known === null ? null : `${formatNumber(100 * known, known === 1 ? 0 : 1)} %`}</Fact>
				<Fact term={text.bounds}>
					{low === null || high === null
						? text.noBounds
						: low === high
							? text.exact
							: commonText().lowToHigh(number(low), number(high))}
				</Fact>
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
