import type { ReportLine } from '../board/report.ts';
import { periodOf } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';

/**
 * Returns a line with the lines that it uses, directly or through other formulas, in their order. Together they decide its number.
 * @param lines those of its report
 */
export function linesOf(line: ReportLine, lines: readonly ReportLine[]): readonly ReportLine[] {
	const used = new Set<ReportLine>();
	const add = (current: ReportLine): void => {
		if (used.has(current)) return;
		used.add(current);
		for (const { type, value } of current.equation ?? []) {
			const other = type === 'variable' ? lines.find(({ key }) => key === value) : undefined;
			if (other !== undefined) add(other);
		}
	};
	add(line);
	return lines.filter((each) => used.has(each));
}

/**
 * Returns the definition of a line as text: its function and its unit, and the definitions of the lines that it uses. Its name, its
 * decimals and its group are left out.
 */
export function definitionOf(line: ReportLine, lines: readonly ReportLine[]): string {
	return JSON.stringify(linesOf(line, lines).map(definedBy));
}

/** Returns the fields of a line that decide what it counts and in which unit. The fields for its display are left out. */
function definedBy({ name: _name, decimals: _decimals, group: _group, ...definition }: ReportLine) {
	return definition;
}

/** Returns as text what is read of a variable; empty without a variable. Its name, unit and lookback are left out. */
export function sourceOf(variable: Variable | undefined): string {
	if (variable === undefined) return '';
	const queries = [...variable.varsTsdb].map(([name, query]) => {
		// The name of a query matters in a formula only, and the period only for `last`, whose hold follows from it.
		const { calc_topic: topic, calc_field: field, calc_type_period: aggregate } = query;
		return { name: variable.calc ? name : '', topic, field, aggregate, periodMs: aggregate === 'last' ? periodOf(query).ms : 0 };
	});
	return JSON.stringify({ queries, equation: variable.calc ? variable.equation : null });
}
