import type { Acts } from './acts.ts';
import type { Result, Schemas } from './api.ts';
import { checkInput } from './check-input.ts';
import type { DraftRequests } from './draft-editor.ts';
import type { DraftField, DraftVersions, FieldDifference } from './draft-fields.ts';

/** A version of an item, as the journal of changes holds it. */
export type ItemVersion = Schemas['ItemVersion'];

/** A field of two versions, in words. An empty text stands for nothing. */
export interface ComparedField extends Pick<FieldDifference, 'key' | 'label' | 'isCode'> {
	readonly before: string;
	readonly after: string;
}

/** How two versions of an item differ. */
export interface VersionComparison {
	readonly differences: readonly ComparedField[];
	/** The fields that have the same text in both. */
	readonly same: readonly ComparedField[];
}

/** The stored version of an item, and its comparison with an earlier version. */
export interface StoredNow {
	readonly version: number;
	/** Compares the stored version with the earlier one, which a restoration stores after it. The words are of the present language. */
	readonly compare: () => VersionComparison;
}

/** Compares the versions of one kind of item, and saves one of them again. */
export interface ItemVersions {
	/** Compares two versions; null stands for no version. Returns null where a version is not one of this kind. */
	compare(before: ItemVersion | null, after: ItemVersion | null): VersionComparison | null;
	/** Reads the stored version; null where the item was deleted. */
	readNow(earlier: ItemVersion): Promise<Result<StoredNow | null>>;
	/**
	 * Saves an earlier version as a new version of the item, with the ordinary save request of its kind.
	 * `storedVersion` is the version that must still be stored; null saves a new item.
	 */
	save(
		earlier: ItemVersion,
		{ storedVersion, acts }: { readonly storedVersion: number | null; readonly acts: Acts },
	): Promise<Result<unknown>>;
	/**
	 * Asks the service for the reading that a version would have now, without storing it. Returns null where a version cannot be tried. Never
	 * rejects.
	 */
	tryOut(earlier: ItemVersion): Promise<Schemas['Reading'] | null>;
}

/** The versions of one kind of item, with the fields among which a person chooses in a conflict. */
export interface KindVersions<Content> extends ItemVersions {
	readonly conflictFieldsOf: (versions: DraftVersions<Content>) => readonly DraftField<Content>[];
}

/** The functions that a kind of item provides, so that its versions can be compared and saved. */
export interface VersionParts<Content> {
	/** Returns the draft of a stored version; null where it is not one of this kind. */
	readonly draftOf: (stored: ItemVersion) => Content | null;
	readonly fieldsOf: (versions: DraftVersions<Content>) => readonly DraftField<Content>[];
	/** The fields of a conflict. By default, they are those of `fieldsOf`. */
	readonly conflictFieldsOf?: VersionParts<Content>['fieldsOf'];
	readonly requests: Pick<DraftRequests<Content>, 'read' | 'save'>;
	/** Reads the present value of a draft. Never rejects. Only kinds that have values provide it. */
	readonly tryOut?: (draft: Content) => Promise<Schemas['Reading'] | null>;
}

/** Divides the fields of two versions into those that differ and those that do not. */
export function comparisonOf(fields: readonly ComparedField[]): VersionComparison {
	return {
		differences: fields.filter(({ before, after }) => before !== after),
		same: fields.filter(({ before, after }) => before === after),
	};
}

/** Returns how the versions of a kind are compared and saved. */
export function createItemVersions<Content extends object>({
	draftOf,
	fieldsOf,
	conflictFieldsOf = fieldsOf,
	requests,
	tryOut,
}: VersionParts<Content>): KindVersions<Content> {
	return {
		conflictFieldsOf,
		compare: (before, after) => {
			const draftBefore = before === null ? null : draftOf(before);
			const draftAfter = after === null ? null : draftOf(after);
			const isWrongKind = (before !== null && draftBefore === null) || (after !== null && draftAfter === null);
			return isWrongKind ? null : compareDrafts(fieldsOf, draftBefore, draftAfter);
		},
		readNow: async (earlier) => {
			const draft = draftOf(earlier);
			if (draft === null) return wrongKind;
			const result = await requests.read(draft);
			if (!result.ok) return result;
			const { data } = result;
			if (data === null) return { ...result, data };
			// What is stored has a version: `version` is null only before the first save.
			return { ...result, data: { version: data.version ?? 0, compare: () => compareDrafts(fieldsOf, data.content, draft) } };
		},
		save: async (earlier, { storedVersion, acts }) => {
			const draft = draftOf(earlier);
			if (draft === null) return wrongKind;
			// A new item gets its id from the service, which takes 0 for that.
			const sent = storedVersion === null && 'id' in draft ? { ...draft, id: 0 } : draft;
			return acts.send({ content: sent, version: storedVersion }, (header) => requests.save(sent, header));
		},
		tryOut: async (earlier) => {
			const draft = draftOf(earlier);
			return draft === null || tryOut === undefined ? null : tryOut(draft);
		},
	};
}

/** Returns the `draftOf` of a kind: `parse` is the service's own check of what is stored. */
export function draftOfChecked<Row, Content>(
	parse: (input: unknown) => unknown,
	draftOf: (row: Row) => Content,
): VersionParts<Content>['draftOf'] {
	const isRow = (row: unknown): row is Row => checkInput(parse, row).size === 0;
	return ({ content, version }) => {
		const row: unknown = { ...content, version };
		return isRow(row) ? draftOf(row) : null;
	};
}

/** The failure for a version that is not one of this kind. No request is sent. The status is 422, so that no retry is offered. */
const wrongKind = { ok: false, failure: { kind: 'refused', status: 422, errors: {}, retryAfterMs: null } } as const;

/**
 * Compares two drafts field by field. A missing draft has empty texts, and then fields without a text in the other one are in neither list.
 */
function compareDrafts<Content>(
	fieldsOf: VersionParts<Content>['fieldsOf'],
	before: Content | null,
	after: Content | null,
): VersionComparison {
	const [theirs, mine] = [before ?? after, after ?? before];
	if (theirs === null || mine === null) return comparisonOf([]);
	const comparison = comparisonOf(
		fieldsOf({ base: theirs, theirs, mine }).map(({ key, label, isCode = false, textOf }) => ({
			key,
			label,
			isCode,
			before: before === null ? '' : textOf(before),
			after: after === null ? '' : textOf(after),
		})),
	);
	return before === null || after === null ? { ...comparison, same: [] } : comparison;
}
