import { describe, expect, test } from 'vitest';
import type { Failure } from '#page/core/api.ts';
import { type CreateItem, createRun, type SaveItem } from '#page/screens/variable-editor/add/create-run.ts';
import { emptyDraft, variableBodyOf } from '#page/screens/variable-editor/draft.ts';

const items = ['a', 'b', 'c'].map(
	(name): CreateItem => ({ key: name, name, topic: name, field: 'value', body: variableBodyOf({ ...emptyDraft, name }) }),
);
const failureOf = (status: number): Failure => ({
	kind: status === 0 ? 'unreachable' : 'refused',
	status,
	errors: {},
	retryAfterMs: null,
});

/** A service that stores each key once, and answers the calls by their number with the statuses given; a status below 0 stores and loses the answer. */
function openService(statuses: Readonly<Record<number, number>>) {
	const calls: { readonly name: string; readonly key: string }[] = [];
	const stored = new Map<string, string>();
	const save: SaveItem = async (body, header) => {
		const status = statuses[calls.length] ?? 200;
		calls.push({ name: body.name, key: header['Idempotency-Key'] });
		if (status <= 200) stored.set(header['Idempotency-Key'], body.name);
		if (status !== 200) return { ok: false, failure: failureOf(Math.max(0, status)) };
		const id = [...stored.keys()].indexOf(header['Idempotency-Key']) + 1;
		const { name, unit, process, varsTsdb } = body;
		const data = { id, name, unit, process, varsTsdb, type: 'last', calc: false, binary_compressed: false, version: 1 } as const;
		return { ok: true, data: { ...data, varsTsdb: {} }, etag: null };
	};
	return { save, calls, stored };
}

const kindsOf = (run: ReturnType<typeof createRun>) => items.map(({ key }) => run.states.value.get(key)?.kind);

describe('creating one by one', () => {
	test('has a key for each, and does nothing again that was created', async () => {
		const { save, calls, stored } = openService({});
		const run = createRun(items, save);
		await run.start();
		await run.start();
		await run.retry(['a', 'b']);
		expect(calls.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
		expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
		expect([kindsOf(run), stored.size, run.isRunning.value]).toEqual([['created', 'created', 'created'], 3, false]);
	});

	test.each([
		[-1, 'unknown'],
		[503, 'unknown'],
		[429, 'refused'],
		[400, 'refused'],
	])('goes on after an answer of %s, which is %s, and tries again without a double', async (status, kind) => {
		const { save, calls, stored } = openService({ 1: status });
		const run = createRun(items, save);
		await run.start();
		expect(kindsOf(run)).toEqual(['created', kind, 'created']);
		await run.retry(['b']);
		expect(kindsOf(run)).toEqual(['created', 'created', 'created']);
		const [first, second] = calls.filter(({ name }) => name === 'b');
		// A refusal is final, so the next try is another act.
		expect(first?.key === second?.key).toBe(status !== 400);
		expect([...stored.values()].toSorted()).toEqual(['a', 'b', 'c']);
	});

	test('ends where the session has ended, and goes on later', async () => {
		const { save, calls } = openService({ 1: 401 });
		const run = createRun(items, save);
		await run.start();
		expect([kindsOf(run), calls.length]).toEqual([['created', 'waits', 'waits'], 2]);
		await run.start();
		expect(kindsOf(run)).toEqual(['created', 'created', 'created']);
	});

	test('stops after the one that is being created', async () => {
		const { save, calls } = openService({});
		const run = createRun(items, async (body, header) => {
			run.stop();
			return save(body, header);
		});
		await run.start();
		expect([kindsOf(run), calls.length]).toEqual([['created', 'waits', 'waits'], 1]);
	});
});
