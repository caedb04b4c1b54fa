import { describe, expect, inject, test } from 'vitest';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('what hinders a person, in Chromium', () => {
	const { open } = serveConsole({ DEMO_PLANT: 'on' });

	test('is a number that is wrong, rather than a field to fill in, before an alarm is tried', async () => {
		const { page } = await open({ route: '/alarms/new' });
		const hint = page.locator('.backtest [role=status]');
		await hint.getByText('Fill in the fields first.').waitFor();
		await page.getByLabel('Threshold').fill('4.5x');
		await hint.getByText('1 field is wrong.').waitFor();
		await page.getByLabel('Threshold').fill('');
		await hint.getByText('Fill in the fields first.').waitFor();
		await page.getByLabel('Threshold').fill('4.5');
		await page.getByLabel(/^Deadband/).fill('1..2');
		await hint.getByText('1 field is wrong.').waitFor();
	});

	test('is a formula in a formula, and the page says so', async () => {
		const { page } = await open({ route: '/variables/new' });
		await page.getByRole('radio', { name: 'Formula' }).check();
		await page.getByRole('textbox', { name: 'Formula' }).fill('{Specific energy} + {No such}');
		const faults = page.locator('#formula-faults li');
		await expect.poll(() => faults.count()).toBe(2);
		expect((await faults.allInnerTexts()).join()).toMatch(
			/\{Specific energy\} is a formula, which no other formula may use: use its inputs\..*there is no input \{No such\}\./s,
		);
	});

	test.each([true, false])('is a tank without a scale, which says why no level is drawn: %s', async (hasScale) => {
		const { page, goTo } = await open({ route: '/access' });
		await page.route('**/getDiagrams*', async (route) => {
			const response = await route.fetch();
			const json = JSON.parse(await response.text(), (key, value) => (key === 'scale' && !hasScale ? undefined : value));
			await route.fulfill({ response, json });
		});
		await goTo('/diagram');
		await page.locator('main .d-tank .value').first().waitFor();
		const words = page.locator('.d-tank').getByText('no level drawn');
		expect((await words.count()) > 0).toBe(!hasScale);
		if (!hasScale) expect(await words.first().getAttribute('title')).toContain('empty and full are missing');
	});
});

describe.skipIf(inject('chromium') === null)('the console in unusual windows, in Chromium', () => {
	const { open } = serveConsole({ DEMO_PLANT: 'on' });

	test.each([
		[740, 340],
		[740, 481],
	])('leaves room for values on a phone of %i by %i px', async (width, height) => {
		const { page } = await open({ route: '/overview', size: { width, height } });
		await page.locator('.tile .value b').first().waitFor();
		await page.evaluate('scrollTo(0, 400)');
		/** What stays in view over the values: the heights of the bars that touch the upper or the lower edge. */
		const bars = () =>
			page.evaluate<number>(
				`[...document.querySelectorAll('.topbar, .tabs, .alarm-line')].map((bar) => bar.getBoundingClientRect()).filter(({ top, bottom }) => bottom > 0 && top < innerHeight).reduce((sum, { height }) => sum + height, 0)`,
			);
		if (height <= 480) expect(await bars()).toBeLessThanOrEqual(44);
		else expect(await bars()).toBeGreaterThan(90);
		expect(await page.evaluate("document.querySelector('.tabs > *').getBoundingClientRect().height")).toBeGreaterThanOrEqual(36);
	});

	test('shows the arrows of choices in forced colours', async () => {
		const { page } = await open({ route: '/alarms' });
		await page.locator('select.input').first().waitFor();
		const arrow = () =>
			page.evaluate<string>(
				"(({ appearance, backgroundImage }) => appearance + ' ' + backgroundImage.slice(0, 6))(getComputedStyle(document.querySelector('select.input')))",
			);
		expect(await arrow()).toBe('none linear');
		await page.emulateMedia({ forcedColors: 'active' });
		expect(await arrow()).toBe('auto none');
	});

	test('keeps headings with what follows them on paper', async () => {
		const { page, goTo } = await open({ route: '/alarms' });
		await page.emulateMedia({ media: 'print' });
		for (const [route, heading] of [
			['/alarms', 'Journal'],
			['/trend?ids=13,19&range=1h', 'Table'],
		] as const) {
			await goTo(route);
			const head = page.getByRole('heading', { name: heading });
			await head.waitFor();
			const avoids =
				"[...document.querySelectorAll('h2')].filter((head) => head.textContent === NAME).map((head) => getComputedStyle(head.parentElement).breakAfter)";
			expect(await page.evaluate(avoids.replace('NAME', JSON.stringify(heading)))).toEqual(['avoid']);
		}
	});

	test('has the heads of the trend table above their numbers', async () => {
		const { page } = await open({ route: '/trend?ids=13,19&range=1h', size: { width: 768, height: 900 } });
		await page.locator('.trend-table td').first().waitFor();
		const edges = await page.evaluate<number[][]>(`{
			const right = (node) => { if (node.querySelector('.cut') !== null) return node.getBoundingClientRect().right; const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect().right; };
			const cells = document.querySelector('.trend-table tbody tr[tabindex]').querySelectorAll('td');
			[...document.querySelectorAll('.trend-table thead th.end')].map((head, index) => [...head.children, cells[index]].map(right));
		}`);
		expect(edges.length).toBe(2);
		for (const of of edges) expect(Math.max(...of) - Math.min(...of)).toBeLessThan(1.5);
	});
});
