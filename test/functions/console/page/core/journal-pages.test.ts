import { describe, expect, test, vi } from 'vitest';
import type { Result, Schemas } from '#page/core/api.ts';

// The page's client takes this when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
const { createJournalPages } = await import('#page/core/journal-pages.ts');
const { beginnings } = await import('#page/core/session.ts');
// The page's client has taken it. Other files share the process.
vi.unstubAllGlobals();

type Page = Schemas['JournalPage'];
type JournalEntry = Schemas['JournalEntry'];

const entry = (id: number, kind: JournalEntry['kind'] = 'raised'): JournalEntry => ({
	...{
		id: String(id).padStart(4, '0'),
		time: '2026-11-22T10:00:00Z',
		recordedAt: '2026-11-22T10:00:00Z',
		alarmId: 7,
		occurrence: 1,
	},
	...{
		kind,
		cause: null,
		value: null,
		quality: null,
		inputs: [],
		user: null,
		actors: { user: null },
		comment: null,
		alarm: null,
	},
});
const page = (entries: readonly JournalEntry[], next: string | null = null): Result<Page> => ({
	ok: true,
	data: { data: [...entries], next },
	etag: null,
});
const failure: Result<Page> = { ok: false, failure: { kind: 'refused', status: 500, errors: {}, retryAfterMs: null } };
const question: { readonly start: number; readonly alarmId: number | null } = { start: 0, alarmId: null };
const all = () => true;

/** Answers pages by their `after`, the newest by ''. */
const journalOf = (answers: Record<string, Result<Page>>) => {
	const asked: (string | null)[] = [];
	const pages = createJournalPages(
		async (_: typeof question, after) => {
			asked.push(after);
			return answers[after ?? ''] ?? failure;
		},
		({ id }) => id,
	);
	const ids = () => pages.state.value.entries.map(({ id }) => Number(id));
	return { pages, asked, ids, answers };
};

describe('the journal', () => {
	test('shows the newest page, and earlier ones when asked', async () => {
		const { pages, ids } = journalOf({ '': page([entry(9), entry(8)], 'a'), a: page([entry(7)]) });
		await pages.ask(question, all);
		expect([ids(), pages.state.value.next]).toEqual([[9, 8], 'a']);
		await pages.readEarlier(all);
		expect([ids(), pages.state.value.next, pages.state.value.isReading]).toEqual([[9, 8, 7], null, false]);
	});

	test('goes on over pages that are empty, or that have nothing of the kind that is wanted', async () => {
		const { pages, asked } = journalOf({ '': page([entry(9)], 'a'), a: page([], 'b'), b: page([entry(5, 'shelved')], 'c') });
		await pages.ask(question, ({ kind }) => kind === 'shelved');
		expect([asked, pages.state.value.next]).toEqual([[null, 'a', 'b'], 'c']);
	});

	test('is renewed without losing earlier entries, and begins anew where entries between would be missing', async () => {
		const { pages, ids, answers } = journalOf({ '': page([entry(9), entry(8)], 'a'), a: page([entry(7)], 'z') });
		await pages.ask(question, all);
		await pages.readEarlier(all);
		answers[''] = page([entry(10), entry(9)], 'x');
		await pages.renew();
		expect([ids(), pages.state.value.next]).toEqual([[10, 9, 8, 7], 'z']);
		answers[''] = page([entry(20), entry(19)], 'y');
		await pages.renew();
		expect([ids(), pages.state.value.next]).toEqual([[20, 19], 'y']);
	});

	test('keeps what was read when a page fails, says why, and does not call that everything', async () => {
		const { pages, ids } = journalOf({ '': page([entry(9)], 'a') });
		await pages.ask(question, all);
		expect(await pages.readAll()).toBeNull();
		expect([ids(), pages.state.value.failure?.status, pages.state.value.isReading]).toEqual([[9], 500, false]);
	});

	test('is no empty one where its newest page could not be read, and is read with the next try', async () => {
		const { pages, ids, answers } = journalOf({});
		await pages.ask(question, all);
		expect([await pages.readAll(), pages.state.value.failure?.status]).toEqual([null, 500]);
		answers[''] = page([entry(9)]);
		await pages.renew();
		expect([ids(), pages.state.value.next, pages.state.value.failure]).toEqual([[9], null, null]);
	});

	test('is not read on, and not called whole, after another session has begun', async () => {
		const { pages, asked } = journalOf({ '': page([entry(9)], 'a'), a: page([entry(8)], 'b'), b: page([entry(7)]) });
		await pages.ask(question, all);
		const whole = pages.readAll();
		beginnings.value += 1;
		expect(await whole).toBeNull();
		expect(asked).toEqual([null, 'a']);
	});

	test('is read as a whole', async () => {
		const { pages } = journalOf({ '': page([entry(9)], 'a'), a: page([], 'b'), b: page([entry(1)]) });
		await pages.ask(question, all);
		expect((await pages.readAll())?.map(({ id }) => Number(id))).toEqual([9, 1]);
	});

	test('is read as a whole however many pages it has, but only 100 of them for a filter that matches nothing', async () => {
		const lastPage = 101;
		const pages = createJournalPages(
			async (_: typeof question, after) => {
				const number = Number(after ?? 0);
				return page([entry(5000 - number)], number === lastPage ? null : String(number + 1));
			},
			({ id }) => id,
		);
		await pages.ask(question, () => false);
		expect([pages.state.value.entries.length, pages.state.value.next, pages.state.value.isReading]).toEqual([100, '100', false]);
		await pages.ask(question, all);
		expect(await pages.readAll()).toHaveLength(lastPage + 1);
		expect([pages.state.value.next, pages.state.value.isReading]).toEqual([null, false]);
	});

	test('leaves the newer question alone that is asked while everything is read', async () => {
		const answers: ((result: Result<Page>) => void)[] = [];
		const pages = createJournalPages<typeof question, JournalEntry>(
			() => new Promise((resolve) => answers.push(resolve)),
			({ id }) => id,
		);
		const first = pages.ask(question, all);
		answers[0]?.(page([entry(9)], 'a'));
		await first;
		const whole = pages.readAll();
		// An equal question is a newer one, too.
		const second = pages.ask(question, all);
		answers[1]?.(page([entry(8)]));
		expect([await whole, pages.state.value.entries, pages.state.value.isReading]).toEqual([null, [], true]);
		answers[2]?.(page([entry(10)]));
		await second;
		expect([pages.state.value.entries.map(({ id }) => Number(id)), pages.state.value.isReading]).toEqual([[10], false]);
	});

	test('shows only the answer to the last question', async () => {
		const answers: ((result: Result<Page>) => void)[] = [];
		const pages = createJournalPages<typeof question, JournalEntry>(
			() => new Promise((resolve) => answers.push(resolve)),
			({ id }) => id,
		);
		const first = pages.ask(question, all);
		const second = pages.ask({ start: 5, alarmId: 7 }, all);
		answers[1]?.(page([entry(2)]));
		answers[0]?.(page([entry(1)]));
		await Promise.all([first, second]);
		expect(pages.state.value.entries.map(({ id }) => Number(id))).toEqual([2]);
	});
});
