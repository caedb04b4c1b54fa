import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { type ActHeaders, createActs } from './acts.ts';
import type { Failure, FieldError, Result } from './api.ts';
import { mayPassLater } from './may-pass-later.ts';

/** Content with its stored version. Before the first save, `version` is null, and the `id` of the content, if it has one, is 0. */
export interface Versioned<Content> {
	readonly content: Content;
	readonly version: number | null;
}

/** How content is checked, saved and read. */
export interface DraftRequests<Content> {
	/** Returns the problems by the path of their field. It may use signals. */
	readonly check: (content: Content) => ReadonlyMap<string, FieldError>;
	/** Saves. `header` has the idempotency key, and the version that must still be stored. */
	readonly save: (content: Content, header: ActHeaders) => Promise<Result<Versioned<Content>>>;
	/** Reads the stored content; null where there is none. */
	readonly read: (content: Content) => Promise<Result<Versioned<Content> | null>>;
	/** Whether a problem only means that something is not typed yet. The problem codes in `missingCodes` always mean this. */
	readonly isMissing?: (field: string, content: Content) => boolean;
	/**
	 * Returns the part of the content that a save stores. Drafts with equal parts count as unchanged. By default, all of the content is
	 * stored.
	 */
	readonly storedOf?: (content: Content) => unknown;
}

/** The version that somebody else stored; its content is null when somebody deleted it. */
type Theirs<Content> = Versioned<Content> | { readonly content: null };

/**
 * Content that somebody changes, until it is saved or discarded. An example with a conflict:
 *
 * | step | `base` | `content` | `theirs` |
 * |---|---|---|---|
 * | the editor is opened | version 3 | that of version 3 | null |
 * | `change({ title: 'B' })` | version 3 | has the title B | null |
 * | `save()` is a `conflict`: somebody else stored version 4 | version 3 | has the title B | version 4 |
 * | `rebase(merged, theirs)` | version 4 | merged | null |
 * | `save()` is `saved` | version 5 | that of version 5 | null |
 */
export interface DraftEditor<Content> {
	/** The stored content that the person began to change. */
	readonly base: ReadonlySignal<Versioned<Content>>;
	readonly content: ReadonlySignal<Content>;
	/** The problems by the path of their field: those that the page finds, and those of the service's answer to this very content. */
	readonly problems: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	/** The problems that are shown. A field that is merely not filled in is shown as wrong only after the first try to save. */
	readonly shownProblems: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	/** Whether the page's own check finds nothing wrong. */
	readonly isRight: ReadonlySignal<boolean>;
	readonly isChanged: ReadonlySignal<boolean>;
	/** Whether there is anything to save: a change, or content that was never stored. */
	readonly isUnsaved: ReadonlySignal<boolean>;
	/** Whether a save was tried. */
	readonly hasTried: ReadonlySignal<boolean>;
	readonly isSaving: ReadonlySignal<boolean>;
	readonly failure: ReadonlySignal<Failure | null>;
	/** The version that somebody else stored meanwhile, until the person resolves the conflict; null without a conflict. */
	readonly theirs: ReadonlySignal<Theirs<Content> | null>;
	change(part: Partial<Content>): void;
	discard(): void;
	/** Saves, unless there are problems. Never overwrites a version that somebody else stored. While it runs, another call fails at once. */
	save(): Promise<'saved' | 'wrong' | 'conflict' | 'failed'>;
	/** Reads the version that is stored now into `theirs`. Returns whether that succeeded. */
	compare(): Promise<boolean>;
	/** Ends a conflict: takes the merged content as the draft and `base` as the version that it changes. Stores nothing. */
	rebase(chosen: Content, base: Versioned<Content>): void;
	/** Turns the draft into a new item, because somebody deleted the stored one, or the person wants a second one. Stores nothing. */
	becomeNew(): void;
	/** Takes over a newer stored version, unless the draft has changes. */
	follow(stored: Versioned<Content>): void;
	/** Reads the stored version, and takes it over if it is newer and the draft has no changes. Otherwise the next save reports the conflict. */
	followStored(): Promise<void>;
	/** Goes back to the draft without resolving the conflict. */
	closeConflict(): void;
}

/** Creates the state of an editor of `stored`. */
export function createDraftEditor<Content extends object>(
	stored: Versioned<Content>,
	requests: DraftRequests<Content>,
): DraftEditor<Content> {
	const state = createState(stored, requests);
	const { base, content, hasTried, isSaving, failure, theirs, isChanged, isRight, rebase } = state;
	const compare = async (): Promise<boolean> => {
		const newest = await requests.read(content.value);
		batch(() => {
			failure.value = newest.ok ? null : newest.failure;
			if (newest.ok) theirs.value = newest.data ?? { content: null };
		});
		return newest.ok;
	};
	const trySave = async (): Promise<'saved' | 'conflict' | 'failed'> => {
		const sent = content.value;
		const result = await state.send();
		if (!result.ok) {
			failure.value = result.failure;
			// 412: somebody else saved it. 404: somebody deleted it.
			const isConflict = result.failure.status === 412 || result.failure.status === 404;
			return isConflict && (await compare()) ? 'conflict' : 'failed';
		}
		const saved = result.data;
		batch(() => {
			// Changes that were made while the save ran stay, on top of the saved version. A draft that was discarded meanwhile has none.
			const hasNoMore = content.value === sent || content.value === base.value.content;
			rebase(hasNoMore ? saved.content : withIdOf(content.value, saved.content), saved);
			hasTried.value = false;
		});
		return 'saved';
	};
	const follow = (newest: Versioned<Content>): void => {
		const isNewer = (newest.version ?? 0) > (base.value.version ?? 0);
		if (isNewer && !isChanged.value && !isSaving.value) rebase(newest.content, newest);
	};
	return {
		...state,
		compare,
		follow,
		followStored: async () => {
			const newest = await requests.read(base.value.content);
			if (newest.ok && newest.data !== null) follow(newest.data);
		},
		change: (part) => {
			content.value = { ...content.value, ...part };
		},
		discard: () => {
			rebase(base.value.content, base.value);
			hasTried.value = false;
		},
		save: async () => {
			if (isSaving.value) return 'failed';
			hasTried.value = true;
			if (!isRight.value) return 'wrong';
			isSaving.value = true;
			return trySave().finally(() => {
				isSaving.value = false;
			});
		},
		becomeNew: () => rebase(withId(content.value, idOfNew), { content: withId(base.value.content, idOfNew), version: null }),
		closeConflict: () => {
			theirs.value = null;
		},
	};
}

/** Finds an item in a listing, for `read`. */
export function foundIn<Row extends { readonly id: number }, Content>(
	listing: Result<{ readonly data: readonly Row[] }>,
	id: number,
	storedDraftOf: (row: Row) => Versioned<Content>,
): Result<Versioned<Content> | null> {
	if (!listing.ok) return listing;
	const row = listing.data.data.find((listed) => listed.id === id);
	return { ...listing, data: row === undefined ? null : storedDraftOf(row) };
}

/** Checks the title of a board, and leaves the rest to the service. */
export function titleProblems(title: string): ReadonlyMap<string, FieldError> {
	return new Map(title.trim() === '' ? [['title', { code: 'empty', message: 'Must not be empty.', params: {} }]] : []);
}

/** The id of content that was never saved. */
const idOfNew = 0;

/** The codes of problems that mean that something is not typed or chosen yet. */
const missingCodes: ReadonlySet<string> = new Set(['empty', 'required', 'choose_variable', 'bits_required', 'panel_empty']);

/** Creates the signals of an editor, and the functions that send the content and replace it. */
function createState<Content extends object>(
	stored: Versioned<Content>,
	{ check, save, isMissing = () => false, storedOf = (content) => content }: DraftRequests<Content>,
) {
	const base = signal(stored);
	const content = signal(stored.content);
	const hasTried = signal(false);
	const failure = signal<Failure | null>(null);
	const theirs = signal<Theirs<Content> | null>(null);
	/** The errors of the last refusal, with the content and version that were refused, as text; null without one. */
	const refusal = signal<{ readonly refused: string; readonly errors: Failure['errors'] } | null>(null);
	const acts = createActs();
	/** Returns a text that is equal for contents of which a save stores the same. */
	const textOf = (some: Content): string => JSON.stringify(storedOf(some));
	/** Returns the present content and version as text. */
	const presentText = (): string => JSON.stringify([textOf(content.value), base.value.version]);
	const isChanged = computed(() => textOf(content.value) !== textOf(base.value.content));
	const ownProblems = computed(() => check(content.value));
	const problems = computed(() => {
		const ofRefusal = refusal.value?.refused === presentText() ? Object.entries(refusal.value.errors) : [];
		return new Map([...ofRefusal, ...ownProblems.value]);
	});
	const isShown = ([field, { code }]: readonly [string, FieldError]): boolean =>
		hasTried.value || !(missingCodes.has(code) || isMissing(field, content.value));
	return {
		base,
		content,
		problems,
		shownProblems: computed(() => new Map([...problems.value].filter(isShown))),
		isRight: computed(() => ownProblems.value.size === 0),
		isChanged,
		isUnsaved: computed(() => isChanged.value || base.value.version === null),
		hasTried,
		isSaving: signal(false),
		failure,
		theirs,
		rebase: (chosen: Content, newBase: Versioned<Content>): void =>
			batch(() => {
				base.value = newBase;
				content.value = chosen;
				theirs.value = null;
				failure.value = null;
			}),
		/** Sends the content. The errors of a refusal are shown until the content changes. */
		send: async (): Promise<Result<Versioned<Content>>> => {
			const [text, sent] = [presentText(), content.value];
			const result = await acts.send({ content: storedOf(sent), version: base.value.version }, (header) => save(sent, header));
			// A failure that may pass later says nothing about the content.
			if (!result.ok) refusal.value = mayPassLater(result.failure) ? null : { refused: text, errors: result.failure.errors };
			return result;
		},
	};
}

/** Sets the id of content to that of other content. */
function withIdOf<Content extends object>(content: Content, other: Content): Content {
	return 'id' in other ? withId(content, other.id) : content;
}

/** Sets the id of content. Content of a kind with a single item, such as the panel, has no id and stays as it is. */
function withId<Content extends object>(content: Content, id: unknown): Content {
	return 'id' in content ? { ...content, id } : content;
}
