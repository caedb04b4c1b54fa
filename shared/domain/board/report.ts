import * as v from 'valibot';
import { timeOfDaySchema, timeZoneSchema } from '../calendar/day-fields.ts';
import {
	fieldOf,
	finiteNumber,
	idSchema,
	integerFrom,
	listUpTo,
	optionalField,
	positive,
	text,
	textOrEmpty,
} from '../validation/field.ts';
import { maxNameLength, maxTextLength } from '../validation/input-limits.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { dateSchema } from '../validation/time.ts';
import { checkLines, lineFields, maxLines } from './line.ts';

/** Most decimals with which a number is shown. */
const maxDecimals = 6;

/**
 * The nights with which those of a line `leastMean` are compared (shared/domain/totals/LIMITS.md#reference-nights). They are pinned: a reference that
 * moves would take in a leak.
 */
export const referenceSchema = v.object({
	/** The local date of the first night. */
	from: dateSchema,
	nights: v.pipe(finiteNumber, integerFrom(7, 56)),
});

/** When a rise above the reference is told of: it is greater than `rise` in so many nights, one after another. */
export const watchSchema = v.object({ rise: v.pipe(finiteNumber, positive), nights: v.pipe(finiteNumber, integerFrom(1, 28)) });

/** A line of a report: what it counts, as a line of totals, and how it is shown. */
export const reportLineSchema = v.object({
	...lineFields.entries,
	name: text(maxNameLength),
	/** The unit of the number, which may be another one than that of the variable: m³ where it is m³/h. */
	unit: textOrEmpty(maxNameLength),
	decimals: optionalField(v.pipe(finiteNumber, integerFrom(0, maxDecimals))),
	/** Lines of one group stand together. */
	group: optionalField(text(maxNameLength)),
	reference: optionalField(referenceSchema),
	watch: optionalField(watchSchema),
});

/** A line of a report. */
export type ReportLine = v.InferOutput<typeof reportLineSchema>;

/** Returns what a line counts: without how it is shown, and with what it is compared. */
export function definitionOf(line: ReportLine) {
	const { name: _name, decimals: _decimals, group: _group, reference: _reference, watch: _watch, ...definition } = line;
	return definition;
}

/** Most different `reference`s of the lines of a report: the nights of each are read. */
const maxReferences = 4;

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
	checkReportLines(fieldOf(body, 'lines'), issues, fieldOf(body, 'dayStart'));
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
	checkReportLines(report.lines, issues, report.dayStart);
	issues.throwIfAny();
	return report;
}

/** Checks the rules over several fields and lines, as `checkLines` does, and those of reports. */
function checkReportLines(sent: unknown, issues: ValidationIssues, dayStart: unknown): void {
	checkLines(sent, issues, dayStart);
	if (!Array.isArray(sent) || sent.length > maxLines) return;
	const references = new Set(sent.map((line) => JSON.stringify(fieldOf(line, 'reference') ?? null)));
	references.delete('null');
	if (references.size > maxReferences)
		issues.add(
			'lines',
			problem('too_many_references', `At most ${maxReferences} different references of lines.`, { limit: maxReferences }),
		);
	for (const [index, line] of sent.entries()) {
		const isSent = (field: string): boolean => (fieldOf(line, field) ?? null) !== null;
		const functionName = String(fieldOf(line, 'function'));
		for (const field of ['reference', 'watch'])
			if (isSent(field) && functionName !== 'leastMean')
				issues.add(
					`lines.${index}.${field}`,
					problem('not_of_function', `Has no effect on the function ${functionName}: leave it out.`, { function: functionName }),
				);
		if (isSent('watch') && !isSent('reference'))
			issues.add(`lines.${index}.reference`, problem('required_by_field', 'Is required with watch.', { field: 'watch' }));
	}
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
