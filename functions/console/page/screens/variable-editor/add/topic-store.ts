import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { seriesKeyOf } from '#domain/variable/series-of-query.ts';
import type { Failure, Result, Schemas } from '#page/core/api.ts';

/** A series as the database lists it. */
export type ListedSeries = Schemas['ListedTopic'];

/** A request for a page of the list of topics. */
export interface TopicQuestion {
	readonly prefix: string;
	readonly search: string;
	readonly limit: number;
	/** The `next` of the page before; null for the first page. */
	readonly after: string | null;
}

/** Reads a page of topics. */
export type ReadTopics = (question: TopicQuestion) => Promise<Result<Schemas['TopicPage']>>;

/** How much of a branch was read. */
export interface Branch {
	/** What became of the last reading. `read` also stands for a branch that nobody has read. */
	readonly phase: 'reading' | 'read' | 'failed';
	/** Leads to its next page; null before its first page, and after its last. */
	readonly next: string | null;
	/** Whether at least one page of it was read. */
	readonly hasBegun: boolean;
	/** Why the last reading failed; null unless it did. */
	readonly failure: Failure | null;
}

/** The series that were read, and how much of each branch was read. */
export interface TopicStore {
	/** By key, in the order of their reading. */
	readonly series: ReadonlySignal<ReadonlyMap<string, ListedSeries>>;
	/** By prefix (see `rootPrefix`). */
	readonly branches: ReadonlySignal<ReadonlyMap<string, Branch>>;
	/** Whether the database was too slow for large pages. Then a branch is read only when it is opened. */
	readonly isSlow: ReadonlySignal<boolean>;
	/** Reads a branch, unless all of it was read or is being read. */
	open(prefix: string): Promise<void>;
	/** Reads the next pages of a branch. */
	more(prefix: string): Promise<void>;
	/** Reads the series of a branch that match a search, if not all of the branch was read. A search that fails adds nothing. */
	find(prefix: string, search: string): Promise<void>;
	/** Forgets everything, and reads a branch. */
	readAgain(prefix: string): Promise<void>;
}

/** The prefix of the root: the branch of all topics. */
export const rootPrefix = '';

/** How many topics a page has at first. */
const largestPage = 500;

/** How many topics a page has after the database was too slow once, and after it was too slow again. */
const smallerPages = [100, 20] as const;

/** The HTTP status of an answer for which the database took too long. */
const tooSlow = 504;

/** The most pages that are read one after the other by one call. */
const pagesAtOnce = 4;

/** A branch that nobody has read. */
const unread: Branch = { phase: 'read', next: null, hasBegun: false, failure: null };

/** Creates a store of topics. */
export function createTopicStore(read: ReadTopics): TopicStore {
	const series = signal<ReadonlyMap<string, ListedSeries>>(new Map());
	const branches = signal<ReadonlyMap<string, Branch>>(new Map());
	const { readPage, isSlow } = createPageReader(read);
	/** Counts how often everything was forgotten. An answer to a request of before is dropped. */
	let generation = 0;
	const branchOf = (prefix: string): Branch => branches.value.get(prefix) ?? unread;
	const changeBranch = (prefix: string, part: Partial<Branch>): void => {
		branches.value = new Map([...branches.value, [prefix, { ...branchOf(prefix), ...part }]]);
	};

	const addSeries = (found: readonly ListedSeries[]): void => {
		series.value = new Map([...series.value, ...found.map((one) => [seriesKeyOf(one), one] as const)]);
	};
	const more = async (prefix: string): Promise<void> => {
		if (branchOf(prefix).phase === 'reading') return;
		const ownGeneration = generation;
		changeBranch(prefix, { phase: 'reading', failure: null });
		for (let pages = 0; pages < (isSlow.value ? 1 : pagesAtOnce); pages += 1) {
			const result = await readPage({ prefix, search: '', after: branchOf(prefix).next });
			if (ownGeneration !== generation) return;
			if (!result.ok) {
				changeBranch(prefix, { phase: 'failed', failure: result.failure });
				return;
			}
			batch(() => {
				addSeries(result.data.data);
				changeBranch(prefix, { next: result.data.next, hasBegun: true });
			});
			if (result.data.next === null) break;
		}
		changeBranch(prefix, { phase: 'read' });
	};
	const open = async (prefix: string): Promise<void> => {
		const { hasBegun, phase } = branchOf(prefix);
		if (!isWhole(branches.value, prefix) && (!hasBegun || phase === 'failed')) await more(prefix);
	};
	return {
		series,
		branches,
		isSlow,
		open,
		more,
		find: async (prefix, search) => {
			if (search === '' || isWhole(branches.value, prefix)) return;
			const ownGeneration = generation;
			const result = await readPage({ prefix, search, after: null });
			if (ownGeneration === generation && result.ok) addSeries(result.data.data);
		},
		readAgain: async (prefix) => {
			generation += 1;
			batch(() => {
				series.value = new Map();
				branches.value = new Map();
			});
			await open(prefix);
		},
	};
}

/** Reads a page of topics. The reader chooses how large the page is. */
type ReadPage = (question: Omit<TopicQuestion, 'limit'>) => Promise<Result<Schemas['TopicPage']>>;

/** Creates a reader of pages. After the database was too slow for a page, it reads smaller pages, and `isSlow` is true from then on. */
function createPageReader(read: ReadTopics): { readonly readPage: ReadPage; readonly isSlow: ReadonlySignal<boolean> } {
	const isSlow = signal(false);
	let pageSize: number = largestPage;
	let smallerSizes: readonly number[] = smallerPages;
	const readPage: ReadPage = async (question) => {
		const result = await read({ ...question, limit: pageSize });
		const [nextSize, ...sizesAfter] = smallerSizes;
		if (result.ok || result.failure.status !== tooSlow || nextSize === undefined) return result;
		pageSize = nextSize;
		smallerSizes = sizesAfter;
		isSlow.value = true;
		return readPage(question);
	};
	return { readPage, isSlow };
}

/** Returns whether all topics of a branch were read, because it or a branch around it was read to its end. */
export function isWhole(branches: ReadonlyMap<string, Branch>, prefix: string): boolean {
	return [...branches].some(([around, { hasBegun, next }]) => prefix.startsWith(around) && hasBegun && next === null);
}
