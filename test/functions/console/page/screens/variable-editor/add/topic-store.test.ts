import { expect, test } from 'vitest';
import {
	createTopicStore,
	isWhole,
	type ListedSeries,
	type TopicQuestion,
} from '#page/screens/variable-editor/add/topic-store.ts';

const listed = (topic: string): ListedSeries => ({
	...{ topic, field: 'value', tags: {}, type: 'float', variables: [] },
	newest: { time: '2026-11-24T12:00:00.000Z', value: 1 },
});

/** A database with some topics, which refuses pages of more than `most` topics as too slow. */
function openDatabase(topics: readonly string[], most: number) {
	const asked: TopicQuestion[] = [];
	const store = createTopicStore(async (question) => {
		asked.push(question);
		const { prefix, search, limit, after } = question;
		if (limit > most) return { ok: false, failure: { kind: 'refused', status: 504, errors: {}, retryAfterMs: null } };
		const found = topics.filter((each) => each.startsWith(prefix) && each.includes(search) && (after === null || each > after));
		const page = found.slice(0, limit);
		const next = found.length > page.length ? (page.at(-1) ?? null) : null;
		return { ok: true, data: { data: page.map(listed), next }, etag: null };
	});
	return { store, asked };
}

const many = Array.from({ length: 2500 }, (_, index) => `${index % 5}/${String(index).padStart(4, '0')}`).toSorted();

test('reads four pages at once, the rest when asked, and a known branch never again', async () => {
	const { store, asked } = openDatabase(many, 500);
	await store.open('');
	expect([asked.length, store.series.value.size, isWhole(store.branches.value, '')]).toEqual([4, 2000, false]);
	await store.open('4/');
	expect([store.series.value.size, isWhole(store.branches.value, '4/')]).toEqual([2500, true]);
	await store.open('4/');
	await store.more('');
	await store.open('2/');
	expect([asked.length, isWhole(store.branches.value, '2/')]).toEqual([6, true]);
});

test('reads smaller pages where the database is slow, and then branch by branch', async () => {
	const { store, asked } = openDatabase(many, 100);
	await store.open('');
	expect(asked.map(({ limit }) => limit)).toEqual([500, 100]);
	expect([store.isSlow.value, store.series.value.size]).toEqual([true, 100]);
	await store.open('3/');
	expect([asked.length, store.series.value.size]).toEqual([3, 200]);
	await store.find('', '/0123');
	expect([...store.series.value.values()].map(({ topic }) => topic)).toContain('3/0123');
});

test('says why it could not read, keeps what it has, and reads again', async () => {
	const { store } = openDatabase(['a/b'], 10);
	await store.open('');
	expect(store.branches.value.get('')?.failure?.status).toBe(504);
	expect(isWhole(store.branches.value, '')).toBe(false);
	const other = openDatabase(['a/b'], 500);
	await other.store.open('');
	await other.store.readAgain('');
	expect([other.asked.length, other.store.series.value.size]).toEqual([2, 1]);
});
