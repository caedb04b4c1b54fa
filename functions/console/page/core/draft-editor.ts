import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { type ActHeaders, createActs } from './acts.ts';
import type { Failure, FieldError, Result } from './api.ts';
import { mayPassLater } from './may-pass-later.ts';

/** Content with the version under which it is stored; null before its first save. */
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
}

/** Content that somebody changes, until it is saved or discarded. */
export interface DraftEditor<Content> {
	/** What the changes began from. */
	readonly base: ReadonlySignal<Versioned<Content>>;
	readonly content: ReadonlySignal<Content>;
	/** What is wrong, by the path of the field: by the page's own check, and by the answer to the same content. */
	readonly problems: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	readonly isChanged: ReadonlySignal<boolean>;
	/** Whether a save was tried. Fields that are only empty count as wrong from then on. */
	readonly hasTried: ReadonlySignal<boolean>;
	readonly isSaving: ReadonlySignal<boolean>;
	readonly failure: ReadonlySignal<Failure | null>;
	/** What somebody else stored meanwhile, until a choice is made. `content` is null when they deleted it. */
	readonly theirs: ReadonlySignal<Versioned<Content> | { readonly content: null } | null>;
	change(next: Content): void;
	discard(): void;
	/** Saves, unless something is wrong. Never overwrites what somebody else stored. */
	save(): Promise<'saved' | 'wrong' | 'conflict' | 'failed'>;
	/** Goes on with content that was chosen from both, on top of `version`. Stores nothing. */
	goOnWith(chosen: Content, base: Versioned<Content>): void;
	/** Goes back to the changes without a choice. */
	closeConflict(): void;
}

/** Creates the state of an editor of `stored`. */
export function createDraftEditor<Content>(
	stored: Versioned<Content>,
	{ check, save, read }: DraftRequests<Content>,
): DraftEditor<Content> {
	const base = signal(stored);
	const content = signal(stored.content);
	const hasTried = signal(false);
	const isSaving = signal(false);
	const failure = signal<Failure | null>(null);
	const theirs = signal<Versioned<Content> | { readonly content: null } | null>(null);
	const refusal = signal<{ readonly text: string; readonly errors: Failure['errors'] } | null>(null);
	const acts = createActs();

	const textOf = (): string => JSON.stringify([content.value, base.value.version]);
	const own = computed(() => check(content.value));
	const problems = computed(() => {
		const refused = refusal.value?.text === textOf() ? Object.entries(refusal.value.errors) : [];
		return new Map([...refused, ...own.value]);
	});

	const trySave = async (): Promise<'saved' | 'conflict' | 'failed'> => {
		const [text, sent] = [textOf(), content.value];
		const result = await acts.send(sent, base.value.version, (header) => save(sent, header));
		if (result.ok) {
			batch(() => {
				// What was changed meanwhile stays, on top of the saved version.
				if (content.value === sent) content.value = result.data.content;
				base.value = result.data;
				failure.value = null;
				hasTried.value = false;
			});
			return 'saved';
		}
		const { status, errors } = result.failure;
		failure.value = result.failure;
		refusal.value = mayPassLater(result.failure) ? null : { text, errors };
		if (status !== 412 && status !== 404) return 'failed';
		const newest = await read(sent);
		if (!newest.ok) return 'failed';
		batch(() => {
			failure.value = null;
			theirs.value = newest.data ?? { content: null };
		});
		return 'conflict';
	};

	return {
		base,
		content,
		problems,
		hasTried,
		isSaving,
		failure,
		theirs,
		isChanged: computed(() => JSON.stringify(content.value) !== JSON.stringify(base.value.content)),
		change: (next) => {
			content.value = next;
		},
		discard: () => {
			batch(() => {
				content.value = base.value.content;
				hasTried.value = false;
				failure.value = null;
			});
		},
		save: async () => {
			if (isSaving.value) return 'failed';
			hasTried.value = true;
			if (own.value.size > 0) return 'wrong';
			isSaving.value = true;
			try {
				return await trySave();
			} finally {
				isSaving.value = false;
			}
		},
		goOnWith: (chosen, newBase) => {
			batch(() => {
				base.value = newBase;
				content.value = chosen;
				theirs.value = null;
			});
		},
		closeConflict: () => {
			theirs.value = null;
		},
	};
}
