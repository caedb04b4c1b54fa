import { useLayoutEffect } from 'preact/hooks';
import { lineFunctions } from '#domain/board/line.ts';
import { usualDecimals } from '#domain/variable/usual-decimals.ts';
import { variables } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { BindingFields } from '#page/parts/binding-fields.tsx';
import { Field } from '#page/parts/field.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { type LineDraft, newLineDraft, takesField } from '#page/reports/line-draft.ts';
import { reportText } from '#page/reports/report-texts.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { FormulaFields } from './formula-fields.tsx';
import { boundLine, countingLine, namedLine } from './line-edits.ts';
import { LineResult } from './line-result.tsx';
import { lineText } from './line-texts.ts';
import { lineName } from './line-words.ts';
import { errorText, type LineFieldsProps, NumberField } from './number-field.tsx';
import type { ReportTrialState } from './report-trial.ts';
import { SignalFields } from './signal-fields.tsx';
import { editorText } from './texts.ts';

const LimitFields = lazyScreen(async () => (await import('./limit-fields.tsx')).LimitFields);
const ErrorFields = lazyScreen(async () => (await import('./limit-fields.tsx')).ErrorFields);
const QuestionButtons = lazyScreen(async () => (await import('./question-buttons.tsx')).QuestionButtons);

/** Whether nothing of a line is chosen yet, so that the form begins with what people ask. */
const isUntouched = ({ name, varId, function: lineFunction }: LineDraft): boolean =>
	name === '' && varId === null && lineFunction === newLineDraft.function;

/** Whether a line has one of the fields that only some functions have. */
const hasLimitFields = (line: LineDraft): boolean =>
	(['limits', 'every', 'forSeconds', 'over'] as const).some((field) => takesField(line, field));

interface LineFormProps extends LineFieldsProps {
	readonly trial: ReportTrialState;
	/** Whether the line has a missing or wrong field, even if no error is shown yet. */
	readonly isWrong: boolean;
	/** The keys of the stored lines. A stored key does not follow the name, because stored days use it. */
	readonly storedKeys: ReadonlySet<string>;
	/** Called when the form is in the page. Its code is loaded only when the first line is chosen. */
	readonly onShown: () => void;
}

/** The form of one line: the fields that its function needs, and its number of yesterday. */
export function LineForm(props: LineFormProps) {
	const { draft, line, disabled, problemOf, onChange, trial, isWrong, storedKeys, onShown } = props;
	useLayoutEffect(onShown, []);
	const text = lineText();
	const variablesById = variables.rows.value;
	return (
		<section class="panel form line-form" aria-label={lineName(line)} data-form={line.id}>
			<div class="panel-head">
				<h2>{lineName(line)}</h2>
				<span class="muted">{text.place(draft.lines.indexOf(line) + 1, draft.lines.length)}</span>
			</div>
			{isUntouched(line) && !disabled && <QuestionButtons {...props} />}
			<TextField
				label={commonText().name}
				value={line.name}
				disabled={disabled}
				error={errorText(problemOf('name'))}
				onText={(name) => onChange(namedLine(draft, line, name, storedKeys))}
			/>
			<Field label={editorText().what} hint={text.hints[line.function]} error={errorText(problemOf('function'))}>
				{(ties) => (
					<Select
						{...ties}
						value={line.function}
						disabled={disabled}
						choices={lineFunctions.map((each) => ({ value: each, label: reportText().functions[each] }))}
						onChoose={(next) => onChange(countingLine(line, next, variablesById))}
					/>
				)}
			</Field>
			{takesField(line, 'varId') && (
				<BindingFields
					// A function that takes no bit keeps the bit of the draft, but does not show it.
					binding={takesField(line, 'bit') ? line : { varId: line.varId, bit: null }}
					onBind={(binding) => onChange(boundLine(draft, line, binding, { variables: variablesById, storedKeys }))}
					problemOf={problemOf}
					disabled={disabled}
				/>
			)}
			{line.function === 'formula' && <FormulaFields {...props} />}
			{line.function === 'raised' && <SeverityField {...props} />}
			{hasLimitFields(line) && <LimitFields {...props} />}
			<SignalFields {...props} />
			{takesField(line, 'error') && <ErrorFields {...props} />}
			<ShowFields {...props} />
			{/* An entered number is that of a month, and yesterday has none. */}
			{line.function !== 'entered' && <LineResult line={line} timeZone={draft.timeZone} trial={trial} isWrong={isWrong} />}
		</section>
	);
}

/** The severity of the alarms that are counted. */
function SeverityField({ line, disabled, onChange }: LineFieldsProps) {
	const text = lineText();
	return (
		<Field label={text.severity}>
			{(ties) => (
				<Select
					{...ties}
					value={line.severity ?? 'all'}
					disabled={disabled}
					choices={(['all', 'critical', 'warning', 'info'] as const).map((value) => ({
						value,
						label: editorText().severities[value],
					}))}
					onChoose={(severity) => onChange({ severity: severity === 'all' ? null : severity })}
				/>
			)}
		</Field>
	);
}

/** The fields that say how the number of a line is shown, and by which key formulas use it. */
function ShowFields(props: LineFormProps) {
	const { line, disabled, problemOf, onChange, storedKeys } = props;
	const text = lineText();
	return (
		<div class="two-fields">
			{/* The unit of a total is beside its rate, in `SignalFields`. */}
			{line.function !== 'total' && (
				<TextField
					label={commonText().unit}
					value={line.unit}
					disabled={disabled}
					error={errorText(problemOf('unit'))}
					onText={(unit) => onChange({ unit })}
				/>
			)}
			<NumberField
				{...props}
				name="decimals"
				path="decimals"
				label={text.decimals}
				hint={text.decimalsHint(usualDecimals(line.function))}
			/>
			<TextField
				label={editorText().group}
				hint={text.groupHint}
				value={line.group}
				disabled={disabled}
				error={errorText(problemOf('group'))}
				onText={(group) => onChange({ group })}
			/>
			<TextField
				label={text.key}
				hint={storedKeys.has(line.key) ? text.keyStored : text.keyHint}
				value={line.key}
				disabled={disabled}
				error={errorText(problemOf('key'))}
				onText={(key) => onChange({ key })}
			/>
		</div>
	);
}
