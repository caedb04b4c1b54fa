import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result } from './api.ts';

/** A page of a journal, newest first. */
export interface PageOfJournal<Entry> {
	readonly data: readonly Entry[];
	/** Where earlier entries begin; null where there are none. */
	readonly next: string | null;
}

/** What has been read of a journal. */
export interface JournalState<Entry> {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** Where earlier entries begin; null where there are none. */
	readonly next: string | null;
	readonly isReading: boolean;
	readonly failure: Failure | null;
}

/** Reads one page: the newest entries of a question, or those after an earlier page. */
export type ReadJournalPage<Question, Entry> = (
	question: Question,
	after: string | null,
) => Promise<Result<PageOfJournal<Entry>>>;

/** Chooses entries. */
export type EntryFilter<Entry> = (entry: Entry) => boolean;

/** A journal as far as it has been read. */
export interface JournalPages<Question, Entry> {
	readonly state: ReadonlySignal<JournalState<Entry>>;
	/** Begins anew, and reads until an entry is wanted. */
	ask(question: Question, isWanted: EntryFilter<Entry>): Promise<void>;
	/** Reads what was written since. What was read before stays. */
	renew(): Promise<void>;
	/** Reads earlier entries until one more is wanted. */
	readEarlier(isWanted: EntryFilter<Entry>): Promise<void>;
	/** Reads everything. Returns the entries, or null where a page could not be read. */
	readAll(): Promise<readonly Entry[] | null>;
}

/** Most pages of one act: a filter that fits nothing must not read for ever. */
const maxPages = 100;

/**
 * Creates an empty journal. Of several questions only the last one counts.
 * @param orderKeyOf names an entry, and sorts as entries follow each other in time
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

	/** Reads pages while `goesOn` says so. Returns whether the last of them was read, and nobody has asked anew. */
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
