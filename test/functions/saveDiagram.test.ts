import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { leaveBackground } from '#test/support/builders/damage.ts';
import { type LocalTarget, openLocalTarget } from '#test/support/servers/local.ts';
import { readVectors } from '#test/support/vectors.ts';

/** What an earlier release may have accepted, each for another reason. */
const refused = readVectors<{ readonly svg: string; readonly code: string | null }>('backgrounds').filter(
	({ svg, code }) => code !== null && svg !== '',
);
const harmless = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0L9 9"/></svg>';

describe('a diagram whose stored background is refused now', () => {
	let target: LocalTarget;
	let token: string;
	beforeAll(async () => {
		target = await openLocalTarget();
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	const save = async (body: object, headers = {}) => {
		const { status, body: answer } = await call(target, 'POST', '/saveDiagram', { token, body, headers });
		return { status, data: answer.data, faults: answer.data === undefined ? Object.keys(answer).sort() : [] };
	};
	const find = async (id: number) => (await call(target, 'GET', `/getDiagrams?ids=${id}`, { token })).body.data[0];
	const shape = { kind: 'text', label: 'Intake', x: 0.5, y: 0.5 };
	const store = async (background: string): Promise<number> => {
		const { id } = (await save({ id: 0, title: 'D', items: [], shapes: [shape] })).data;
		await leaveBackground(target.store, 'plant_a', id, background);
		return id;
	};

	test('is changed by a client that sends all of it back, and by one that leaves the background out', async () => {
		expect(refused.length).toBeGreaterThan(50);
		for (const { svg } of refused) {
			const id = await store(svg);
			const { version: _, ...read } = await find(id);
			const moved = await save({ ...read, shapes: [{ ...shape, x: 0.25 }] });
			expect([moved.status, moved.data], svg).toEqual([200, { ...read, shapes: [{ ...shape, x: 0.25 }], version: 2 }]);
			const { background: __, ...rest } = read;
			expect((await save({ ...rest, title: 'E' })).data).toMatchObject({ version: 3, background: svg });
			expect((await find(id)).background).toBe(svg);
		}
	});

	test('takes no other background that is refused, and none of another diagram', async () => {
		const [{ svg: first }, { svg: second }] = [refused[0] ?? expect.unreachable(), refused[1] ?? expect.unreachable()];
		const id = await store(first);
		const { version: _, ...read } = await find(id);
		for (const background of [second, `${first} `, ` ${first}`])
			expect(await save({ ...read, background })).toMatchObject({ status: 400, faults: ['background'] });
		expect(await save({ ...read, id: 0 })).toMatchObject({ status: 400, faults: ['background'] });
		expect(await save({ ...read, id: await store(second) })).toMatchObject({ status: 400, faults: ['background'] });
		expect(await save({ ...read, id: 987_654 })).toMatchObject({ status: 400, faults: ['background'] });
		expect(await save({ ...read, id: 'x', ratio: 9 })).toMatchObject({ status: 400, faults: ['background', 'id', 'ratio'] });
		expect(await save({ ...read, ratio: 9 })).toMatchObject({ status: 400, faults: ['ratio'] });
		expect(await find(id)).toEqual({ ...read, version: 1 });
	});

	test('is no longer an exception once its background was replaced or removed', async () => {
		for (const background of [harmless, null]) {
			const id = await store(refused[0]?.svg ?? expect.unreachable());
			const { version: _, ...read } = await find(id);
			expect((await save({ ...read, background })).status).toBe(200);
			expect(await save(read)).toMatchObject({ status: 400, faults: ['background'] });
		}
	});

	test('is saved by If-Match of its version only', async () => {
		const id = await store(refused[0]?.svg ?? expect.unreachable());
		const { version, ...read } = await find(id);
		expect((await save({ ...read, title: 'F' }, { 'if-match': `"${version + 1}"` })).status).toBe(412);
		expect((await save({ ...read, title: 'F' }, { 'if-match': `"${version}"` })).status).toBe(200);
	});
});
