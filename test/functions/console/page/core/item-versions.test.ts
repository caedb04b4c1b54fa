import { describe, expect, test } from 'vitest';
import type { ActHeaders } from '#page/core/acts.ts';
import { createActs } from '#page/core/acts.ts';
import { fieldOf } from '#page/core/draft-fields.ts';
import { createItemVersions } from '#page/core/item-versions.ts';

interface Board {
	readonly id: number;
	readonly title: string;
	readonly note: string;
}

const stored = (title: unknown, version = 1) => ({ version, content: { id: 7, title, note: 'kept' } });

const made = (title: string | null) => {
	const saved: (readonly [Board, ActHeaders])[] = [];
	const versions = createItemVersions<Board>({
		draftOf: ({ content }) => (typeof content['title'] === 'string' ? { id: 7, title: content['title'], note: 'kept' } : null),
		fieldsOf: () => [
			fieldOf<Board>(['title'], 'Title', (board) => board.title),
			fieldOf<Board>(['note'], 'Note', ({ note }) => note),
		],
		requests: {
			read: async ({ id }) => ({
				...{ ok: true, etag: null },
				data: title === null ? null : { content: { id, title, note: 'kept' }, version: 9 },
			}),
			save: async (board, header) => {
				saved.push([board, header]);
				return { ok: true, data: { content: board, version: 10 }, etag: null };
			},
		},
	});
	return { versions, saved };
};

describe('the versions of an item', () => {
	test('are compared field by field', () => {
		const { versions } = made('now');
		expect(versions.compare(stored('old'), stored('new'))).toMatchObject({
			differences: [{ key: 'title', before: 'old', after: 'new' }],
			same: [{ label: 'Note', after: 'kept' }],
		});
	});

	test('have every field where one of them is missing, and none where one is of another kind', () => {
		const { versions } = made('now');
		expect(versions.compare(null, stored('new'))?.differences).toMatchObject([
			{ label: 'Title', before: '', after: 'new' },
			{ label: 'Note', before: '', after: 'kept' },
		]);
		expect(versions.compare(stored('old'), null)?.differences[0]).toMatchObject({ before: 'old', after: '' });
		expect(versions.compare(stored('old'), stored(5))).toBeNull();
	});

	test('are compared with what is stored now', async () => {
		const now = await made('now').versions.readNow(stored('then', 2));
		expect(now.ok && [now.data?.version, now.data?.compare().differences]).toMatchObject([
			9,
			[{ key: 'title', before: 'now', after: 'then' }],
		]);
		expect(await made(null).versions.readNow(stored('then'))).toMatchObject({ ok: true, data: null });
	});

	test('are saved on condition of the stored version, or as a new item', async () => {
		const { versions, saved } = made('now');
		await versions.save(stored('then'), { storedVersion: 9, acts: createActs() });
		await versions.save(stored('then'), { storedVersion: null, acts: createActs() });
		expect(saved).toMatchObject([
			[{ id: 7, title: 'then' }, { 'If-Match': '"9"' }],
			[{ id: 0, title: 'then' }, {}],
		]);
		expect(saved[1]?.[1]).not.toHaveProperty('If-Match');
	});
});
