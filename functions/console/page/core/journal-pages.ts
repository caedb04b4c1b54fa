import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result } from './api.ts';

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
	/** Where earlier entries begin; null where there are none. */
	readonly next: string | null;
	readonly isReading: boolean;
	readonly failure: Failure | null;
}

/** Reads one page: the newest entries that match a question, or the page that follows another one. */
export type ReadJournalPage<Question, Entry> = (
	question: Question,
	after: string | null,
) => Promise<Result<PageOfJournal<Entry>>>;

/** Chooses entries. */
export type EntryFilter<Entry> = (entry: Entry) => boolean;

/** A journal that is read page by page. */
export interface JournalPages<Question, Entry> {
	readonly state: ReadonlySignal<JournalState<Entry>>;
	/** Starts again with a new question, and reads pages until one has a wanted entry. */
	ask(question: Question, isWanted: EntryFilter<Entry>): Promise<void>;
	/** Reads entries that were written since the last reading. Earlier ones stay if the new page reaches back to them. */
	renew(): Promise<void>;
	/** Reads earlier pages until one has another wanted entry. */
	readEarlier(isWanted: EntryFilter<Entry>): Promise<void>;
	/** Reads all pages. Returns the entries, or null where a page could not be read. */
	readAll(): Promise<readonly Entry[] | null>;
}

/** The most pages that one call reads, so that a filter that matches nothing does not read for ever. */
const maxPages = 100;

/**
 * Creates an empty journal. The answers to earlier questions are dropped.
 * @param orderKeyOf returns a key that identifies an entry; keys sort in the order of time
 */
export function createJournalPages<Question, Entry>(
	readPage: ReadJournalPage<Question, Entry>,
	orderKeyOf: (entry: Entry) => string,
): JournalPages<Question, Entry> {
	const nothing: JournalState<Entry> = { entries: [], next: null, isReading: false, failure: null };
	const state = signal(nothing);
	let question: Question | null = null;
	let newest = 0;
	/** Joins entries, newest first and each once. */
	const merged = (a: readonly Entry[], b: readonly Entry[]): readonly Entry[] => {
		const byKey = new Map([...a, ...b].map((entry) => [orderKeyOf(entry), entry]));
		return [...byKey].toSorted(([one], [other]) => (one < other ? 1 : -1)).map(([, entry]) => entry);
	};

	/** Reads pages while `goesOn` returns true. Returns false if a page could not be read, or if a new question was asked meanwhile. */
	const readOn = async (goesOn: (fresh: readonly Entry[], pages: number) => boolean): Promise<boolean> => {
		if (question === null) return false;
		const started = newest;
		state.value = { ...state.value, isReading: true, failure: null };
		let fresh: readonly Entry[] = [];
		for (let pages = 0; ; pages += 1) {
			if (pages > 0 && (state.value.next === null || !goesOn(fresh, pages))) break;
			const page: Result<PageOfJournal<Entry>> = await readPage(question, state.value.next);
			if (started !== newest) return false;
			if (!page.ok) {
				state.value = { ...state.value, isReading: false, failure: page.failure };
				return false;
			}
			fresh = page.data.data;
			state.value = { ...state.value, entries: merged(state.value.entries, fresh), next: page.data.next };
		}
		state.value = { ...state.value, isReading: false };
		return true;
	};
	const untilWanted = (isWanted: EntryFilter<Entry>) => (fresh: readonly Entry[], pages: number) =>
		pages < maxPages && !fresh.some(isWanted);

	return {
		state,
		ask: async (asked, isWanted) => {
			newest += 1;
			question = asked;
			state.value = nothing;
			await readOn(untilWanted(isWanted));
		},
		renew: async () => {
			if (question === null || state.value.isReading) return;
			const started = newest;
			const page = await readPage(question, null);
			if (started !== newest || !page.ok || state.value.isReading) return;
			const { entries, next } = state.value;
			const known = new Set(entries.map(orderKeyOf));
			const isJoined =
				entries.length === 0 || page.data.data.some((entry) => known.has(orderKeyOf(entry))) || page.data.next === null;
			state.value = isJoined
				? {
						...state.value,
						entries: merged(entries, page.data.data),
						next: entries.length === 0 ? page.data.next : next,
					}
				: { ...state.value, entries: page.data.data, next: page.data.next };
		},
		readEarlier: async (isWanted) => {
			if (state.value.next !== null && !state.value.isReading) await readOn(untilWanted(isWanted));
		},
		readAll: async () => {
			if (state.value.isReading) return null;
			if (state.value.next !== null && !(await readOn((_, pages) => pages < maxPages))) return null;
			return state.value.entries;
		},
	};
}
