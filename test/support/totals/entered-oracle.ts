import type { EnteredNumber } from '#domain/totals/fold-entered.ts';

/**
 * Returns the sum of a window by shared/domain/report/ENTRIES.md, day by day: each number claims its days in the order of ids, the highest
 * first, or none of them. `held`: numbers that claim before all others. Null: some day of the window is of no number, or a number reaches out.
 */
export function enteredByDays(
	numbers: readonly EnteredNumber[],
	{ from, to }: { readonly from: number; readonly to: number },
	held: readonly EnteredNumber[] = [],
): readonly [value: number, low: number, high: number] | null {
	const claims = new Map<number, EnteredNumber>();
	const byId = [...numbers].sort((a, b) => b.id - a.id);
	// A number that another one beats by its id claims nothing, also where a held one beats that one.
	const present = byId.filter((number, index) => !beaten(number, byId.slice(0, index)));
	for (const number of [...held, ...present]) {
		const days = Array.from({ length: number.to - number.from }, (_, index) => number.from + index);
		if (days.every((day) => !claims.has(day))) for (const day of days) claims.set(day, number);
	}
	const inside = new Set<EnteredNumber>();
	for (let day = from; day < to; day += 1) {
		const number = claims.get(day);
		if (number === undefined || number.from < from || number.to > to) return null;
		inside.add(number);
	}
	const sum = (field: 'value' | 'low' | 'high') => [...inside].reduce((total, number) => total + number[field], 0);
	return [sum('value'), sum('low'), sum('high')];
}

/** Whether a number shares a day with one before it that is not beaten itself. */
function beaten(number: EnteredNumber, before: readonly EnteredNumber[]): boolean {
	return before.some(
		(other, index) => other.from < number.to && number.from < other.to && !beaten(other, before.slice(0, index)),
	);
}
