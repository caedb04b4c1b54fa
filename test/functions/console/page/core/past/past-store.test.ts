import { describe, expect, test, vi } from 'vitest';

const asked: number[][] = [];
let isFailing = false;
/** What happens while the service answers. */
let meanwhile = (): void => undefined;
// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('fetch', async (request: Request) => {
	const { ids }: { readonly ids: number[] } = await request.json();
	asked.push(ids);
	meanwhile();
	if (isFailing) return new Response(JSON.stringify({ message: 'Service Unavailable' }), { status: 503 });
	const variables = ids.map((id) => ({ id, values: { own: [id] } }));
	return Response.json({ data: { bounds: [0, 1], variables } });
});
const { createPastStore } = await import('#page/core/past/past-store.ts');
const { polling } = await import('#page/core/poll.ts');
const { adoptSession, leaveSession } = await import('#page/core/session.ts');
// The page's client has taken both. Other files share the process.
vi.unstubAllGlobals();

const minute = 60_000;

/** Pasts that are renewed after `renewMs`, and the ids of the requests since. */
const openStore = (renewMs: number) => {
	asked.length = 0;
	isFailing = false;
	meanwhile = () => undefined;
	const pasts = createPastStore({
		spanMs: 24 * 60 * minute,
		points: 10,
		aggregates: ['own'],
		renewMs,
		pastOf: ({ values }) => values.own?.[0] ?? null,
	});
	return { pasts, asked };
};

describe('the pasts of variables', () => {
	test('are kept until they are due', async () => {
		const { pasts } = openStore(15 * minute);
		await pasts.refresh([4, 5], 0);
		expect([pasts.of(4).value, pasts.of(5).value]).toEqual([4, 5]);
		await pasts.refresh([4, 5], 15 * minute - 1);
		expect(asked).toEqual([[4, 5]]);
		await pasts.refresh([4, 5, 6], 15 * minute);
		expect(asked).toEqual([
			[4, 5],
			[4, 5, 6],
		]);
	});

	test('that were asked for by a clock that was ahead are read again once an answer has corrected it', async () => {
		const { pasts } = openStore(15 * minute);
		await pasts.refresh([4], 60 * minute);
		await pasts.refresh([4], minute);
		await pasts.refresh([4], 2 * minute);
		expect(asked).toEqual([[4], [4]]);
	});

	test('that failed are read again with the poll that follows, and not before', async () => {
		const { pasts } = openStore(15 * minute);
		polling.value = { ...polling.value, succeededAt: 1000 };
		isFailing = true;
		await pasts.refresh([4], 1000);
		expect([pasts.of(4).value, pasts.hasFailed(4)]).toEqual([undefined, true]);
		isFailing = false;
		await pasts.refresh([4], 30_999);
		expect(asked).toHaveLength(1);
		polling.value = { ...polling.value, succeededAt: 31_000 };
		await pasts.refresh([4], 31_000);
		expect([asked.length, pasts.of(4).value, pasts.hasFailed(4)]).toEqual([2, 4, false]);
	});

	test('of a tenant are not read any more, and not kept, once its session has ended', async () => {
		const { pasts } = openStore(15 * minute);
		vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined });
		adoptSession({ token: 'token', email: 'operator@plant-a.example', schema: 'plant_a', database: 'plant_a', role: 'viewer' });
		meanwhile = leaveSession;
		const ids = Array.from({ length: 60 }, (_, index) => index);
		await pasts.refresh(ids, 0);
		vi.unstubAllGlobals();
		expect(asked).toEqual([ids.slice(0, 50)]);
		expect(pasts.of(4).value).toBeUndefined();
	});
});
