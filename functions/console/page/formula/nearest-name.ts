import { folded } from '#page/parts/matching-options.ts';

/**
 * Returns the name that somebody may have meant: the closest one, in which at most a third of the letters differ; of a name of one or two
 * letters, one may differ. Null where no name is so close. Case and accents do not count.
 */
export function nearestName(typed: string, names: Iterable<string>): string | null {
	const wanted = folded(typed);
	let nearest: string | null = null;
	let leastDistance = Number.POSITIVE_INFINITY;
	for (const name of names) {
		const other = folded(name);
		const mostDistance = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
		// The distance is at least the difference of the lengths. Most names are dropped by that, without more work.
		if (Math.abs(wanted.length - other.length) > mostDistance) continue;
		const distance = distanceBetween(wanted, other);
		if (distance <= mostDistance && distance < leastDistance) {
			leastDistance = distance;
			nearest = name;
		}
	}
	return nearest;
}

/** Returns the number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceBetween(a: string, b: string): number {
	// Row r and column c hold the distance between the first r letters of a and the first c letters of b. Only three rows are kept.
	let beforeLast: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row += 1) {
		const next = [row];
		for (let column = 1; column <= b.length; column += 1) {
			const isSame = a[row - 1] === b[column - 1];
			const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			next.push(
				Math.min(
					at(last, column) + 1,
					at(next, column - 1) + 1,
					at(last, column - 1) + (isSame ? 0 : 1),
					isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}
		beforeLast = last;
		last = next;
	}
	return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
	return row[column] ?? Number.POSITIVE_INFINITY;
}
