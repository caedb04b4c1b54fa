import * as v from 'valibot';
import { timeOfDaySchema, timeZoneSchema } from '../calendar/day-fields.ts';
import { fieldOf, finiteNumber, idSchema, integerFrom, listUpTo, optionalField, text, textOrEmpty } from '../validation/field.ts';
import { maxNameLength, maxTextLength } from '../validation/input-limits.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { checkLines, lineFields, maxLines } from './line.ts';

/** Most decimals with which a number is shown. */
const maxDecimals = 6;

/** A line of a report: what it counts, as a line of totals, and how it is shown. */
export const reportLineSchema = v.object({
	...lineFields.entries,
	name: text(maxNameLength),
	/** The unit of the number, which may be another one than that of the variable: m³ where it is m³/h. */
	unit: textOrEmpty(maxNameLength),
	decimals: optionalField(v.pipe(finiteNumber, integerFrom(0, maxDecimals))),
	/** Lines of one group stand together. */
	group: optionalField(text(maxNameLength)),
});

/** A line of a report. */
export type ReportLine = v.InferOutput<typeof reportLineSchema>;

/** A report: what a plant accounts for, by days (shared/domain/report/README.md). The rules over several lines are in `checkedReport`. */
export const reportSchema = v.object({
	id: idSchema,
	title: text(maxTextLength),
	timeZone: v.nullish(timeZoneSchema, 'UTC'),
	dayStart: v.nullish(timeOfDaySchema, '00:00'),
	lines: v.pipe(...listUpTo(reportLineSchema, maxLines, 'lines')),
	/** Whether the first numbers of each day are sent to those who are told of alarms. */
	send: v.nullish(v.boolean(), false),
});

/** The content of a report. */
export type Report = v.InferOutput<typeof reportSchema>;

/**
 * Parses the report that a client sent.
 * @throws DomainError `invalid` with the issues of all fields, and of the rules over several fields and lines
 */
export function parseReport(body: object): Report {
	const issues = new ValidationIssues();
	const report = issues.parseField(reportSchema, body);
	checkLines(fieldOf(body, 'lines'), issues, fieldOf(body, 'dayStart'));
	issues.throwIfAny();
	if (report === undefined) throw new RangeError('A report without issues is incomplete.');
	return report;
}

/**
 * Checks the rules over several fields and lines.
 * @returns the same report
 * @throws DomainError `invalid` with all issues
 */
export function checkedReport(report: Report): Report {
	const issues = new ValidationIssues();
	checkLines(report.lines, issues, report.dayStart);
	issues.throwIfAny();
	return report;
}

/** Returns the report without the lines of a variable, and without the formulas that use them. */
export function reportWithout(report: Report, varId: number): Report {
	const kept = new Set<string>();
	const lines = report.lines.filter((line) => {
		const names = (line.equation ?? []).flatMap(({ type, value }) => (type === 'variable' ? [value] : []));
		const isKept = line.varId !== varId && names.every((name) => kept.has(name));
		if (isKept) kept.add(line.key);
		return isKept;
	});
	return { ...report, lines };
}
