import type { ConflictField } from '#page/parts/conflict-dialog.tsx';
import type { Draft, InputDraft, QueryDraft } from './draft.ts';

/** A field in which two drafts differ. Its key names it: `name`, `formula`, `input Flow A`, `bit 3`. */
export type DraftDifference = Omit<ConflictField, 'label' | 'isCode'>;

/** The differences of two drafts, and how many fields are the same in both. */
export interface DraftDifferences {
	readonly fields: readonly DraftDifference[];
	readonly sameCount: number;
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
	const fields = keys.flatMap((key): DraftDifference[] => {
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
		name: pick('name'),
		unit: pick('unit'),
		process: pick('process'),
		kind: pick('kind'),
		type: pick('type'),
		query: pick('query'),
		formula: pick('formula'),
		bits: merge('bit', ({ id }) => id, theirs.bits, mine.bits),
		inputs: merge<InputDraft>('input', ({ name }) => name, theirs.inputs, mine.inputs),
	};
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
