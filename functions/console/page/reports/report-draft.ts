import { checkLines } from '#domain/board/line.ts';
import { checkedReport, reportSchema } from '#domain/board/report.ts';
import { fieldOf } from '#domain/validation/field.ts';
import { parse, ValidationIssues } from '#domain/validation/parse.ts';
import type { FieldError } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type LineDraft, lineBodyOf, lineDraftOf, lineProblems } from './line-draft.ts';

/** A report while it is edited. */
export interface ReportDraft {
	/** 0 before the first save. */
	readonly id: number;
	readonly title: string;
	readonly timeZone: string;
	/** The time of day at which a day of the report begins: `06:30`. */
	readonly dayStart: string;
	/** Whether the first numbers of each day are sent to those who are told of alarms. */
	readonly send: boolean;
	readonly lines: readonly LineDraft[];
}

/** Returns the draft of a stored report; null when `stored` is not a report. */
export function reportDraftOf(stored: unknown): ReportDraft | null {
	let draft: ReportDraft | null = null;
	const problems = checkInput((input) => {
		const { lines, ...report } = checkedReport(parse(reportSchema, input));
		draft = { ...report, lines: lines.map((line, index) => lineDraftOf(line, index + 1)) };
	}, stored);
	return problems.size === 0 ? draft : null;
}

/** Returns the body that saves a report. */
export function reportBodyOf({ lines, ...report }: ReportDraft) {
	return { ...report, lines: lines.map(lineBodyOf) };
}

/**
 * Checks a draft by the service's own rules and by the variables.
 * @returns the problems by the path of the field as the service names it: `lines.2.varId`
 */
export function reportProblems(
	draft: ReportDraft,
	variables: ReadonlyMap<number, Variable> | undefined,
): ReadonlyMap<string, FieldError> {
	const body = reportBodyOf(draft);
	// Both checks run, so that a wrong field does not hide the problems between fields.
	const problems = new Map([...checkInput(checkRulesBetween, body), ...checkInput((input) => parse(reportSchema, input), body)]);
	const earlierKeys = new Set<string>();
	for (const [index, line] of draft.lines.entries()) {
		// The problems of a formula's tokens are left out: the same faults are found in its text, with their places there.
		for (const path of [...problems.keys()]) if (path.startsWith(`lines.${index}.equation`)) problems.delete(path);
		for (const [field, problem] of lineProblems(line, earlierKeys, variables)) problems.set(`lines.${index}.${field}`, problem);
		earlierKeys.add(line.key);
	}
	return problems;
}

/** Returns the draft without the lines that have problems, and without the formulas that use them; null when no line is left. */
export function rightPartOf(draft: ReportDraft, problems: ReadonlyMap<string, FieldError>): ReportDraft | null {
	const paths = [...problems.keys()];
	/** The keys of the lines that are kept. A formula may only use these. */
	const keptKeys = new Set<string>();
	const lines = draft.lines.filter((line, index) => {
		const isWrong = paths.some((path) => path.startsWith(`lines.${index}.`));
		const formula = lineBodyOf(line).equation ?? [];
		const isKept = !isWrong && formula.every(({ type, value }) => type !== 'variable' || keptKeys.has(value));
		if (isKept) keptKeys.add(line.key);
		return isKept;
	});
	// A missing title does not matter for what the lines count.
	const isOtherwiseRight = paths.every((path) => path === 'title' || path.startsWith('lines.'));
	return lines.length === 0 || !isOtherwiseRight ? null : { ...draft, lines };
}

/**
 * Checks the rules between the fields of a line, and between lines.
 * @throws DomainError `invalid`
 */
function checkRulesBetween(body: unknown): void {
	const issues = new ValidationIssues();
	checkLines(fieldOf(body, 'lines'), issues, fieldOf(body, 'dayStart'));
	issues.throwIfAny();
}
