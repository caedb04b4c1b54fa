import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

let target: Target;
let token: string;
const now = Date.parse('2026-11-21T10:00:00Z');
beforeAll(async () => {
	target = await openLocalTarget({ DEMO_PLANT: 'on' }, () => now);
	token = await signIn(target, 'a');
}, 120_000);
afterAll(() => target.close());

const post = async (path: string, body: object) => {
	const { status, text, body: answer } = await call(target, 'POST', path, { token, body });
	expect(status, text).toBe(200);
	return answer.data;
};

test('the demo tells quality, a night flow above pinned nights, a balance and a weir', async () => {
	const reports = (await call(target, 'GET', '/getReports', { token })).body.data;
	const { id } = reports.find(({ title }: { title: string }) => title === 'Quality and losses');
	const month = { from: '2026-10-01', to: '2026-10-31' };
	const entry = await post('/saveEntry', { id: 0, reportId: id, key: 'authorised', ...month, value: 50, reason: 'Flushing' });
	const read = async (start: string, end: string, period: string) => {
		const { lines } = await post('/readReport', { id, start, end, period });
		return Object.fromEntries(lines.map((line: { key: string }) => [line.key, line]));
	};
	const days = await read('2026-11-14', '2026-11-21', 'day');
	for (const value of days.within.values) expect(value).toBeGreaterThan(50);
	expect(days.longest.values).toHaveLength(7);
	// The last of the 28 nights was a week before.
	expect(days.night.reference).toMatchObject({ from: '2026-10-17', nights: 28, taken: 28 });
	for (const rise of days.night.rise.windows) expect(Math.abs(rise.value)).toBeLessThan(3 * days.night.reference.spread);
	expect(days.night.raised).toBeUndefined();
	// What is pumped is used or stored; the rest is how often meters report, and what they vary.
	for (const value of days.balance.values) expect(Math.abs(value)).toBeLessThan(0.02 * 5000);
	expect(days.authorised.values).toEqual(Array(7).fill(null));
	const october = await read('2026-10-01', '2026-11-01', 'month');
	expect(october.authorised).toMatchObject({ values: [50], entries: [entry.id] });
	const [balance] = october.balance.values;
	expect(october.losses).toMatchObject({ values: [balance - 50], mixed: true });
	// A head of 0.2 m over a crest of 0.5 m.
	expect(october.weir.values).toEqual([expect.closeTo(3600 * 1.84 * 0.5 * 0.2 ** 1.5, 6)]);
});
