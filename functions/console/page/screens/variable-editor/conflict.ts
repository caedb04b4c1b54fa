import type { Draft, InputDraft, QueryDraft } from './draft.ts';

/** One field in which two drafts of a variable differ. */
export interface FieldDifference {
	/** Names the field: `name`, `formula`, `input Flow A`, `bit 3`. */
	readonly key: string;
	readonly theirs: string;
	readonly mine: string;
	/** What is chosen at first: mine where I changed it, theirs where only they did. */
	readonly isMine: boolean;
}

/** The differences of two drafts, and how many fields are the same in both. */
export interface DraftDifferences {
	readonly fields: readonly FieldDifference[];
	readonly sameCount: number;
}

/** A part of a text: `changed` where the other text has something else. */
export interface TextPart {
	readonly text: string;
	readonly changed: boolean;
}

/** The words of queries, bits and choices, in the language of the person. */
export interface DraftWords {
	readonly query: (query: QueryDraft) => string;
	readonly bit: (name: string, bit: number) => string;
	readonly kind: (kind: Draft['kind']) => string;
	readonly type: (type: Draft['type']) => string;
}

/** Compares what was stored meanwhile with what is typed, field by field. `base` is what the typing began from. */
export function differencesOf(base: Draft, theirs: Draft, mine: Draft, words: DraftWords): DraftDifferences {
	const keys = [...new Set([theirs, mine].flatMap((draft) => fieldsOf(draft, words)).map(([key]) => key))];
	const [baseTexts, theirTexts, myTexts] = [base, theirs, mine].map((draft) => new Map(fieldsOf(draft, words)));
	const fields = keys.flatMap((key): FieldDifference[] => {
		const [before, their, my] = [baseTexts, theirTexts, myTexts].map((texts) => texts?.get(key) ?? '');
		if (their === undefined || my === undefined || their === my) return [];
		return [{ key, theirs: their, mine: my, isMine: my !== before }];
	});
	return { fields, sameCount: keys.length - fields.length };
}

/** Returns their draft with the fields of mine that were chosen. It belongs to their version, so saving it overwrites nothing unseen. */
export function mergedDraft(theirs: Draft, mine: Draft, myKeys: ReadonlySet<string>): Draft {
	const pick = <Field extends keyof Draft>(field: Field): Draft[Field] => (myKeys.has(field) ? mine : theirs)[field];
	const merge = <Item>(key: string, nameOf: (item: Item) => string | number, their: readonly Item[], my: readonly Item[]) => {
		const isMine = (item: Item): boolean => myKeys.has(`${key} ${nameOf(item)}`);
		const names = [...new Set([...their, ...my].map(nameOf))];
		return names.flatMap((name) => {
			const [their1, my1] = [their, my].map((items) => items.find((item) => nameOf(item) === name));
			const chosen = [their1, my1].some((item) => item !== undefined && isMine(item)) ? my1 : their1;
			return chosen === undefined ? [] : [chosen];
		});
	};
	return {
		...theirs,
		...{ name: pick('name'), unit: pick('unit'), process: pick('process'), kind: pick('kind'), type: pick('type') },
		...{ query: pick('query'), formula: pick('formula') },
		bits: merge('bit', ({ id }) => id, theirs.bits, mine.bits),
		inputs: merge<InputDraft>('input', ({ name }) => name, theirs.inputs, mine.inputs),
	};
}

/** Splits two texts into what they share and what differs, by words. */
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

/** The fields that a save of the draft stores, as texts. */
function fieldsOf(draft: Draft, words: DraftWords): readonly (readonly [string, string])[] {
	const common = [
		...(['name', 'unit', 'process'] as const).map((field) => [field, draft[field]] as const),
		['kind', words.kind(draft.kind)] as const,
		['type', words.type(draft.type)] as const,
	];
	if (draft.kind === 'formula')
		return [
			['formula', draft.formula],
			...draft.inputs.map(({ name, query }) => [`input ${name}`, words.query(query)] as const),
			...common,
		];
	const bits = draft.kind === 'byte' ? draft.bits.map(({ id, name, bit }) => [`bit ${id}`, words.bit(name, bit)] as const) : [];
	return [['query', words.query(draft.query)], ...bits, ...common];
}

/** Words, blanks and signs. A reference in braces is one. */
function wordsOf(text: string): readonly string[] {
	return text.match(/\{[^{}]*\}|[\p{L}\p{N}_.,-]+|\s+|[\s\S]/gu) ?? [];
}

/** The lengths of the longest common subsequences of the ends of two lists. */
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
