import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { type ActHeaders, createActs } from './acts.ts';
import type { Failure, FieldError, Result } from './api.ts';
import { mayPassLater } from './may-pass-later.ts';

/** Content with the version under which it is stored; null before its first save. Content that has an `id` has 0 until then. */
export interface Versioned<Content> {
	readonly content: Content;
	readonly version: number | null;
}

/** How content is checked, saved and read. */
export interface DraftRequests<Content> {
	/** Returns what is wrong, by the path of the field. It may use signals. */
	readonly check: (content: Content) => ReadonlyMap<string, FieldError>;
	/** Saves. The headers name the act, and the version that must still be stored. */
	readonly save: (content: Content, header: ActHeaders) => Promise<Result<Versioned<Content>>>;
	/** Reads what is stored; null where nothing is. */
	readonly read: (content: Content) => Promise<Result<Versioned<Content> | null>>;
	/** Whether a problem only says that something is not typed yet. Problems whose code says so always do. */
	readonly isMissing?: (field: string, content: Content) => boolean;
	/** Returns what a save stores of the content. Where that is the same, nothing is changed. The content itself where it is left out. */
	readonly storedOf?: (content: Content) => unknown;
}

/** Content that somebody changes, until it is saved or discarded. */
export interface DraftEditor<Content> {
	/** What the changes began from. */
	readonly base: ReadonlySignal<Versioned<Content>>;
	readonly content: ReadonlySignal<Content>;
	/** What is wrong, by the path of the field: by the page's own check, and by the answer to the same content. */
	readonly problems: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	/** Those of the problems that are said. What is only missing counts as wrong from the first save on. */
	readonly said: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	/** Whether the page's own check finds nothing wrong. */
	readonly isRight: ReadonlySignal<boolean>;
	readonly isChanged: ReadonlySignal<boolean>;
	/** Whether a save was tried. */
	readonly hasTried: ReadonlySignal<boolean>;
	readonly isSaving: ReadonlySignal<boolean>;
	readonly failure: ReadonlySignal<Failure | null>;
	/** What somebody else stored meanwhile, until a choice is made. `content` is null when they deleted it. */
	readonly theirs: ReadonlySignal<Versioned<Content> | { readonly content: null } | null>;
	change(part: Partial<Content>): void;
	discard(): void;
	/** Saves, unless something is wrong. Never overwrites what somebody else stored. */
	save(): Promise<'saved' | 'wrong' | 'conflict' | 'failed'>;
	/** Reads what is stored now into `theirs`. Returns whether that succeeded. */
	compare(): Promise<boolean>;
	/** Puts content that was chosen from both on top of `base`. Stores nothing. */
	rebase(chosen: Content, base: Versioned<Content>): void;
	/** Makes the content new: the stored one was deleted. Stores nothing. */
	becomeNew(): void;
	/** Takes up what is stored now where it is newer, unless something is changed. */
	follow(stored: Versioned<Content>): void;
	/** Goes back to the changes without a choice. */
	closeConflict(): void;
}

/** Creates the state of an editor of `stored`. */
export function createDraftEditor<Content extends object>(
	stored: Versioned<Content>,
	requests: DraftRequests<Content>,
): DraftEditor<Content> {
	const state = createState(stored, requests);
	const { base, content, hasTried, isSaving, failure, theirs, isChanged, isRight } = state;
	const rebase = (chosen: Content, newBase: Versioned<Content>): void =>
		batch(() => {
			base.value = newBase;
			content.value = chosen;
			theirs.value = null;
			failure.value = null;
		});
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
			const isConflict = result.failure.status === 412 || result.failure.status === 404;
			return isConflict && (await compare()) ? 'conflict' : 'failed';
		}
		const saved = result.data;
		batch(() => {
			// What was changed meanwhile stays, on top of the saved version.
			rebase(content.value === sent ? saved.content : withIdOf(content.value, saved.content), saved);
			hasTried.value = false;
		});
		return 'saved';
	};
	return {
		...state,
		compare,
		rebase,
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
		becomeNew: () => {
			rebase(withId(content.value, 0), { content: withId(base.value.content, 0), version: null });
		},
		follow: (newest) => {
			const isNewer = (newest.version ?? 0) > (base.value.version ?? 0);
			if (isNewer && !isChanged.value && !isSaving.value) rebase(newest.content, newest);
		},
		closeConflict: () => {
			theirs.value = null;
		},
	};
}

const missingCodes: ReadonlySet<string> = new Set(['empty', 'required', 'choose_variable', 'bits_required', 'panel_empty']);

/** Creates the signals of an editor, and what sends the content. */
function createState<Content extends object>(
	stored: Versioned<Content>,
	{ check, save, isMissing = () => false, storedOf = (content) => content }: DraftRequests<Content>,
) {
	const base = signal(stored);
	const content = signal(stored.content);
	const hasTried = signal(false);
	const refusal = signal<{ readonly text: string; readonly errors: Failure['errors'] } | null>(null);
	const acts = createActs();
	const textOf = (some: Content): string => JSON.stringify(storedOf(some));
	const sentText = (): string => JSON.stringify([textOf(content.value), base.value.version]);
	const own = computed(() => check(content.value));
	const problems = computed(() => {
		const refused = refusal.value?.text === sentText() ? Object.entries(refusal.value.errors) : [];
		return new Map([...refused, ...own.value]);
	});
	const isSaid = ([field, { code }]: readonly [string, FieldError]): boolean =>
		hasTried.value || !(missingCodes.has(code) || isMissing(field, content.value));
	return {
		base,
		content,
		problems,
		said: computed(() => new Map([...problems.value].filter(isSaid))),
		isRight: computed(() => own.value.size === 0),
		isChanged: computed(() => textOf(content.value) !== textOf(base.value.content)),
		hasTried,
		isSaving: signal(false),
		failure: signal<Failure | null>(null),
		theirs: signal<Versioned<Content> | { readonly content: null } | null>(null),
		/** Sends the content. A refusal is a problem of the same content until it is changed. */
		send: async (): Promise<Result<Versioned<Content>>> => {
			const [text, sent] = [sentText(), content.value];
			const result = await acts.send(storedOf(sent), base.value.version, (header) => save(sent, header));
			if (!result.ok) refusal.value = mayPassLater(result.failure) ? null : { text, errors: result.failure.errors };
			return result;
		},
	};
}

/** Finds content in a listing, for `read`. */
export function foundIn<Row extends { readonly id: number }, Content>(
	listing: Result<{ readonly data: readonly Row[] }>,
	id: number,
	storedDraftOf: (row: Row) => Versioned<Content>,
): Result<Versioned<Content> | null> {
	if (!listing.ok) return listing;
	const row = listing.data.data.find((each) => each.id === id);
	return { ...listing, data: row === undefined ? null : storedDraftOf(row) };
}

/** Checks the title of a board, and leaves the rest to the service. */
export function titleProblems(title: string): ReadonlyMap<string, FieldError> {
	return new Map(title.trim() === '' ? [['title', { code: 'empty', message: 'Must not be empty.', params: {} }]] : []);
}

function withIdOf<Content extends object>(content: Content, other: Content): Content {
	return 'id' in other ? withId(content, other.id) : content;
}

/** Content without an id is the only one of its kind, and stays as it is. */
function withId<Content extends object>(content: Content, id: unknown): Content {
	return 'id' in content ? { ...content, id } : content;
}
