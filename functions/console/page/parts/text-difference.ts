/** A part of a text. `changed`: the other text has something else in its place. */
export interface TextPart {
	readonly text: string;
	readonly changed: boolean;
}

/** Splits two texts, word by word, into parts that are the same in both and parts that differ. */
export function textDifference(a: string, b: string): { readonly a: readonly TextPart[]; readonly b: readonly TextPart[] } {
	const [left, right] = [wordsOf(a), wordsOf(b)];
	const lengths = commonLengths(left, right);
	const parts: { readonly a: TextPart[]; readonly b: TextPart[] } = { a: [], b: [] };
	let [i, j] = [0, 0];
	while (i < left.length || j < right.length) {
		const [one, other] = [left[i], right[j]];
		if (one !== undefined && one === other) {
			add(parts.a, one, false);
			add(parts.b, one, false);
			i += 1;
			j += 1;
		} else if (other === undefined || (one !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
			add(parts.a, one ?? '', true);
			i += 1;
		} else {
			add(parts.b, other, true);
			j += 1;
		}
	}
	return parts;
}

/** Splits a text into words, blanks and signs. A reference in braces is one word. */
function wordsOf(text: string): readonly string[] {
	return text.match(/\{[^{}]*\}|[\p{L}\p{N}_.,-]+|\s+|[\s\S]/gu) ?? [];
}

/** Returns the lengths of the longest common subsequences of the ends of two lists, by the places at which the ends begin. */
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

function add(parts: TextPart[], text: string, changed: boolean): void {
	const last = parts.at(-1);
	if (last !== undefined && last.changed === changed) parts[parts.length - 1] = { text: last.text + text, changed };
	else parts.push({ text, changed });
}
