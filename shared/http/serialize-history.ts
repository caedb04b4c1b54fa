import type { History, HistoryColumn, VariableHistory } from '#domain/history/history.ts';

/** Returns the JSON form of histories (shared/domain/history/README.md#answer); times are epoch milliseconds. */
export function historyToJson({ variables, ...windows }: History): Record<string, unknown> {
	return { ...windows, variables: variables.map(variableHistoryToJson) };
}

function variableHistoryToJson(history: VariableHistory): Record<string, unknown> {
	const { id, name, unit, quality, reason, period, aggregate, columns, unavailable } = history;
	const faults = faultsOf([...columns.values()]);
	return {
		id,
		name,
		unit,
		quality,
		...(reason === null ? {} : { reason }),
		period,
		aggregate,
		values: Object.fromEntries([...columns].map(([name, { values }]) => [name, values])),
		...(faults.length === 0 ? {} : { faults: Object.fromEntries(faults) }),
		...(unavailable.length === 0 ? {} : { unavailable }),
	};
}

/** Returns the windows without a value by the code of their fault, each window once, in ascending order. */
function faultsOf(columns: readonly HistoryColumn[]): readonly (readonly [code: string, windows: readonly number[]])[] {
	const faults = columns.flatMap((column) => [...column.faults].map(([window, code]) => ({ window, code })));
	return [...Map.groupBy(faults, ({ code }) => code)].map(([code, found]) => [
		code,
		[...new Set(found.map(({ window }) => window))].sort((a, b) => a - b),
	]);
}
