import { folded } from '#page/parts/matching-options.ts';
import { fieldPart, partsOf, type TopicField } from './topic-path.ts';

/** A series whose unit is known. */
export interface UnitSource extends TopicField {
	readonly unit: string;
}

/**
 * Returns a function that proposes the unit of a series. It takes the unit of the series whose path has the longest common ending. If
 * those have several units, the most frequent one is taken, then the first. Numbers in a path count as equal: `well/3/level` ends like
 * `well/12/level`.
 * @example proposalsOf([{ topic: 'raw/level', field: 'value', unit: 'm' }])({ topic: 'well/3/level', field: 'value' }); // 'm'
 */
export function proposalsOf(sources: readonly UnitSource[]): (series: TopicField) => string | null {
	/** How often each unit occurs, by the ending of the path. */
	const units = new Map<string, Map<string, number>>();
	for (const source of sources) {
		if (source.unit === '') continue;
		for (const ending of endingsOf(source)) {
			const counts = units.get(ending) ?? new Map<string, number>();
			counts.set(source.unit, (counts.get(source.unit) ?? 0) + 1);
			units.set(ending, counts);
		}
	}
	return (series) => {
		const longest = endingsOf(series).findLast((ending) => units.has(ending));
		return longest === undefined ? null : mostFrequent(units.get(longest) ?? new Map());
	};
}

/** Returns the unit with the greatest count; the first one of several. Null if there is none. */
function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
	const greatest = Math.max(...counts.values());
	return [...counts].find(([, count]) => count === greatest)?.[0] ?? null;
}

/** Returns the endings of a series' path, the shortest first, with `#` for each number. An ending that has only numbers is left out. */
function endingsOf({ topic, field }: TopicField): readonly string[] {
	const path = [...partsOf(topic), fieldPart(field)]
		.filter((part) => part !== '')
		.map((part) => folded(part).replace(/\d+/g, '#'));
	return path
		.map((_, index) => path.slice(-1 - index))
		.filter((parts) => parts.some((part) => part !== '#'))
		.map((parts) => JSON.stringify(parts));
}
