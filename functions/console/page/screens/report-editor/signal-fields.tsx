import { rateUnitNames } from '#domain/board/line.ts';
import { assumedHoldSeconds } from '#page/core/assumed-hold.ts';
import { variables } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Field } from '#page/parts/field.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { takesField } from '#page/reports/line-draft.ts';
import { rateOffer } from './line-edits.ts';
import { lineText } from './line-texts.ts';
import { errorText, type LineFieldsProps, NumberField } from './number-field.tsx';
import { editorText } from './texts.ts';
import { TimeOfDayField } from './time-of-day-field.tsx';

/** The fields of a line that reads a variable. Its function decides which fields there are. */
export function SignalFields(props: LineFieldsProps) {
	const { line } = props;
	const text = lineText();
	return (
		<>
			{takesField(line, 'per') && <RateFields {...props} />}
			{takesField(line, 'above') && <NumberField {...props} name="above" path="above" label={text.above} hint={text.aboveHint} />}
			{takesField(line, 'counter') && (
				<div class="two-fields">
					<NumberField {...props} name="size" path="counter.size" label={text.size} hint={text.sizeHint} />
					<NumberField {...props} name="dip" path="counter.dip" label={text.dip} hint={text.dipHint} />
				</div>
			)}
			{takesField(line, 'range') && <RangeFields {...props} />}
			{takesField(line, 'between') && <HoursFields {...props} />}
			{takesField(line, 'holdSeconds') && <HoldField {...props} />}
		</>
	);
}

/**
 * The fields for the unit of time of a rate, and the unit of its sum. The rate that the variable's unit suggests is offered, but never
 * applied by itself.
 */
function RateFields({ line, disabled, problemOf, onChange }: LineFieldsProps) {
	const text = lineText();
	const offer = rateOffer(line, variables.rows.value);
	const choices = rateUnitNames.map((value) => ({ value, label: text.pers[value] }));
	return (
		<div class="offered">
			<div class="two-fields">
				<Field label={text.per} error={errorText(problemOf('per'))}>
					{(ties) => (
						<Select<'' | (typeof rateUnitNames)[number]>
							{...ties}
							value={line.per ?? ''}
							disabled={disabled}
							choices={line.per === null ? [{ value: '', label: text.perChoose, disabled: true }, ...choices] : choices}
							onChoose={(per) => onChange({ per: per === '' ? null : per })}
						/>
					)}
				</Field>
				<TextField
					label={text.unitOfSum}
					value={line.unit}
					disabled={disabled}
					error={errorText(problemOf('unit'))}
					onText={(unit) => onChange({ unit })}
				/>
			</div>
			{offer !== null && (
				<Button small disabled={disabled} onClick={() => onChange({ per: offer.per, unit: offer.sum })}>
					{text.offerRate(offer.unit, text.pers[offer.per], offer.sum)}
				</Button>
			)}
		</div>
	);
}

/** The fields for the least and the greatest value that the variable can have while it is unknown. */
function RangeFields(props: LineFieldsProps) {
	const text = lineText();
	const problem = props.problemOf('range');
	/** The problem of one number is shown at its field. */
	const isOfOneNumber = ['range.0', 'range.1'].some((path) => props.problemOf(path) !== undefined);
	return (
		<fieldset class="pair">
			<legend class="field-label">{text.range}</legend>
			<div class="two-fields">
				<NumberField {...props} name="low" path="range.0" label={text.rangeFrom} />
				<NumberField {...props} name="high" path="range.1" label={text.rangeTo} />
			</div>
			{problem !== undefined && !isOfOneNumber && <PairError text={errorText(problem)} />}
			<p class="field-hint">{text.rangeHint}</p>
		</fieldset>
	);
}

/** The fields for the hours of the day that are counted. */
function HoursFields({ line, disabled, problemOf, onChange }: LineFieldsProps) {
	const text = lineText();
	const errorOf = (path: string): string | null => (problemOf(path) === undefined ? null : editorText().timeWrong);
	const [fromError, toError] = [errorOf('between.0'), errorOf('between.1')];
	const problemOfBoth = fromError === null && toError === null ? problemOf('between') : undefined;
	return (
		<fieldset class="pair">
			<legend class="field-label">{text.between}</legend>
			<div class="two-fields">
				<TimeOfDayField
					label={commonText().from}
					value={line.from}
					disabled={disabled}
					error={fromError}
					onTime={(from) => onChange({ from })}
				/>
				<TimeOfDayField
					label={commonText().to}
					value={line.to}
					disabled={disabled}
					error={toError}
					onTime={(to) => onChange({ to })}
				/>
			</div>
			{problemOfBoth !== undefined && <PairError text={errorText(problemOfBoth)} />}
			<p class="field-hint">{text.betweenHint}</p>
		</fieldset>
	);
}

/** The field for the time that a sample is assumed to hold. An hour is offered if the variable does not define it. */
function HoldField(props: LineFieldsProps) {
	const { line, disabled, onChange } = props;
	const text = lineText();
	const variable = line.varId === null ? undefined : variables.rows.value?.get(line.varId);
	const offered = line.holdSeconds === null ? assumedHoldSeconds(variable) : undefined;
	return (
		<div class="offered">
			<NumberField
				{...props}
				name="holdSeconds"
				path="holdSeconds"
				label={text.hold}
				hint={offered === undefined ? text.holdHint : undefined}
			/>
			{offered !== undefined && (
				<Button small disabled={disabled} onClick={() => onChange({ holdSeconds: offered })}>
					{text.offerHold(offered)}
				</Button>
			)}
		</div>
	);
}

/** An error of two fields together. */
function PairError({ text }: { readonly text: string | null }) {
	return <p class="field-error">{text}</p>;
}
