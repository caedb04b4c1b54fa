import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result, Schemas } from '#page/core/api.ts';

/** An entry of the journal of alarms. */
export type JournalEntry = Schemas['JournalEntry'];

/** Which part of the journal is asked for. Times are epoch milliseconds; `alarmId` null is every alarm. */
export interface JournalQuestion {
	readonly start: number;
	readonly alarmId: number | null;
}

/** What has been read of the journal. */
export interface JournalState {
	/** Newest first. */
	readonly entries: readonly JournalEntry[];
	/** Where earlier entries begin; null where there are none. */
	readonly next: string | null;
	readonly isReading: boolean;
	readonly failure: Failure | null;
}

/** Reads one page: the newest entries of a question, or those after an earlier page. */
export type ReadJournalPage = (question: JournalQuestion, after: string | null) => Promise<Result<Schemas['JournalPage']>>;

/** Chooses entries. */
export type EntryFilter = (entry: JournalEntry) => boolean;

/** The journal as far as it has been read. */
export interface JournalPages {
	readonly state: ReadonlySignal<JournalState>;
	/** Begins anew, and reads until an entry is wanted. */
	ask(question: JournalQuestion, isWanted: EntryFilter): Promise<void>;
	/** Reads what was written since. What was read before stays. */
	renew(): Promise<void>;
	/** Reads earlier entries until one more is wanted. */
	readEarlier(isWanted: EntryFilter): Promise<void>;
	/** Reads everything. Returns the entries, or null where a page could not be read. */
	readAll(): Promise<readonly JournalEntry[] | null>;
}

const nothing: JournalState = { entries: [], next: null, isReading: false, failure: null };

/** Most pages of one act: a filter that fits nothing must not read for ever. */
const maxPages = 100;

/** Creates an empty journal. Of several questions only the last one counts. */
export function createJournalPages(readPage: ReadJournalPage): JournalPages {
	const state = signal(nothing);
	let question: JournalQuestion | null = null;
	let newest = 0;

	/** Reads pages while `goesOn` says so. Returns whether the last of them was read, and nobody has asked anew. */
	const readOn = async (goesOn: (fresh: readonly JournalEntry[], pages: number) => boolean): Promise<boolean> => {
		if (question === null) return false;
		const started = newest;
		state.value = { ...state.value, isReading: true, failure: null };
		let fresh: readonly JournalEntry[] = [];
		for (let pages = 0; ; pages += 1) {
			if (pages > 0 && (state.value.next === null || !goesOn(fresh, pages))) break;
			const page: Result<Schemas['JournalPage']> = await readPage(question, state.value.next);
			if (started !== newest) return false;
			if (!page.ok) {
				state.value = { ...state.value, isReading: false, failure: page.failure };
				return false;
			}
			fresh = page.data.data;
			state.value = { ...state.value, entries: mergedEntries(state.value.entries, fresh), next: page.data.next };
		}
		state.value = { ...state.value, isReading: false };
		return true;
	};
	const untilWanted = (isWanted: EntryFilter) => (fresh: readonly JournalEntry[], pages: number) =>
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
			const known = new Set(entries.map(({ id }) => id));
			const isJoined = entries.length === 0 || page.data.data.some(({ id }) => known.has(id)) || page.data.next === null;
			state.value = isJoined
				? {
						...state.value,
						entries: mergedEntries(entries, page.data.data),
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

/** Joins entries, newest first and each once. Their ids sort as they do. */
function mergedEntries(a: readonly JournalEntry[], b: readonly JournalEntry[]): readonly JournalEntry[] {
	const byId = new Map([...a, ...b].map((entry) => [entry.id, entry]));
	return [...byId.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Returns the place of an occurrence among those that entries of one alarm tell of; null where they do not tell of it. */
export function ordinalOf(occurrence: number, entries: readonly Pick<JournalEntry, 'kind' | 'occurrence'>[]): number | null {
	const raised = new Set(entries.filter(({ kind }) => kind === 'raised').map((entry) => entry.occurrence));
	return raised.has(occurrence) ? [...raised].filter((each) => each <= occurrence).length : null;
}
