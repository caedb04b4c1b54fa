import { maxBoardItems, maxBoardVariables } from '#domain/board/reference.ts';
import { type DiagramDraft, inputOf } from '../diagram-draft.ts';

/** What is limited in a diagram. */
export interface DrawingCounts {
	/** The number of different variables, including those of pipes. */
	readonly variables: number;
	/** The number of symbols and pipes. */
	readonly drawn: number;
	/** The bytes of the stored diagram. */
	readonly bytes: number;
}

/** The limits of a stored diagram (shared/http/README.md#limits). */
export const maxCounts: DrawingCounts = { variables: maxBoardVariables, drawn: maxBoardItems, bytes: 350_000 };

/** Counts what is limited in a draft, as it would be stored. */
export function countsOf(draft: DiagramDraft): DrawingCounts {
	return {
		variables: variablesOfDraft(draft).length,
		drawn: draft.symbols.length + draft.pipes.length,
		bytes: new TextEncoder().encode(JSON.stringify(inputOf(draft))).length,
	};
}

/** Returns the variables of a draft, each once. */
export function variablesOfDraft({ symbols, pipes }: Pick<DiagramDraft, 'symbols' | 'pipes'>): readonly number[] {
	return [...new Set([...symbols, ...pipes].flatMap(({ varId }) => varId ?? []))];
}

/** Returns the limit that an edit would exceed, or null. An edit that makes the drawing smaller exceeds none. */
export function exceededBy(before: DiagramDraft, after: DiagramDraft): keyof DrawingCounts | null {
	const [sizeBefore, sizeAfter] = [countsOf(before), countsOf(after)];
	const exceeds = (limit: keyof DrawingCounts): boolean =>
		sizeAfter[limit] > maxCounts[limit] && sizeAfter[limit] > sizeBefore[limit];
	return (['variables', 'drawn', 'bytes'] as const).find(exceeds) ?? null;
}
