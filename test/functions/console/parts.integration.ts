import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { violations } from '#test/support/console-page.ts';

const root = join(import.meta.dirname, '../../..');

describe.skipIf(inject('chromium') === null)('the parts of the console, in Chromium', () => {
	let browser: Browser;
	let html: string;
	let page: Page;
	beforeAll(async () => {
		const bundle = await build({
			entryPoints: [join(import.meta.dirname, 'page/parts/all-parts.tsx')],
			bundle: true,
			write: false,
			format: 'iife',
			jsx: 'automatic',
			jsxImportSource: 'preact',
		});
		const sheets = ['style.css', 'later.css'].map((name) => join(root, 'functions/console/page', name));
		const style = await build({ entryPoints: sheets, bundle: true, write: false, outdir: 'styles' });
		const code = bundle.outputFiles[0]?.text;
		const css = style.outputFiles.map(({ text }) => text).join('\n');
		html = `<!doctype html><html lang="en"><head><title>Parts</title><style>${css} .many { height: 300px }</style></head>
			<body><div id="console"></div><script>${code?.replaceAll('</script', '<\\/script')}</script></body></html>`;
		browser = await chromium.launch({ executablePath: inject('chromium') ?? '' });
		page = await browser.newPage({ reducedMotion: 'reduce' });
		// The parts need an address of their own: the console's are relative to it.
		await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: html }));
	});
	beforeEach(async () => {
		await page.goto('http://parts.test/');
	});
	afterAll(() => browser.close());

	const focused = () =>
		page.evaluate<string>(
			'document.activeElement.matches("body, input") ? document.activeElement.tagName : document.activeElement.textContent',
		);
	const field = () => page.getByRole('combobox').last();

	test('a combobox opens on its choice, filters while typing, moves by arrows and chooses by Enter', async () => {
		await field().focus();
		await page.keyboard.press('ArrowDown');
		expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^Plant status/);
		await field().fill('plant');
		expect(await page.getByRole('option').count()).toBe(3);
		await page.keyboard.press('ArrowDown');
		expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^Plant power/);
		expect(await field().getAttribute('aria-activedescendant')).toBe(
			await page.getByRole('option', { selected: true }).getAttribute('id'),
		);
		await page.keyboard.press('Enter');
		expect(await field().inputValue()).toBe('Plant power');
		expect(await page.getByRole('listbox').count()).toBe(0);
	});

	test('a combobox chooses by the pointer, and keeps its choice when it is left without one', async () => {
		await field().click();
		await page.getByRole('option', { name: /captación/ }).click();
		expect(await field().inputValue()).toBe('Caudal de captación');
		await field().fill('nothing like it');
		expect(await page.getByText('Nothing matches').count()).toBe(1);
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');
		expect(await field().inputValue()).toBe('Caudal de captación');
	});

	test('a combobox says how many options it does not show', async () => {
		await field().fill('');
		expect([await page.getByRole('option').count(), await page.getByText('13 more').count()]).toEqual([50, 1]);
	});

	test('a field names its input, and ties hint and error to it', async () => {
		expect(await field().getAttribute('aria-invalid')).toBe('true');
		const ids = (await field().getAttribute('aria-describedby'))?.split(' ') ?? [];
		const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
		expect(texts).toEqual(['Choose another one', 'Search by name']);
		await field().fill('power');
		await page.keyboard.press('Enter');
		expect([await field().getAttribute('aria-invalid'), await page.getByText('Choose another one').count()]).toEqual([null, 0]);
	});

	test('a dialog keeps the focus, closes by Esc after the list in it, and gives the focus back', async () => {
		await page.getByRole('button', { name: 'Open' }).click();
		const dialog = page.getByRole('dialog', { name: 'A question' });
		await dialog.waitFor();
		for (let press = 0; press < 8; press += 1) {
			await page.keyboard.press('Tab');
			expect(
				await page.evaluate('document.activeElement === document.body || document.activeElement.closest("dialog") !== null'),
			).toBe(true);
		}
		await dialog.getByRole('combobox').fill('level');
		await page.keyboard.press('Escape');
		expect([await dialog.isVisible(), await dialog.getByRole('option').count()]).toEqual([true, 0]);
		await page.keyboard.press('Escape');
		expect(await dialog.count()).toBe(0);
		expect(await focused()).toBe('Open');
	});

	test('a button that is inert looks the same under the pointer', async () => {
		const inert = page.getByRole('button', { name: 'Inert' });
		const ground = async () => {
			await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)');
			return inert.evaluate((button) => (globalThis as never as Styles).getComputedStyle(button).backgroundColor);
		};
		await page.mouse.move(0, 0);
		const before = await ground();
		await inert.hover({ force: true });
		expect(await ground()).toBe(before);
	});

	test('the rows of a table are one stop of Tab, and move and select by keys', async () => {
		const grid = page.getByRole('grid', { name: 'Rows' });
		expect(await grid.locator('tr[tabindex="0"]').allTextContents()).toEqual(['Row 3Act']);
		await grid.locator('tr[tabindex="0"]').focus();
		await page.keyboard.press('ArrowDown');
		expect(await focused()).toBe('Row 4Act');
		await page.keyboard.press('End');
		expect(await focused()).toBe('Row 29Act');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		expect(await grid.locator('[aria-selected="true"]').allTextContents()).toEqual(['Row 29Act']);
		expect(await grid.locator('tr[tabindex="0"]').count()).toBe(1);
	});

	test('a button in a row acts without selecting the row, and the rest of the row selects it', async () => {
		const row = page.getByRole('row', { name: 'Row 7' });
		await row.getByRole('button').click();
		expect(await page.locator('#said').textContent()).toBe('acted 7');
		expect(await row.getAttribute('aria-selected')).toBe('false');
		await row.getByRole('rowheader').click();
		expect(await row.getAttribute('aria-selected')).toBe('true');
	});

	test('the head of a column says how it sorts', async () => {
		const head = page.getByRole('columnheader', { name: 'Name' });
		expect(await head.getAttribute('aria-sort')).toBe('ascending');
		await head.getByRole('button').click();
		expect(await head.getAttribute('aria-sort')).toBe('descending');
	});

	test('a long list holds the rows in view, and the focus reaches every row', async () => {
		const list = page.getByRole('region', { name: 'Many' });
		const entry = (index: number) => list.getByRole('link', { name: `Entry ${index}`, exact: true });
		await entry(0).focus();
		expect(await list.getByRole('listitem').count()).toBeLessThan(60);
		await page.keyboard.press('End');
		await entry(4999).waitFor();
		expect(await focused()).toBe('Entry 4999');
		await entry(4998).waitFor();
		await page.keyboard.press('ArrowUp');
		expect(await focused()).toBe('Entry 4998');
		await page.keyboard.press('PageUp');
		await expect.poll(focused).toMatch(/^Entry 49[6-9]\d$/);
		expect(await list.getByRole('listitem').count()).toBeLessThan(60);
	});

	test('a row that has the focus keeps it while it is scrolled away', async () => {
		const list = page.getByRole('region', { name: 'Many' });
		await list.getByRole('link', { name: 'Entry 2', exact: true }).focus();
		await page.evaluate('document.querySelector(".many").scrollTop = 60000');
		await list.getByRole('link', { name: 'Entry 2001', exact: true }).waitFor();
		expect(await focused()).toBe('Entry 2');
	});

	test('arrows move a segmented choice', async () => {
		await page.getByRole('radio', { name: '1 h' }).focus();
		await page.keyboard.press('ArrowRight');
		expect(await page.getByRole('radio', { name: '6 h' }).isChecked()).toBe(true);
	});

	test('the band of a lost connection takes the focus only when nothing has it', async () => {
		await page.getByRole('textbox', { name: 'Key' }).focus();
		await page.locator('#lose').dispatchEvent('click');
		await page.getByText('No connection since').waitFor();
		expect(await focused()).toBe('INPUT');
		await page.setContent(html);
		await page.locator('#lose').click();
		expect(await focused()).toBe('Try now');
	});

	test('a missing value is two dashes, and never a zero', async () => {
		expect(await page.locator('.value.none').textContent()).toBe('– –bar');
	});

	test('a current value is bold, and everything is hatched and regular when the connection is lost', async () => {
		const look = () =>
			page.evaluate<readonly [string, string]>(
				'[getComputedStyle(document.querySelector("#tile b")).fontWeight, getComputedStyle(document.querySelector("#tile")).backgroundImage.slice(0, 9)]',
			);
		expect(await look()).toEqual(['600', 'none']);
		await page.evaluate('document.body.classList.add("lost")');
		expect(await look()).toEqual(['400', 'repeating']);
	});

	test.each(['light', 'dark'] as const)('break no rule of axe-core, in the %s theme', async (colorScheme) => {
		await page.emulateMedia({ colorScheme });
		await field().click();
		expect(await violations(page)).toEqual([]);
	});

	test.each([
		{ colorScheme: 'light', theme: '', ink: 'rgb(22, 27, 32)' },
		{ colorScheme: 'dark', theme: '', ink: 'rgb(238, 241, 243)' },
		{ colorScheme: 'dark', theme: 'light', ink: 'rgb(22, 27, 32)' },
		{ colorScheme: 'light', theme: 'dark', ink: 'rgb(238, 241, 243)' },
	] as const)('are in the theme of the person ($theme), or of the system ($colorScheme)', async ({ colorScheme, theme, ink }) => {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
		expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe(ink);
	});
});

/** The part of the page's types that these tests need. */
interface Styles {
	getComputedStyle(element: unknown): { readonly backgroundColor: string };
}
