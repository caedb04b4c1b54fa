import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { saveAsEarlier } from '#test/support/builders/damage.ts';
import { type LocalTarget, openLocalTarget } from '#test/support/servers/local.ts';

const background = (length: number) => `<svg xmlns="http://www.w3.org/2000/svg"><desc>${'x'.repeat(length)}</desc></svg>`;

describe('GET /change of an item with a large field', () => {
	let target: LocalTarget;
	let token: string;
	beforeAll(async () => {
		target = await openLocalTarget();
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	const save = async (body: object): Promise<number> =>
		(await call(target, 'POST', '/saveDiagram', { token, body: { items: [], ...body } })).body.data.id;
	const change = async (id: number, rowVersion: number) =>
		(await call(target, 'GET', `/change?kind=diagram&itemId=${id}&rowVersion=${rowVersion}`, { token })).body.data;

	test('has the field before and after, and names none that is not known', async () => {
		const id = await save({ id: 0, title: 'A', background: background(5000) });
		await save({ id, title: 'B' });
		await save({ id, title: 'C' });
		for (const rowVersion of [2, 3]) {
			const { before, after } = await change(id, rowVersion);
			expect([before.content.background, after.content.background]).toEqual([background(5000), background(5000)]);
			expect([...Object.keys(before), ...Object.keys(after)]).not.toContain('unknownFields');
		}
	});

	test('names the field that is not known, because an earlier release saved next', async () => {
		const id = await save({ id: 0, title: 'A', background: background(5000) });
		await save({ id, title: 'B' });
		await saveAsEarlier(target.store, 'plant_a', id, { background: background(6000) });
		const { before, ...entry } = await change(id, 2);
		expect(before).toEqual({ version: 1, content: { id, title: 'A', items: [] }, unknownFields: ['background'] });
		expect(entry).not.toHaveProperty('after');
		await save({ id, title: 'C' });
		expect((await change(id, 2)).before.unknownFields).toEqual(['background']);
		expect((await change(id, 4)).before).toMatchObject({ version: 3, content: { background: background(6000) } });
	});

	test('has a field in each entry that is a little too small to be left out', async () => {
		const id = await save({ id: 0, title: 'A', background: background(4000) });
		await save({ id, title: 'B' });
		await saveAsEarlier(target.store, 'plant_a', id, { background: background(6000) });
		const { before } = await change(id, 2);
		expect([before.content.background, before.unknownFields]).toEqual([background(4000), undefined]);
	});
});
