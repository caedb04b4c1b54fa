import { describe, expect, test } from 'vitest';
import type { ActHeaders } from '#page/core/acts.ts';
import type { Failure, FieldError } from '#page/core/api.ts';
import { createDraftEditor, type DraftRequests, type Versioned } from '#page/core/draft-editor.ts';

type Content = { readonly name: string };

const empty: FieldError = { code: 'empty', message: 'Must not be empty.', params: {} };
const refusedWith = (status: number, errors: Failure['errors'] = {}) =>
	({ ok: false, failure: { kind: 'refused', status, errors, retryAfterMs: null } }) as const;
const unreachable = { ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } } as const;

/** A service with one row, and what was sent to it. */
const makeService = (stored: Versioned<Content> | null) => {
	const service = {
		stored,
		sent: [] as { name: string; version: number | null; key: string }[],
		answer: null as ReturnType<typeof refusedWith> | typeof unreachable | null,
	};
	const requests: DraftRequests<Content> = {
		check: ({ name }) => new Map(name === '' ? [['name', empty]] : []),
		save: async ({ name }, { 'Idempotency-Key': key, 'If-Match': etag }) => {
			const version = etag === undefined ? null : Number(JSON.parse(etag));
			service.sent.push({ name, version, key });
			if (service.answer !== null) return service.answer;
			if (version !== (service.stored?.version ?? null)) return refusedWith(412);
			service.stored = { content: { name }, version: (version ?? 0) + 1 };
			return { ok: true, data: service.stored, etag: null };
		},
		read: async () => ({ ok: true, data: service.stored, etag: null }),
	};
	return { service, requests };
};

const first: Versioned<Content> = { content: { name: 'One' }, version: 1 };

describe('an editor of a draft', () => {
	test('saves on condition of the version that it began from, and goes on from the new one', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		expect(editor.isChanged.value).toBe(false);
		editor.change({ name: 'Two' });
		expect(editor.isChanged.value).toBe(true);
		expect(await editor.save()).toBe('saved');
		expect(editor.base.value).toEqual({ content: { name: 'Two' }, version: 2 });
		expect(editor.isChanged.value).toBe(false);
		editor.change({ name: 'Three' });
		await editor.save();
		expect(service.sent.map(({ version }) => version)).toEqual([1, 2]);
	});

	test('sends nothing while something is wrong', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		editor.change({ name: '' });
		expect(await editor.save()).toBe('wrong');
		expect([service.sent, editor.hasTried.value, [...editor.problems.value.keys()]]).toEqual([[], true, ['name']]);
	});

	test('says what the service refused, until it is changed', async () => {
		const { service, requests } = makeService(first);
		service.answer = refusedWith(400, { name: empty });
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Two' });
		expect(await editor.save()).toBe('failed');
		expect(editor.problems.value.get('name')).toBe(empty);
		editor.change({ name: 'Three' });
		expect(editor.problems.value.size).toBe(0);
	});

	test.each([401, 429, 500, 503])('finds nothing wrong with content that the service could not take: %i', async (status) => {
		const { service, requests } = makeService(first);
		service.answer = refusedWith(status, { request: { code: 'gateway', message: 'Not now', params: {} } });
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Two' });
		expect(await editor.save()).toBe('failed');
		expect([editor.failure.value?.status, editor.problems.value.size]).toEqual([status, 0]);
		service.answer = null;
		expect(await editor.save()).toBe('saved');
	});

	test('overwrites nothing that somebody else stored: it shows theirs, and saves the choice on top of it', async () => {
		const { service, requests } = makeService({ content: { name: 'Theirs' }, version: 2 });
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Mine' });
		expect(await editor.save()).toBe('conflict');
		expect(service.stored?.content.name).toBe('Theirs');
		expect([editor.theirs.value, editor.content.value]).toEqual([{ content: { name: 'Theirs' }, version: 2 }, { name: 'Mine' }]);
		editor.rebase({ name: 'Both' }, { content: { name: 'Theirs' }, version: 2 });
		expect([editor.theirs.value, service.stored?.content.name]).toEqual([null, 'Theirs']);
		expect(await editor.save()).toBe('saved');
		expect(service.stored).toEqual({ content: { name: 'Both' }, version: 3 });
	});

	test('says that somebody else deleted it, and keeps what is typed', async () => {
		const { service, requests } = makeService(null);
		service.answer = refusedWith(404);
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Mine' });
		expect(await editor.save()).toBe('conflict');
		expect([editor.theirs.value, editor.content.value]).toEqual([{ content: null }, { name: 'Mine' }]);
	});

	test('repeats a save of unknown outcome with the same key, and another one with another', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Two' });
		service.answer = unreachable;
		expect(await editor.save()).toBe('failed');
		service.answer = refusedWith(503);
		await editor.save();
		editor.change({ name: 'Three' });
		service.answer = null;
		await editor.save();
		const keys = service.sent.map(({ key }) => key);
		expect(keys[0]).toBe(keys[1]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	test('takes a new key after a refusal: the same content again is another act', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Two' });
		service.answer = refusedWith(400);
		await editor.save();
		await editor.save();
		expect(new Set(service.sent.map(({ key }) => key)).size).toBe(2);
	});

	test('keeps what is typed while a save runs, and does not start another one', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'Two' });
		const saving = editor.save();
		editor.change({ name: 'Two and more' });
		expect(await editor.save()).toBe('failed');
		expect(await saving).toBe('saved');
		expect([editor.content.value.name, editor.base.value.version, editor.isChanged.value]).toEqual(['Two and more', 2, true]);
		expect(service.sent).toHaveLength(1);
	});

	test('is what was saved where it is discarded while the save runs, and what is stored where the save fails', async () => {
		const { service, requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		const saveAndDiscard = async (name: string) => {
			editor.change({ name });
			const saving = editor.save();
			editor.discard();
			await saving;
			return [editor.content.value, editor.base.value, editor.isChanged.value];
		};
		const second = { content: { name: 'Two' }, version: 2 };
		expect(await saveAndDiscard('Two')).toEqual([second.content, second, false]);
		service.answer = refusedWith(503);
		expect(await saveAndDiscard('Three')).toEqual([second.content, second, false]);
	});

	test('has something to save while it is changed, and before it was ever stored', async () => {
		const { requests } = makeService(first);
		const editor = createDraftEditor(first, requests);
		expect(editor.isUnsaved.value).toBe(false);
		editor.change({ name: 'Two' });
		expect(editor.isUnsaved.value).toBe(true);
		await editor.save();
		expect(editor.isUnsaved.value).toBe(false);
		editor.becomeNew();
		expect([editor.isChanged.value, editor.isUnsaved.value]).toEqual([false, true]);
	});

	test('goes back to what is stored', () => {
		const editor = createDraftEditor(first, makeService(first).requests);
		editor.change({ name: 'Two' });
		editor.discard();
		expect([editor.content.value.name, editor.isChanged.value]).toEqual(['One', false]);
	});

	test('compares with what somebody else stored before a save is tried, and discarding closes that', async () => {
		const { requests } = makeService({ content: { name: 'Theirs' }, version: 2 });
		const editor = createDraftEditor(first, requests);
		expect(await editor.compare()).toBe(true);
		expect(editor.theirs.value).toEqual({ content: { name: 'Theirs' }, version: 2 });
		editor.discard();
		expect([editor.theirs.value, editor.base.value]).toEqual([null, first]);
	});

	test('says why theirs could not be read', async () => {
		const editor = createDraftEditor(first, { ...makeService(null).requests, read: async () => unreachable });
		editor.change({ name: 'Mine' });
		expect(await editor.save()).toBe('failed');
		expect([editor.failure.value?.kind, editor.theirs.value]).toEqual(['unreachable', null]);
	});

	test('follows what is stored while nothing is changed', () => {
		const editor = createDraftEditor(first, makeService(first).requests);
		const second = { content: { name: 'Theirs' }, version: 2 };
		editor.follow(second);
		expect([editor.base.value, editor.content.value.name]).toEqual([second, 'Theirs']);
		editor.change({ name: 'Mine' });
		editor.follow({ content: { name: 'Theirs again' }, version: 3 });
		expect([editor.base.value, editor.content.value.name]).toEqual([second, 'Mine']);
	});

	test('is changed where a save would store something else', () => {
		const requests = { ...makeService(first).requests, storedOf: ({ name }: Content) => name.trim() };
		const editor = createDraftEditor(first, requests);
		editor.change({ name: 'One ' });
		expect([editor.isChanged.value, editor.content.value.name]).toEqual([false, 'One ']);
		editor.change({ name: 'On' });
		expect(editor.isChanged.value).toBe(true);
	});
});

describe('an editor of a draft that has an id', () => {
	type Named = { readonly id: number; readonly name: string };

	/** An editor of a service that stores everything under the next id, and what was sent to it. */
	const openEditor = (stored: Versioned<Named>) => {
		const sent: { id: number; header: ActHeaders }[] = [];
		const editor = createDraftEditor<Named>(stored, {
			check: () => new Map(),
			save: async ({ id, name }, header) => {
				sent.push({ id, header });
				return { ok: true, data: { content: { id: id === 0 ? 8 : id, name }, version: sent.length }, etag: null };
			},
			read: async () => ({ ok: true, data: null, etag: null }),
		});
		return { editor, sent };
	};

	test('takes the id of a new one, also where something is typed while it is saved', async () => {
		const { editor, sent } = openEditor({ content: { id: 0, name: 'One' }, version: null });
		const saving = editor.save();
		editor.change({ name: 'Two' });
		await saving;
		expect([editor.content.value, editor.isChanged.value]).toEqual([{ id: 8, name: 'Two' }, true]);
		await editor.save();
		expect(sent.map(({ id, header }) => [id, header['If-Match']])).toEqual([
			[0, undefined],
			[8, '"1"'],
		]);
	});

	test('becomes new when somebody else deleted it: nothing is stored before the next save', async () => {
		const { editor, sent } = openEditor({ content: { id: 7, name: 'One' }, version: 3 });
		editor.change({ name: 'Mine' });
		await editor.compare();
		expect(editor.theirs.value).toEqual({ content: null });
		editor.becomeNew();
		expect([editor.theirs.value, editor.content.value, editor.isChanged.value]).toEqual([null, { id: 0, name: 'Mine' }, true]);
		expect(sent).toEqual([]);
		await editor.save();
		expect([sent[0]?.header['If-Match'], editor.base.value.content]).toEqual([undefined, { id: 8, name: 'Mine' }]);
	});
});
