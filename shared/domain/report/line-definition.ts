import type { ReportLine } from '../board/report.ts';
import { periodOf } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';

/**
 * Returns a line with the lines that it uses, also by other formulas, in their order: those that decide its number.
 * @param lines those of its report
 */
export function linesOf(line: ReportLine, lines: readonly ReportLine[]): readonly ReportLine[] {
	const used = new Set<ReportLine>();
	const add = (each: ReportLine): void => {
		if (used.has(each)) return;
		used.add(each);
		for (const { type, value } of each.equation ?? []) {
			const other = type === 'variable' ? lines.find(({ key }) => key === value) : undefined;
			if (other !== undefined) add(other);
		}
	};
	add(line);
	return lines.filter((each) => used.has(each));
}

/**
 * Returns the definition of a line as text: what it counts and in which unit, and the same of the lines that it uses. Its name, its decimals
 * and its group are no part of it.
 */
export function definitionOf(line: ReportLine, lines: readonly ReportLine[]): string {
	return JSON.stringify(linesOf(line, lines).map(definedBy));
}

/** Returns what a line counts and in which unit, without how it is shown. */
function definedBy({ name: _name, decimals: _decimals, group: _group, ...definition }: ReportLine) {
	return definition;
}

/** Returns what is read of a variable, as text; empty where there is none. Its name, unit and lookback are no part of it. */
export function sourceOf(variable: Variable | undefined): string {
	if (variable === undefined) return '';
	const queries = [...variable.varsTsdb].map(([name, query]) => {
		const { calc_topic: topic, calc_field: field, calc_type_period: aggregate } = query;
		return { name: variable.calc ? name : '', topic, field, aggregate, periodMs: aggregate === 'last' ? periodOf(query).ms : 0 };
	});
	return JSON.stringify({ queries, equation: variable.calc ? variable.equation : null });
}
