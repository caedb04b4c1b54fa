/** A part of a text. `changed`: the other text has something else in its place. */
export interface TextPart {
	readonly text: string;
	readonly changed: boolean;
}

/** Splits two texts, word by word, into parts that are the same in both and parts that differ. */
export function textDifference(before: string, after: string): Record<'before' | 'after', readonly TextPart[]> {
	const [wordsOfA, wordsOfB] = [wordsOf(before), wordsOf(after)];
	const lengths = commonLengths(wordsOfA, wordsOfB);
	const parts: Record<'before' | 'after', TextPart[]> = { before: [], after: [] };
	let [indexA, indexB] = [0, 0];
	while (indexA < wordsOfA.length || indexB < wordsOfB.length) {
		const [wordA, wordB] = [wordsOfA[indexA], wordsOfB[indexB]];
		const commonWithoutA = lengths[indexA + 1]?.[indexB] ?? 0;
		const commonWithoutB = lengths[indexA]?.[indexB + 1] ?? 0;
		if (wordA !== undefined && wordA === wordB) {
			add(parts.before, { text: wordA, changed: false });
			add(parts.after, { text: wordA, changed: false });
			indexA += 1;
			indexB += 1;
		} else if (wordB === undefined || (wordA !== undefined && commonWithoutA >= commonWithoutB)) {
			add(parts.before, { text: wordA ?? '', changed: true });
			indexA += 1;
		} else {
			add(parts.after, { text: wordB, changed: true });
			indexB += 1;
		}
	}
	return parts;
}

/** A reference in braces, a word or number, blanks, or one other character. */
const word = /\{[^{}]*\}|[\p{L}\p{N}_.,-]+|\s+|[\s\S]/gu;

/** Splits a text into words, blanks and signs. A reference in braces is one word. */
function wordsOf(text: string): readonly string[] {
	return text.match(word) ?? [];
}

/**
 * Returns how many words the ends of two lists have in common, in the same order (the longest common subsequence). Row i and column j stand
 * for the ends that begin at word i of the first list and at word j of the second.
 */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
	const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
	for (let i = a.length - 1; i >= 0; i -= 1)
		for (let j = b.length - 1; j >= 0; j -= 1) {
			const row = lengths[i];
			if (row === undefined) continue;
			row[j] = a[i] === b[j] ? (lengths[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
		}
	return lengths;
}

/** Adds a part. It is joined with the last part if both differ, or both do not. */
function add(parts: TextPart[], { text, changed }: TextPart): void {
	const last = parts.at(-1);
	if (last !== undefined && last.changed === changed) parts[parts.length - 1] = { text: last.text + text, changed };
	else parts.push({ text, changed });
}
