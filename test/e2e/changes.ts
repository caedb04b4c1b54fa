import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makePanel } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type AlarmTarget, apiGateway, type CallOptions, call, callUntilFree, signIn, signInAs, tenants } from './target.ts';

/** An entry of the journal as the endpoint returns it. */
interface Entry {
	readonly kind: string;
	readonly itemId: number | string;
	readonly rowVersion: number;
	readonly action: string;
	readonly version: number;
	readonly replaced: number | null;
	readonly fields: readonly string[];
}

/** Who changed what, and how it comes back (shared/domain/changes/README.md). */
export const changesSuite = (target: () => AlarmTarget, { maxConcurrency } = apiGateway): void => {
	describe('the journal of changes', () => {
		let token: string;
		beforeAll(async () => {
			token = await signIn(target(), 'a');
		});
		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { token, ...options });
		const post = async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
			request('POST', path, { body: body ?? {}, headers });
		/** The entries of an item, newest first. The listing may lack the last second or so. */
		const changesOf = async (kind: string, id: number, count: number): Promise<readonly Entry[]> => {
			for (let attempt = 0; ; attempt += 1) {
				const { body } = await request('GET', `/changes?kind=${kind}&itemId=${id}`);
				if (body.data.length >= count || attempt === 20) return body.data;
				await new Promise((resolve) => setTimeout(resolve, 250));
			}
		};
		const read = async ({ kind, itemId, rowVersion }: Pick<Entry, 'kind' | 'itemId' | 'rowVersion'>) =>
			request('GET', `/change?kind=${kind}&itemId=${itemId}&rowVersion=${rowVersion}`);

		test('tells who changed a variable, what it was before and after, and brings it back', async () => {
			const { body: created } = await post('/saveVariable', makeBody());
			const { id, version: _, ...content } = created.data;
			await post('/saveVariable', { ...content, id, unit: 'bar' }, { 'x-caudal-client': 'console' });
			const same = await post('/saveVariable', { ...content, id, unit: 'bar' });
			expect([same.body.data.version, same.headers.get('etag')]).toEqual([2, '"2"']);
			expect((await post(`/deleteVar/${id}`)).body.data).toEqual({ tsdbVar: true });
			const entries = await changesOf('variable', id, 3);
			const [schema, email] = [tenants.a.schemaName, tenants.a.email];
			expect(entries.map(({ action, version, replaced, fields }) => [action, version, replaced, fields])).toEqual([
				['deleted', 3, 2, []],
				['changed', 2, 1, ['unit']],
				['created', 1, null, []],
			]);
			const [deletion, change, creation] = entries;
			expect(change).toMatchObject({ actor: { kind: 'person', id: email, name: email }, via: 'console', name: content.name });
			expect(JSON.stringify(entries)).not.toContain(schema);
			if (deletion === undefined || change === undefined || creation === undefined) throw new Error('entries are missing');
			const whole = (await read(change)).body.data;
			expect([whole.before, whole.after]).toEqual([
				{ version: 1, content: { ...content, id } },
				{ version: 2, content: { ...content, id, unit: 'bar' } },
			]);
			expect((await read(creation)).body.data).toMatchObject({ before: null, after: { version: 1 } });
			expect((await read(deletion)).body.data).toMatchObject({ before: { version: 2 }, after: null });

			const restored = await post('/restore', { kind: 'variable', itemId: id, rowVersion: deletion.rowVersion });
			expect([restored.status, restored.body.data]).toEqual([200, { ...content, id, unit: 'bar', version: 4 }]);
			for (const version of [1, 2, 3]) {
				const stale = await post('/saveVariable', { ...content, id }, { 'if-match': `"${version}"` });
				expect(stale.status).toBe(412);
			}
			const again = await post('/restore', { kind: 'variable', itemId: id, rowVersion: deletion.rowVersion });
			expect([again.status, again.body.rowVersion.code]).toEqual([409, 'not_deleted']);
			expect((await changesOf('variable', id, 4))[0]).toMatchObject({ action: 'restored', version: 4, replaced: null });
		});

		test('tells of the charts that lose a deleted variable, and restores a chart with its references', async () => {
			const { body: saved } = await post('/saveVariable', makeBody());
			const varId = saved.data.id;
			const { body: chart } = await post('/saveChart', { id: 0, title: 'Two', series: [{ varId }] });
			const { id } = chart.data;
			await post(`/deleteChart/${id}`);
			const [deletion] = await changesOf('chart', id, 2);
			const restored = await post('/restore', { kind: 'chart', itemId: id, rowVersion: deletion?.rowVersion });
			expect([restored.status, restored.body.data]).toMatchObject([200, { id, title: 'Two', series: [{ varId }], version: 3 }]);
			expect((await request('GET', `/usages/${varId}`)).body.data).toEqual([{ kind: 'chart', id, name: 'Two' }]);
			await post(`/deleteVar/${varId}`);
			const [lost] = await changesOf('chart', id, 4);
			expect(lost).toMatchObject({ action: 'changed', fields: ['series'], cause: { kind: 'variable', itemId: varId } });
			await post(`/deleteChart/${id}`);
			const dropped = (await changesOf('chart', id, 5))[0];
			expect((await post('/restore', { kind: 'chart', itemId: id, rowVersion: dropped?.rowVersion })).body.data.series).toEqual(
				[],
			);
		});

		test(`has one entry for each of ${maxConcurrency} parallel saves of one variable, one chart and the panel, without a gap`, async () => {
			const { id, version: _, ...content } = (await post('/saveVariable', makeBody())).body.data;
			const chart = (await post('/saveChart', { id: 0, title: 'Chart 0', series: [{ varId: id }] })).body.data;
			const numbers = Array.from({ length: maxConcurrency }, (_, index) => index + 1);
			const third = Math.ceil(maxConcurrency / 3);
			const before = (await post('/bombs', makePanel(id, { title: 'Panel 0' }))).body.data.version;
			const save = (path: string, body: unknown) => callUntilFree(() => post(path, body));
			const answers = await Promise.all(
				numbers.map((number) => {
					if (number <= third) return save('/saveVariable', { ...content, id, unit: `unit ${number}` });
					if (number <= 2 * third) return save('/saveChart', { ...chart, title: `Chart ${number}` });
					return save('/bombs', makePanel(id, { title: `Panel ${number}` }));
				}),
			);
			expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
			for (const [kind, itemId, from, count] of [
				['variable', id, 1, third],
				['chart', chart.id, 1, third],
				['panel', 0, before, maxConcurrency - 2 * third],
			] as const) {
				const entries = (await changesOf(kind, itemId, from + count)).slice(0, count).reverse();
				const chain = Array.from({ length: count }, (_, index) => [from + index + 1, from + index]);
				expect(entries.map(({ version, replaced }) => [version, replaced])).toEqual(chain);
			}
		});

		test('pages, and names every wrong field', async () => {
			const { body: first } = await request('GET', '/changes?limit=2');
			expect([first.data.length, typeof first.next]).toEqual([2, 'string']);
			const { body: second } = await request('GET', `/changes?limit=2&after=${first.next}`);
			expect(second.data).toHaveLength(2);
			expect(JSON.stringify(second.data)).not.toBe(JSON.stringify(first.data));
			for (const [query, fields] of [
				['kind=pump&limit=0&start=never', ['kind', 'limit', 'start']],
				['itemId=7', ['kind']],
				['kind=chart&itemId=seven', ['itemId']],
				[`after=${first.next}&kind=chart`, ['after']],
			] as const) {
				const { status, body } = await request('GET', `/changes?${query}`);
				expect([status, Object.keys(body).sort()]).toEqual([400, [...fields].sort()]);
			}
			const { status, body } = await request('GET', '/change?kind=chart&itemId=1&rowVersion=9999');
			expect([status, body.rowVersion.code]).toEqual([404, 'no_such_change']);
		});

		test('shows nothing of another tenant, and nothing of people to others than administrators', async () => {
			const { body: saved } = await post('/saveVariable', makeBody());
			const { id } = saved.data;
			const [entry] = await changesOf('variable', id, 1);
			const other = await signIn(target(), 'b');
			const seen = await request('GET', `/changes?kind=variable&itemId=${id}`, { token: other });
			expect(seen.body.data.filter(({ actor }: { actor: { id: string } }) => actor.id === tenants.a.email)).toEqual([]);
			expect(
				(await request('GET', `/change?kind=variable&itemId=${id}&rowVersion=${entry?.rowVersion}`, { token: other })).status,
			).toBe(404);
			await target().people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
			const shift = (await signInAs(target(), 'shift')).token;
			const { status, body } = await request('GET', '/change?kind=person&itemId=x&rowVersion=1', { token: shift });
			expect([status, body.request?.code]).toEqual([403, 'role_too_low']);
		});
	});
};
