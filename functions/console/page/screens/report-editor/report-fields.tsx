import type { FieldError } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { Field } from '#page/parts/field.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { ZoneInput } from '#page/parts/zone-input.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportText } from '#page/reports/report-texts.ts';
import { editorText } from './texts.ts';
import { TimeOfDayField } from './time-of-day-field.tsx';

interface ReportFieldsProps {
	readonly draft: ReportDraft;
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly disabled: boolean;
	readonly onChange: (part: Partial<ReportDraft>) => void;
}

/** The fields for the start of a report's days, their time zone, and the sending of their numbers. */
export function ReportFields({ draft, problems, disabled, onChange }: ReportFieldsProps) {
	const text = editorText();
	return (
		<>
			<div class="two-fields">
				<TimeOfDayField
					label={reportText().dayStart}
					value={draft.dayStart}
					disabled={disabled}
					error={problems.has('dayStart') ? text.timeWrong : null}
					onTime={(dayStart) => onChange({ dayStart })}
				/>
				<Field label={commonText().timeZone} error={problems.has('timeZone') ? text.zoneWrong : null}>
					{(ties) => (
						<ZoneInput
							ties={ties}
							value={draft.timeZone}
							disabled={disabled}
							onText={(timeZone) => onChange({ timeZone: timeZone.trim() })}
						/>
					)}
				</Field>
			</div>
			<div>
				<Checkbox label={text.sendLabel} checked={draft.send} disabled={disabled} onToggle={(send) => onChange({ send })} />
				<p class="field-hint">{text.sendHint}</p>
			</div>
		</>
	);
}

/** The title of a report. */
export function TitleField({ draft, problems, disabled, onChange }: ReportFieldsProps) {
	return (
		<TextField
			label={commonText().title}
			value={draft.title}
			disabled={disabled}
			error={titleError(problems.get('title'))}
			onText={(title) => onChange({ title })}
		/>
	);
}

/** Returns the words for the problem of a title; null without a problem. */
function titleError(problem: FieldError | undefined): string | null {
	if (problem === undefined) return null;
	return problem.code === 'empty' ? commonText().titleMissing : problemText(problem).text;
}
