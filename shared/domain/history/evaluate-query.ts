import { slotCounts } from '../calendar/slots.ts';
import type { Span, SpanResult } from '../ports/span-reader.ts';
import type { QualityWithReason } from '../reading/quality.ts';
import { isByte } from '../variable/byte.ts';
import { periodOf, type Query } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';
import type { HistoryColumn, HistoryEvaluation } from './history.ts';
import { type HistoryAggregate, isValue } from './history-aggregates.ts';
import { type SpanInput, spanAggregateOf } from './history-plan.ts';
import { badRange, goodRange, noDataInRange } from './range-quality.ts';

/** An input with what was read for it. */
export interface SpanInputResult extends SpanInput {
	readonly result: SpanResult;
}

/**
 * Evaluates a variable with one query over windows.
 * @param aggregates those asked for that the variable can have
 */
export function evaluateQuery(
	variable: Variable,
	{ name, query, result }: SpanInputResult,
	aggregates: readonly HistoryAggregate[],
	bounds: readonly number[],
): HistoryEvaluation {
	if ('fault' in result) {
		const columns = new Map(aggregates.map((aggregate) => [aggregate, emptyColumn(bounds)]));
		return { ...badRange(result.fault, [name]), columns };
	}
	const columnOf = (aggregate: HistoryAggregate): HistoryColumn => {
		const column = readColumn(result, aggregate, query, bounds);
		return variable.binary_compressed && isValue(aggregate) ? bytesOnly(column) : column;
	};
	const columns = new Map(aggregates.map((aggregate) => [aggregate, columnOf(aggregate)]));
	// A variable that has none of the aggregates has a quality all the same: its own aggregate was read for it.
	const deciding = columns.size > 0 ? columns : new Map([['own', columnOf('own')] as const]);
	return { ...qualityOf(result, deciding, name), columns };
}

/** Returns a column with a null for each window. */
export function emptyColumn(bounds: readonly number[]): HistoryColumn {
	return { values: Array.from({ length: bounds.length - 1 }, () => null), faults: new Map() };
}

/** Returns the column of an aggregate from what was read. Coverage is computed from the number of slots that hold a sample. */
function readColumn(span: Span, aggregate: HistoryAggregate, query: Query, bounds: readonly number[]): HistoryColumn {
	const source = spanAggregateOf(aggregate, query);
	if (source === null) return emptyColumn(bounds);
	const column = span.columns.get(source);
	if (column === undefined) throw new RangeError(`The span lacks the column ${source}.`);
	if (source !== 'slots') return column;
	const slotsByWindow = slotCounts(bounds, periodOf(query).ms);
	const shareOf = (slots: number | null, index: number): number | null => {
		const divisor = slotsByWindow[index] ?? 0;
		return slots === null || divisor === 0 ? null : slots / divisor;
	};
	return { values: column.values.map(shareOf), faults: column.faults };
}

/** Returns the column with a fault in place of each value that is not a byte. */
function bytesOnly({ values, faults }: HistoryColumn): HistoryColumn {
	const notBytes = values.flatMap((value, index) => (value === null || isByte(value) ? [] : [[index, 'not_a_byte'] as const]));
	if (notBytes.length === 0) return { values, faults };
	return {
		values: values.map((value) => (value !== null && isByte(value) ? value : null)),
		faults: new Map([...faults, ...notBytes]),
	};
}

/**
 * Returns the quality of a range. Columns of values decide it; counts and shares decide only when no value was asked for. A count of 0 is
 * not a value: the window is empty.
 */
function qualityOf(span: Span, columns: ReadonlyMap<HistoryAggregate, HistoryColumn>, name: string): QualityWithReason {
	if (span.newestAt === null) return noDataInRange([name]);
	const valued = [...columns].filter(([aggregate]) => isValue(aggregate));
	const deciding = (valued.length > 0 ? valued : [...columns]).map(([, column]) => column);
	const isPresent = (value: number | null): boolean => value !== null && (valued.length > 0 || value > 0);
	if (deciding.some(({ values }) => values.some(isPresent))) return goodRange;
	const [newest] = deciding.flatMap(({ faults }) => [...faults]).toSorted(([a], [b]) => b - a);
	// There are samples and nothing is wrong with them, although no column shows one: a coverage in windows without a slot, for example.
	if (newest === undefined) return goodRange;
	const [, code] = newest;
	return badRange(code, [name]);
}
