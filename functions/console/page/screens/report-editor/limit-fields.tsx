import { formatExact } from '#page/format/number.ts';
import { Button } from '#page/parts/button.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { hasAbsoluteError, hasReference, takesField } from '#page/reports/line-draft.ts';
import { limitText } from './limit-texts.ts';
import { errorText, type LineFieldsProps, NumberField } from './number-field.tsx';
import type { ReportTrialState } from './report-trial.ts';

interface LimitFieldsProps extends LineFieldsProps {
	readonly trial: ReportTrialState;
}

/** A rise beyond so many spreads of the reference, for so many nights, is proposed: no simulated district without a leak had one. */
const proposedSpreads = 2;
const proposedNights = 3;

/** The fields of lines about limits, fixed times, stretches and nights, and the error of an instrument. Its function decides which there are. */
export function LimitFields(props: LimitFieldsProps) {
	const { line, problemOf } = props;
	const text = limitText();
	const limits = problemOf('limits');
	const optional = line.function === 'readings' || line.function === 'onTime' || line.function === 'starts';
	return (
		<>
			{/* Without it, the noise of an analyser would count. */}
			{takesField(line, 'forSeconds') && (
				<NumberField {...props} name="forSeconds" path="forSeconds" label={text.forSeconds} hint={text.forSecondsHint} />
			)}
			{takesField(line, 'limits') && (
				<fieldset class="pair">
					<legend class="field-label">{text.limits}</legend>
					<div class="two-fields">
						<NumberField {...props} name="least" path="limits.0" label={text.least} />
						<NumberField {...props} name="most" path="limits.1" label={text.most} />
					</div>
					{limits !== undefined && (
						<p class="field-error">{limits.code === 'limits_and_above' ? errorText(limits) : text.limitsMissing}</p>
					)}
					<p class="field-hint">{optional ? text.limitsOptional : text.limitsHint}</p>
				</fieldset>
			)}
			{takesField(line, 'every') && (
				<NumberField
					{...props}
					name="every"
					path="every"
					label={text.every}
					hint={text.everyHint[line.function === 'readings' ? 'readings' : 'within']}
				/>
			)}
			{takesField(line, 'over') && <NumberField {...props} name="over" path="over" label={text.over} hint={text.overHint} />}
			{hasReference(line) && <ReferenceFields {...props} />}
		</>
	);
}

/** The nights with which those of a line are compared, and the rise that is told of. */
function ReferenceFields(props: LimitFieldsProps) {
	const { line, disabled, problemOf, onChange, trial } = props;
	const text = limitText();
	const spread = trial.answer?.lines.find(({ key }) => key === line.key)?.reference?.spread ?? null;
	// As many digits as anybody types.
	const proposed = spread === null ? null : Number((proposedSpreads * spread).toPrecision(3));
	return (
		<>
			<fieldset class="pair">
				<legend class="field-label">{text.reference}</legend>
				<div class="two-fields">
					<TextField
						label={text.referenceFrom}
						value={line.referenceFrom}
						placeholder="2026-10-01"
						disabled={disabled}
						error={errorText(problemOf('reference.from') ?? problemOf('reference'))}
						onText={(typed) => onChange({ referenceFrom: typed.trim() })}
					/>
					<NumberField {...props} name="referenceNights" path="reference.nights" label={text.referenceNights} />
				</div>
				<p class="field-hint">{text.referenceHint}</p>
			</fieldset>
			<fieldset class="pair">
				<legend class="field-label">{text.watch}</legend>
				<div class="two-fields">
					<NumberField {...props} name="watchRise" path="watch.rise" label={text.watchRise} />
					<NumberField {...props} name="watchNights" path="watch.nights" label={text.watchNights} />
				</div>
				<p class="field-hint">{text.watchHint}</p>
				{proposed !== null && proposed > 0 && line.watchRise !== proposed && (
					<Button
						small
						disabled={disabled}
						onClick={() => onChange({ watchRise: proposed, watchNights: line.watchNights ?? proposedNights })}
					>
						{text.proposeRise(formatExact(proposed), proposedNights)}
					</Button>
				)}
			</fieldset>
		</>
	);
}

/** The greatest error of the instrument of a line. */
export function ErrorFields(props: LineFieldsProps) {
	const { line } = props;
	const text = limitText();
	return (
		<fieldset class="pair">
			<legend class="field-label">{text.error}</legend>
			<div class="two-fields">
				<NumberField {...props} name="errorPercent" path="error.0" label={text.errorPercent} />
				{hasAbsoluteError(line) && <NumberField {...props} name="errorAbsolute" path="error.1" label={text.errorAbsolute} />}
			</div>
			<p class="field-hint">{text.errorHint}</p>
		</fieldset>
	);
}
