import { describe, expect, test } from 'vitest';
import type { Failure, Result, Schemas } from '#page/core/api.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { type Draft, draftOf, emptyDraft, emptyQuery, storedDraftOf } from '#page/screens/variable-editor/draft.ts';
import { createEditor, type EditorRequests } from '#page/screens/variable-editor/editor-state.ts';

const stored: Draft = {
	...emptyDraft,
	...{ id: 7, name: 'Flow', unit: 'm³/h', process: 'intake', query: { ...emptyQuery, topic: 'plant/flow' } },
};

/** A service that answers saves with what the test says, and stores them where it says nothing. */
function openEditor(answers: readonly Partial<Failure>[] = [], draft: Versioned<Draft> = { content: stored, version: 3 }) {
	const sent: { readonly name: string; readonly version: number | null; readonly key: string }[] = [];
	const left = [...answers];
	const keys: string[] = [];
	let row: Schemas['Variable'] | null = null;
	const requests: EditorRequests = {
		read: async () => ({ ok: true, etag: null, data: row }),
		save: async (body, { 'Idempotency-Key': key, 'If-Match': etag }): Promise<Result<Schemas['Variable']>> => {
			const version = etag === undefined ? null : Number(JSON.parse(etag));
			if (!keys.includes(key)) keys.push(key);
			sent.push({ name: body.name, version, key: `key ${keys.indexOf(key) + 1}` });
			const failure = left.shift();
			if (failure !== undefined)
				return { ok: false, failure: { kind: 'refused', status: 400, errors: {}, retryAfterMs: null, ...failure } };
			const id = body.id === 0 ? 8 : body.id;
			return { ok: true, etag: null, data: { ...body, id, version: (version ?? 0) + 1 } as Schemas['Variable'] };
		},
	};
	const editor = createEditor(draft, requests);
	return {
		editor,
		sent,
		store: (variable: Schemas['Variable'] | null) => {
			row = variable;
		},
	};
}

const theirs = { ...bodyOfStored(), name: 'Inflow', version: 4 };

function bodyOfStored(): Schemas['Variable'] {
	const query = {
		...{ calc_topic: 'plant/flow', calc_field: 'value', calc_time: 1, calc_unit: 'h' as const },
		...{ calc_period: 1, calc_unit_period: 'm' as const, calc_type_period: 'last' as const },
	};
	const shared = { id: 7, version: 3, name: 'Flow', unit: 'm³/h', process: 'intake', type: 'last' as const };
	return { ...shared, calc: false, binary_compressed: false, varsTsdb: { Flow: query } };
}

describe('an editor', () => {
	test('saves what is typed on condition of the version that it began from, and goes on from the new one', async () => {
		const { editor, sent } = openEditor();
		expect(editor.isChanged.value).toBe(false);
		editor.change({ name: 'Inflow' });
		expect(editor.isChanged.value).toBe(true);
		expect(await editor.save()).toBe('saved');
		expect(sent).toEqual([{ name: 'Inflow', version: 3, key: 'key 1' }]);
		expect([editor.isChanged.value, editor.base.value.version]).toEqual([false, 4]);
		editor.change({ name: 'Flow' });
		await editor.save();
		expect(sent[1]).toEqual({ name: 'Flow', version: 4, key: 'key 2' });
	});

	test('saves a new variable without a version, and takes its id', async () => {
		const { editor, sent } = openEditor([], { content: { ...stored, id: 0 }, version: null });
		expect(await editor.save()).toBe('saved');
		expect(sent[0]?.version).toBeNull();
		expect(editor.base.value).toMatchObject({ content: { id: 8 }, version: 1 });
	});

	test('sends nothing while something is wrong', async () => {
		const { editor, sent } = openEditor();
		editor.change({ process: '' });
		expect(editor.hasTried.value).toBe(false);
		expect(await editor.save()).toBe('wrong');
		expect([sent, editor.hasTried.value, editor.problems.value.get('process')?.code]).toEqual([[], true, 'empty']);
		editor.change({ process: 'x', kind: 'formula', formula: '{a' });
		expect(await editor.save()).toBe('wrong');
		expect(sent).toEqual([]);
	});

	test('never overwrites what somebody else saved: it shows theirs, and a second save is of their version', async () => {
		const { editor, sent, store } = openEditor([{ status: 412 }]);
		store(theirs);
		editor.change({ unit: 'L/s' });
		expect(await editor.save()).toBe('conflict');
		expect(editor.theirs.value).toMatchObject({ content: { name: 'Inflow' }, version: 4 });
		expect(editor.content.value.unit).toBe('L/s');
		editor.rebase({ ...draftOf(theirs), unit: 'L/s' }, storedDraftOf(theirs));
		expect([editor.theirs.value, editor.isChanged.value, sent.length]).toEqual([null, true, 1]);
		await editor.save();
		expect(sent[1]).toMatchObject({ name: 'Inflow', version: 4 });
	});

	test('goes back to editing with everything that was typed, when the comparison is closed', async () => {
		const { editor, store } = openEditor([{ status: 412 }]);
		store(theirs);
		editor.change({ unit: 'L/s' });
		await editor.save();
		editor.closeConflict();
		expect(editor.content.value).toEqual({ ...stored, unit: 'L/s' });
	});

	test('keeps what was typed when the variable was deleted, and may save it as a new one', async () => {
		const { editor, sent } = openEditor([{ status: 412 }]);
		editor.change({ unit: 'L/s' });
		expect(await editor.save()).toBe('conflict');
		expect(editor.theirs.value).toEqual({ content: null });
		editor.becomeNew();
		expect(await editor.save()).toBe('saved');
		expect(sent[1]?.version).toBeNull();
		expect(editor.base.value.content).toMatchObject({ id: 8, unit: 'L/s' });
	});

	test('repeats a save whose outcome is not known with the same key, and any other act with a new one', async () => {
		const { editor, sent } = openEditor([{ kind: 'unreachable', status: 0 }, { status: 503 }, { status: 400 }]);
		editor.change({ name: 'a' });
		expect(await editor.save()).toBe('failed');
		expect(await editor.save()).toBe('failed');
		editor.change({ name: 'b' });
		await editor.save();
		await editor.save();
		expect(sent.map(({ name, key }) => `${name} ${key}`)).toEqual(['a key 1', 'a key 1', 'b key 2', 'b key 3']);
	});

	test('shows what the service refuses at its field, until something else is typed', async () => {
		const refused = { code: 'in_use', message: 'Bits in use.', params: {} };
		const { editor } = openEditor([{ status: 409, errors: { bits: refused } }]);
		editor.change({ name: 'a' });
		await editor.save();
		expect(editor.problems.value.get('bits')).toEqual(refused);
		expect(editor.failure.value?.status).toBe(409);
		editor.change({ name: 'b' });
		expect(editor.problems.value.size).toBe(0);
	});

	test.each([401, 429, 500, 503])('finds nothing wrong with what the service could not take: %i', async (status) => {
		const { editor } = openEditor([{ status, errors: { request: { code: 'gateway', message: 'Not now', params: {} } } }]);
		editor.change({ unit: 'L/s' });
		expect(await editor.save()).toBe('failed');
		expect([editor.failure.value?.status, editor.problems.value.size]).toEqual([status, 0]);
		expect(await editor.save()).toBe('saved');
	});

	test('keeps what is typed while a save is on its way', async () => {
		const { editor } = openEditor();
		editor.change({ name: 'a' });
		const saving = editor.save();
		editor.change({ name: 'ab' });
		await saving;
		expect([editor.base.value.content.name, editor.content.value.name, editor.base.value.version]).toEqual(['a', 'ab', 4]);
		expect(editor.isChanged.value).toBe(true);
	});

	test('puts everything back', () => {
		const { editor } = openEditor();
		editor.change({ kind: 'formula', formula: '1', name: 'x' });
		editor.discard();
		expect(editor.content.value).toEqual(stored);
	});
});
