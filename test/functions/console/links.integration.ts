import { beforeAll, describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const dayMs = 86_400_000;

/** Items that are saved, deleted and then opened by their old address. */
const items = {
	alarm: {
		...{ save: '/saveAlarm', remove: '/deleteAlarm', name: 'Old alarm', addresses: ['/alarms/ID', '/alarms/ID-edit'] },
		body: { name: 'Old alarm', varId: 4, condition: '>', threshold: 1, severity: 'info', message: 'Look.' },
	},
	chart: {
		...{ save: '/saveChart', remove: '/deleteChart', name: 'Old chart', addresses: ['/trend?chart=ID'] },
		body: { title: 'Old chart', series: [{ varId: 4 }] },
	},
	diagram: {
		...{ save: '/saveDiagram', remove: '/deleteDiagram', name: 'Old diagram', addresses: ['/diagram/ID'] },
		body: { title: 'Old diagram', items: [{ varId: 4, x: 0.5, y: 0.5 }] },
	},
	report: {
		...{ save: '/saveReport', remove: '/deleteReport', name: 'Old report', addresses: ['/report/ID', '/report/ID?view=day'] },
		body: { title: 'Old report', lines: [{ key: 'in', name: 'In', unit: 'm³/h', varId: 13, function: 'mean' }] },
	},
	variable: {
		...{ save: '/saveVariable', remove: '/deleteVar', name: 'Old variable', addresses: ['/variables/ID'] },
		body: {
			...{ name: 'Old variable', unit: 'm', type: 'last', process: 'intake', calc: false },
			varsTsdb: {
				'Old variable': {
					...{ calc_topic: 'a', calc_field: 'b', calc_time: 1, calc_unit: 'h', calc_period: 1 },
					...{ calc_unit_period: 'm', calc_type_period: 'last' },
				},
			},
		},
	},
} as const;

describe.skipIf(inject('chromium') === null)('addresses that cannot be shown, in Chromium', () => {
	const { open, target } = serveConsole({ DEMO_PLANT: 'on' });
	const ids = new Map<string, number>();
	beforeAll(async () => {
		const token = await signIn(target, 'a');
		for (const [kind, { save, remove, body }] of Object.entries(items)) {
			const saved = await call(target, 'POST', save, { token, body: { id: 0, ...body } });
			expect(saved.status, saved.text).toBe(200);
			ids.set(kind, saved.body.data.id);
			expect((await call(target, 'POST', `${remove}/${saved.body.data.id}`, { token })).status).toBe(200);
		}
	});

	test.each(Object.entries(items))(
		'a deleted %s is called deleted, and leads to its changes',
		async (kind, { name, addresses }) => {
			for (const address of addresses) {
				const { page, expectAccessible } = await open({
					route: address.replace('ID', String(ids.get(kind))),
					size: { width: 320, height: 640 },
				});
				await page
					.getByRole('status')
					.filter({ hasText: `The ${kind} in the address is deleted.` })
					.waitFor();
				await expectAccessible();
				await page.locator('main').getByRole('link', { name: 'Changes' }).click();
				await page
					.locator('main tbody tr', { hasText: /deleted/ })
					.filter({ hasText: name })
					.waitFor();
			}
		},
	);

	test.each(['/diagram/abc', '/variables/abc'])('%s, which names no item, leads to no changes', async (route) => {
		const { page } = await open({ route });
		await page.getByRole('status').filter({ hasText: 'in the address is deleted.' }).waitFor();
		expect(await page.locator('main').getByRole('link', { name: 'Changes' }).count()).toBe(0);
	});

	test.each([
		['view=month', false],
		['view=month&date=2026-02-28', false],
		['view=month&date=2026-02-30', true],
		['date=yesterday', true],
		['date=', true],
		['view=decade', true],
		['view=year&compare=weekday', true],
	])('a report with %s says whether it shows something else: %s', async (query, isOther) => {
		const { page } = await open({ route: `/report/46?${query}` });
		const title = page.locator('.report-period h2');
		await title.waitFor();
		const banner = page.getByText('in the address does not exist. Shown instead: ');
		await expect.poll(() => banner.count()).toBe(isOther ? 1 : 0);
		if (!isOther) return;
		expect(await banner.innerText()).toContain(`${await title.innerText()}.`);
		await page.getByRole('radio', { name: 'Week' }).check();
		await banner.waitFor({ state: 'detached' });
	});

	test.each([
		['days=31&kind=alarm&act=deleted', null],
		['days=&kind=&act=', null],
		['days=30', '7 d.'],
		['kind=pump&act=deleted', 'every kind.'],
		['days=x&kind=pump&act=eaten', '7 d, every kind, every act.'],
	])('changes with %s say what they show instead: %s', async (query, shown) => {
		const { page } = await open({ route: `/changes?${query}` });
		await page.getByRole('button', { name: 'CSV' }).waitFor();
		const banner = page.getByText('A filter in the address does not exist. Shown instead: ');
		await expect
			.poll(() => banner.allInnerTexts())
			.toEqual(shown === null ? [] : [`A filter in the address does not exist. Shown instead: ${shown}`]);
	});

	test('the dialog of a range names a start that is not past, and shows the range when it is right', async () => {
		const { page } = await open({ route: '/trend?ids=13&range=1h' });
		await page.locator('.legend .name').first().waitFor();
		await page.getByRole('button', { name: 'Choose…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Choose a range' });
		const type = async (from: string, to: string) => {
			await dialog.getByLabel('From').fill(from);
			await dialog.getByLabel('To', { exact: true }).fill(to);
			await page.keyboard.press('Enter');
		};
		await type('2099-01-01T00:00', '2099-01-02T00:00');
		await dialog.getByText('The start must be before now, and 1 Jan 2099 00:00 is not.').waitFor();
		await type('2026-01-02T00:00', '2026-01-01T00:00');
		await dialog.getByText('The end must be after the start.').waitFor();
		await type('', '2026-01-01T00:00');
		await dialog.getByText('Type a day and a time.').waitFor();
		await type('2009-01-01T00:00', '2026-01-01T00:00');
		await dialog.getByText('A range is at most 10 years long.').waitFor();
		await type('2026-01-01T00:00', '2026-01-03T00:00');
		await dialog.waitFor({ state: 'detached' });
		const { searchParams } = new URL((await page.evaluate<string>('location.hash')).slice(1), 'http://localhost');
		expect(Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')).toBe(2 * dayMs);
	});
});
