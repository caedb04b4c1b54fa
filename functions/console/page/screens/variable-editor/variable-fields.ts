import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { commonText } from '#page/i18n/common.ts';
import type { BitDraft, Draft, InputDraft, QueryDraft } from './draft.ts';
import { editorText } from './editor-texts.ts';
import { queryText } from './wording.ts';

/** Returns the fields by which two versions are compared, in the words of the editor. */
export function variableVersionFields(compared: DraftVersions<Draft>): readonly DraftField<Draft>[] {
	const text = editorText();
	return variableFields(compared, {
		labels: {
			name: commonText().name,
			unit: commonText().unit,
			process: commonText().process,
			kind: commonText().kind,
			type: text.type,
			query: text.source,
			formula: commonText().formula,
		},
		query: queryText,
		bit: text.bit,
		kind: (kind) => text.kinds[kind],
		type: (type) => text.types[type],
	});
}

/** The words for comparing two versions of a variable, in the present language. */
export interface DraftWords {
	readonly labels: Readonly<Record<'name' | 'unit' | 'process' | 'kind' | 'type' | 'query' | 'formula', string>>;
	readonly query: (query: QueryDraft) => string;
	/** Names the bit at a position. */
	readonly bit: (position: number) => string;
	readonly kind: (kind: Draft['kind']) => string;
	readonly type: (type: Draft['type']) => string;
}

/** Returns the fields by which two versions are compared: all fields that a save of either version would store. */
export function variableFields(versions: DraftVersions<Draft>, words: DraftWords): readonly DraftField<Draft>[] {
	const { labels } = words;
	/** Limits fields to kinds of variables: a version of another kind has empty texts. If neither version is of these kinds, there are no fields. */
	const ofKinds = (kinds: readonly Draft['kind'][], fields: readonly DraftField<Draft>[]): readonly DraftField<Draft>[] =>
		[versions.theirs, versions.mine].some(({ kind }) => kinds.includes(kind))
			? fields.map((field) => ({ ...field, textOf: (draft) => (kinds.includes(draft.kind) ? field.textOf(draft) : '') }))
			: [];
	const inputs = listFields<Draft, InputDraft>(
		{
			key: 'input',
			itemsOf: (draft) => draft.inputs,
			withItems: (draft, items) => ({ ...draft, inputs: items }),
			nameOf: ({ name }) => name,
			labelOf: ({ name }) => `{${name}}`,
			textOf: ({ query }) => words.query(query),
		},
		versions,
	);
	const bits = listFields<Draft, BitDraft>(
		{
			key: 'bit',
			itemsOf: (draft) => draft.bits,
			withItems: (draft, items) => ({ ...draft, bits: items }),
			// The same id means the same bit, even at another position.
			nameOf: ({ id }) => id,
			labelOf: ({ bit }) => words.bit(bit),
			textOf: ({ name, bit }) => `${words.bit(bit)}: ${name}`,
		},
		versions,
	);
	const formula = { ...fieldOf<Draft>(['formula'], labels.formula, (draft) => draft.formula), isCode: true };
	const query = fieldOf<Draft>(['query'], labels.query, (draft) => words.query(draft.query));
	return [
		...ofKinds(['formula'], [formula, ...inputs]),
		...ofKinds(['simple', 'byte'], [query]),
		...ofKinds(['byte'], bits),
		...(['name', 'unit', 'process'] as const).map((key) => fieldOf<Draft>([key], labels[key], (draft) => draft[key])),
		fieldOf(['kind'], labels.kind, ({ kind }) => words.kind(kind)),
		fieldOf(['type'], labels.type, ({ type }) => words.type(type)),
	];
}
