import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result } from './api.ts';
import { sessionCheck } from './session.ts';

/** A page of a journal, newest first. */
export interface PageOfJournal<Entry> {
	readonly data: readonly Entry[];
	/** Where earlier entries begin; null where there are none. */
	readonly next: string | null;
}

/** The entries of a journal that were read so far. */
export interface JournalState<Entry> {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** Where earlier entries begin; null where there are none, and undefined before the newest page was read. */
	readonly next: string | null | undefined;
	readonly isReading: boolean;
	readonly failure: Failure | null;
}

/**
 * Reads one page of the entries that match a question.
 * @param after the `next` of the page before; null for the newest page
 */
export type ReadJournalPage<Question, Entry> = (
	question: Question,
	after: string | null,
) => Promise<Result<PageOfJournal<Entry>>>;

/** Whether an entry is wanted. */
export type EntryFilter<Entry> = (entry: Entry) => boolean;

/** A journal that is read page by page. */
export interface JournalPages<Question, Entry> {
	readonly state: ReadonlySignal<JournalState<Entry>>;
	/** Starts again with a new question, and reads pages until one has a wanted entry, 100 at most. */
	ask(question: Question, isWanted: EntryFilter<Entry>): Promise<void>;
	/**
	 * Reads entries that were written since the last reading, and ends an earlier failure. Earlier ones stay if the new page reaches back to
	 * them. A failure changes nothing.
	 */
	renew(): Promise<void>;
	/** Reads earlier pages until one has another wanted entry, 100 at most. */
	readEarlier(isWanted: EntryFilter<Entry>): Promise<void>;
	/** Reads all pages, however many. Returns the entries; null where a page could not be read, or while others are being read. */
	readAll(): Promise<readonly Entry[] | null>;
}

/** Asks `ReadJournalPage` for the newest page. */
const newestPage = null;

/** The most pages that are read for a wanted entry, so that a filter that matches nothing does not read for ever. */
const maxFilteredPages = 100;

/**
 * Creates an empty journal. The answers to earlier questions are dropped.
 * @param orderKeyOf returns a key that identifies an entry; keys sort in the order of time
 */
export function createJournalPages<Question, Entry>(
	readPage: ReadJournalPage<Question, Entry>,
	orderKeyOf: (entry: Entry) => string,
): JournalPages<Question, Entry> {
	const nothing: JournalState<Entry> = { entries: [], next: undefined, isReading: false, failure: null };
	const state = signal(nothing);
	/** The last question, in an object of its own, so that an equal question that is asked later is another one. */
	let asked: { readonly question: Question } | null = null;

	/**
	 * Reads at least one page, and more while `needsMore` returns true for the last page and the number of pages read. Then adds what was read
	 * to the state. Returns false if a page could not be read, or if a new question was asked or another session began meanwhile.
	 */
	const readPages = async (needsMore: (page: readonly Entry[], pages: number) => boolean): Promise<boolean> => {
		const own = asked;
		if (own === null) return false;
		const isSameSession = sessionCheck();
		state.value = { ...state.value, isReading: true, failure: null };
		const read: Entry[] = [];
		let { next } = state.value;
		const finish = (failure: Failure | null): boolean => {
			state.value = { entries: joined(state.value.entries, read, orderKeyOf), next, isReading: false, failure };
			return failure === null;
		};
		for (let pages = 1; ; pages += 1) {
			const page = await readPage(own.question, next ?? newestPage);
			// From then on the newer question owns the state, `isReading` too. Whoever shows a journal asks again in another session.
			if (asked !== own || !isSameSession()) return false;
			if (!page.ok) return finish(page.failure);
			read.push(...page.data.data);
			({ next } = page.data);
			if (next === null || !needsMore(page.data.data, pages)) return finish(null);
		}
	};
	const readUntil = (isWanted: EntryFilter<Entry>): Promise<boolean> =>
		readPages((page, pages) => pages < maxFilteredPages && !page.some(isWanted));

	return {
		state,
		ask: async (question, isWanted) => {
			asked = { question };
			state.value = nothing;
			await readUntil(isWanted);
		},
		renew: async () => {
			const own = asked;
			if (own === null || state.value.isReading) return;
			const newest = await readPage(own.question, newestPage);
			if (asked !== own || !newest.ok || state.value.isReading) return;
			state.value = { ...state.value, ...withNewest(state.value, newest.data, orderKeyOf), failure: null };
		},
		readEarlier: async (isWanted) => {
			if (state.value.next !== null && !state.value.isReading) await readUntil(isWanted);
		},
		readAll: async () => {
			if (state.value.isReading) return null;
			if (state.value.next !== null && !(await readPages(() => true))) return null;
			return state.value.entries;
		},
	};
}

/** The entries that were read, and where earlier ones begin. */
type ReadEntries<Entry> = Pick<JournalState<Entry>, 'entries' | 'next'>;

/** Adds the newest page. Entries that were read before stay only if the page reaches back to them: otherwise some between would be missing. */
function withNewest<Entry>(
	before: ReadEntries<Entry>,
	{ data, next }: PageOfJournal<Entry>,
	orderKeyOf: (entry: Entry) => string,
): ReadEntries<Entry> {
	if (before.entries.length === 0) return { entries: joined([], data, orderKeyOf), next };
	const keysBefore = new Set(before.entries.map(orderKeyOf));
	const isConnected = next === null || data.some((entry) => keysBefore.has(orderKeyOf(entry)));
	return isConnected ? { entries: joined(before.entries, data, orderKeyOf), next: before.next } : { entries: data, next };
}

/** Joins entries, newest first and each once. An entry of `newer` replaces the same entry of `before`. */
function joined<Entry>(
	before: readonly Entry[],
	newer: readonly Entry[],
	orderKeyOf: (entry: Entry) => string,
): readonly Entry[] {
	const byKey = new Map([...before, ...newer].map((entry) => [orderKeyOf(entry), entry]));
	return [...byKey].toSorted(([key], [otherKey]) => (key < otherKey ? 1 : -1)).map(([, entry]) => entry);
}
