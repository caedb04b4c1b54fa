import { describe, expect, test, vi } from 'vitest';

/** The queries that were sent, and a function for each that answers it. */
const requests: { readonly query: string; readonly answer: (response: Response) => void }[] = [];
// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal(
	'fetch',
	({ url }: Request) =>
		new Promise<Response>((answer) => {
			requests.push({ query: new URL(url).search, answer });
		}),
);
const { createCorrections, wholeQuarters } = await import('#page/screens/trend/use-corrections.ts');
// The page's client has taken both. Other files share the process.
vi.unstubAllGlobals();

const minute = 60_000;
const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
const answerOf = (...found: readonly number[]) => Response.json({ data: found.map((id) => ({ id })) });

describe('the range in which corrections are read', () => {
	test('consists of whole quarters of an hour that contain the shown range', () => {
		expect(wholeQuarters(17 * minute, 61 * minute)).toEqual({ start: 15 * minute, end: 75 * minute });
	});

	test('reaches the next quarter where the shown range ends between two quarters, because that end may move on', () => {
		expect(wholeQuarters(15 * minute, 30 * minute)).toEqual({ start: 15 * minute, end: 45 * minute });
	});

	test('stays the same while both ends of the shown range stay in their quarters', () => {
		expect(wholeQuarters(29.9 * minute, 44.9 * minute)).toEqual(wholeQuarters(15 * minute, 30 * minute));
	});

	test('grows when only the start moves into another quarter', () => {
		expect(wholeQuarters(14 * minute, 44 * minute)).not.toEqual(wholeQuarters(16 * minute, 44 * minute));
	});
});

describe('the corrections of a range', () => {
	test('are asked for with the bounds of the range, and replace those before', async () => {
		requests.length = 0;
		const corrections = createCorrections();
		const reading = corrections.read({ start: 0, end: 15 * minute });
		await expect.poll(() => requests).toHaveLength(1);
		expect(requests[0]?.query).toBe('?start=0&end=900000');
		requests[0]?.answer(answerOf(1, 2));
		await reading;
		expect(ids(corrections.rows.value)).toEqual([1, 2]);
	});

	test('are not overwritten by a late answer for an older range', async () => {
		requests.length = 0;
		const corrections = createCorrections();
		const older = corrections.read({ start: 0, end: 15 * minute });
		const newer = corrections.read({ start: 15 * minute, end: 30 * minute });
		await expect.poll(() => requests).toHaveLength(2);
		requests[1]?.answer(answerOf(2));
		await newer;
		requests[0]?.answer(answerOf(1));
		await older;
		expect(ids(corrections.rows.value)).toEqual([2]);
	});

	test('stay when the next reading fails', async () => {
		requests.length = 0;
		const corrections = createCorrections();
		const first = corrections.read({ start: 0, end: 15 * minute });
		await expect.poll(() => requests).toHaveLength(1);
		requests[0]?.answer(answerOf(1));
		await first;
		const second = corrections.read({ start: 0, end: 15 * minute });
		await expect.poll(() => requests).toHaveLength(2);
		requests[1]?.answer(new Response('{"message":"Service Unavailable"}', { status: 503 }));
		await second;
		expect(ids(corrections.rows.value)).toEqual([1]);
	});
});
