import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { serveConsoleForEach } from '#test/support/serve-console.ts';

const [second, minute] = [1000, 60_000];

describe.skipIf(inject('chromium') === null)('what happens between the values of a past, in Chromium', () => {
	const { target, open } = serveConsoleForEach();

	// For each test: how long a state has lasted depends on when it was fed.
	beforeEach(async () => {
		const token = await signIn(target, 'b');
		const save = async (path: string, body: object) => {
			const { status, body: answer } = await call(target, 'POST', path, { token, body });
			expect([status, answer.errors]).toEqual([200, undefined]);
			return answer.data;
		};
		const variable = (name: string, unit: string) =>
			save('/saveVariable', makeBody({ name, unit, varsTsdb: { [name]: makeQuery({ calc_topic: name.toLowerCase() }) } }));
		const vibration = await variable('Vibration', 'mm/s');
		const toggling = await variable('Toggling', 'boolean');
		const steady = await variable('Steady', 'boolean');
		const pumps = [toggling, steady].map(({ id, name }, index) => ({
			id: index + 1,
			name: `${name} pump`,
			varId: id,
			type: 'pump',
		}));
		await save('/bombs', { title: 'Station', pumps, states: [] });
		const alarm = { name: 'Too much', varId: vibration.id, condition: '>', threshold: 5, severity: 'info', message: 'Look.' };
		await save('/saveAlarm', { id: 0, ...alarm });
		const now = Date.now();
		const lines: string[] = [];
		// Every minute ends with the same values, and so does the past: whatever the second, no limit is exceeded now.
		for (let at = Math.floor((now - 62 * minute) / minute) * minute; at <= now; at += 10 * second) {
			const step = (at % minute) / (10 * second);
			lines.push(`vibration value=${step === 5 || at > now - 10 * second ? 4 : step % 2 === 0 ? 2.5 : 5.5} ${at}`);
			lines.push(`toggling value=${step < 3 ? 0 : 1} ${at}`);
			lines.push(`steady value=${at < now - 30 * minute ? 0 : 1} ${at}`);
		}
		await target.feed('plant_b', lines.join('\n'));
	});

	test('a tile shows how far a value swung, and that a state was both', async () => {
		const { page, faults } = await open({ tenant: 'b' });
		const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}\\b`) });
		const band = tile('Vibration').locator('.sparkline .band');
		await band.waitFor();
		const heights = await Promise.all(
			[band, tile('Vibration').locator('.sparkline svg')].map(async (each) => (await each.boundingBox())?.height ?? 0),
		);
		expect((heights[0] ?? 0) / (heights[1] ?? 1)).toBeGreaterThan(0.9);
		await tile('Toggling').locator('.strip .mixed').first().waitFor();
		expect(await tile('Toggling').locator('.strip .on').count()).toBeLessThanOrEqual(1);
		expect(await tile('Steady').locator('.strip .mixed').count()).toBeLessThanOrEqual(1);
		await tile('Steady').locator('.strip .on').first().waitFor();
		expect(faults).toEqual([]);
	});

	test('a pump that changes within minutes has no time of a minute that it ran, and at least so many starts', async () => {
		const { page } = await open({ tenant: 'b', route: '/station' });
		const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
		await card('Toggling pump').locator('.strip .mixed').first().waitFor();
		await card('Toggling pump')
			.getByText(/^for (less than )?[12] min/)
			.waitFor();
		expect(await card('Toggling pump').locator('.timeline-foot').innerText()).toMatch(/^24 h\s*≥ (5\d|6\d) starts · ≥ /);
		await card('Steady pump')
			.getByText(/^for (29|30|31) min/)
			.waitFor();
		expect(await card('Steady pump').locator('.timeline-foot').innerText()).toMatch(/≥ 1 start ·/);
	});

	test('the hour of an alarm shows how far its value swung', async () => {
		const { page } = await open({ tenant: 'b', route: '/alarms' });
		await page
			.getByRole('grid')
			.getByRole('row', { name: /Too much/ })
			.click();
		await page.locator('.alarm-hour .band').waitFor();
		await page.getByText('Last hour: the condition held at times').waitFor();
	});
});
