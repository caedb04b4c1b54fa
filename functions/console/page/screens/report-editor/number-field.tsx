import type { FieldError } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import type { LineDraft, lineNumbers } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { lineText } from './line-texts.ts';

/** What the fields of a line have. */
export interface LineFieldsProps {
	readonly draft: ReportDraft;
	readonly line: LineDraft;
	readonly disabled: boolean;
	/** Returns what is wrong with a field of the line, or with a part of it. */
	readonly problemOf: (path: string) => FieldError | undefined;
	readonly onChange: (part: Partial<LineDraft>) => void;
}

/** Says what is wrong with a field; null where nothing is. */
export function errorText(problem: FieldError | undefined): string | null {
	if (problem === undefined) return null;
	if (problem.code === 'no_number') return commonText().numberMissing;
	return problem.code === 'required_by_function' ? lineText().perMissing : problemText(problem).text;
}

interface NumberFieldProps extends LineFieldsProps {
	readonly name: (typeof lineNumbers)[number];
	/** The path of the field within the line, as the service names it. */
	readonly path: string;
	readonly label: string;
	readonly hint?: string | undefined;
}

/** A number of a line that may be left out. */
export function NumberField({ line, name, path, label, hint, disabled, problemOf, onChange }: NumberFieldProps) {
	return (
		<Field label={label} hint={hint} error={errorText(problemOf(path))}>
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
