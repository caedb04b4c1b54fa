import type { FieldError } from '#page/core/api.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import type { LineDraft, lineNumbers } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { lineText } from './line-texts.ts';

/** The properties of the fields of a line. */
export interface LineFieldsProps {
	readonly draft: ReportDraft;
	readonly line: LineDraft;
	readonly disabled: boolean;
	/** Returns the problem of a field of the line, or of a part of the field. */
	readonly problemOf: (path: string) => FieldError | undefined;
	readonly onChange: (part: Partial<LineDraft>) => void;
}

/** Returns the words for the problem of a field; null without a problem. */
export function errorText(problem: FieldError | undefined, isOfNumber = false): string | null {
	if (problem === undefined) return null;
	if (problem.code === 'no_number' || (problem.code === 'required_by_function' && isOfNumber))
		return commonText().numberMissing(numberSigns.value.decimal);
	// Beside numbers only the unit of time is reported with this code: a missing variable or formula has a code of its own.
	return problem.code === 'required_by_function' ? lineText().perMissing : problemText(problem).text;
}

interface NumberFieldProps extends LineFieldsProps {
	readonly name: (typeof lineNumbers)[number];
	/** The path of the field within the line, as the service names it. */
	readonly path: string;
	readonly label: string;
	readonly hint?: string | undefined;
}

/** The field of an optional number of a line. */
export function NumberField({ line, name, path, label, hint, disabled, problemOf, onChange }: NumberFieldProps) {
	return (
		<Field label={label} hint={hint} error={errorText(problemOf(path), true)}>
			{(ties) => (
				<NumberInput
					ties={ties}
					value={line[name]}
					wrong="unreadable"
					disabled={disabled}
					onValue={(value) => onChange({ [name]: value })}
				/>
			)}
		</Field>
	);
}
