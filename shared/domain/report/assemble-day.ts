import { createEvaluator } from '../totals/evaluate-lines.ts';
import type { WindowStates } from '../totals/fold-lines.ts';
import type { FinishedDay } from './compare-days.ts';
import type { LoadedDays } from './load-report.ts';
import { countingRules, isRead, revisionOf, type StoredDay } from './stored-day.ts';

/**
 * Returns a day as it is stored when it was counted: not sealed, with the states and the numbers of its lines. It continues the versions of the row that
 * it replaces.
 * @param now epoch milliseconds
 */
export function assembleDay(
	{ defined }: LoadedDays,
	{ basis, row: replaced }: Pick<FinishedDay, 'basis' | 'row'>,
	states: WindowStates,
	now: number,
): StoredDay {
	const row = replaced === null || isRead(replaced) ? replaced : null;
	const values = createEvaluator(defined.lines)(states);
	return {
		...basis,
		lines: basis.lines.flatMap((each) => {
			// Counting gives every line a state and a number, which the types do not say.
			const [state, value] = [states.get(each.line.key), values.get(each.line.key)];
			return state === undefined || value === undefined ? [] : [{ ...each, state, value }];
		}),
		revision: replaced === null ? 1 : revisionOf(replaced) + (row !== null && row.seal === null ? 0 : 1),
		rowVersion: (replaced?.rowVersion ?? 0) + 1,
		countedAt: now,
		rules: countingRules,
		seal: null,
		sending: row?.sending ?? null,
		...(row?.watches === undefined ? {} : { watches: row.watches }),
	};
}
