import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const folder = fileURLToPath(new URL('../../../../shared/field/svg/', import.meta.url));
const field: readonly (readonly [name: string, bytes: Buffer])[] = existsSync(folder)
	? readdirSync(folder).map((name) => [name, readFileSync(`${folder}${name}`)])
	: [];
if (field.length === 0) console.warn('The drawings of ../shared/field/svg are not there: their tests are skipped.');

const svg = (content: string, root = '') =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100" ${root}>${content}</svg>`;
const lines = svg('<path d="M10 50h140" stroke="#000" stroke-width="4"/>');
/** What the field files lose, in the words of the page. */
const losses: Readonly<Record<string, string>> = {
	'cssvars.svg': '1 style',
	'libreoffice.svg': '1 font',
	'links.svg': '1 link',
	'style-atrule.svg': '2 styles',
};

describe.skipIf(inject('chromium') === null)('files of drawing programs, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let token: string;
	beforeAll(async () => {
		token = await signIn(target, 'a');
	});
	const create = async (body: object): Promise<number> => {
		const sent = { id: 0, title: 'Files', ratio: 1.6, items: [], ...body };
		const { id } = (await call(target, 'POST', '/saveDiagram', { token, body: sent })).body.data;
		onTestFinished(async () => void (await call(target, 'POST', `/deleteDiagram/${id}`, { token })));
		return id;
	};
	const stored = async (id: number) =>
		(await call(target, 'GET', '/getDiagrams', { token })).body.data.find((diagram: { id: number }) => diagram.id === id);
	const choose = (page: Page, bytes: string | Buffer, name = 'a.svg') =>
		page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(bytes) });
	const edit = async (page: Page, word = 'Edit') => {
		await page.getByRole('radio', { name: word }).check();
		await page.locator('.editing').waitFor();
	};
	const picture = (page: Page) => page.locator('.drawing > img');

	test.skipIf(field.length === 0)(
		'each of ../shared/field/svg is chosen and saved, and what it loses is told',
		async () => {
			const id = await create({ shapes: [{ kind: 'text', x: 0.5, y: 0.9, label: 'Words' }] });
			const { page, faults } = await served.open({ route: `/diagram/${id}`, size: { width: 1440, height: 1000 } });
			await edit(page);
			let before = '';
			for (const [name, bytes] of field) {
				await choose(page, bytes, name);
				const shown = async () => ((await picture(page).count()) === 0 ? '' : ((await picture(page).getAttribute('src')) ?? ''));
				await expect.poll(shown, { message: name }).not.toBe(before);
				before = (await picture(page).getAttribute('src')) ?? '';
				const loss = losses[name];
				if (loss === undefined) expect(await page.getByText('Not in the background').count(), name).toBe(0);
				else await page.getByText(`Not in the background: ${loss}.`).waitFor();
				await page.keyboard.press('Control+s');
				await expect
					.poll(async () => (await stored(id)).background, { message: name })
					.toBe(decodeURIComponent(before.slice(before.indexOf(',') + 1)));
				expect(await page.locator('.banner.error').count(), name).toBe(0);
			}
			expect(faults).toEqual([]);
		},
		240_000,
	);

	test.skipIf(field.length === 0)(
		'a cleaned drawing looks as its file does, but for what is told',
		async () => {
			const { page } = await served.open({ route: '/diagram/new', size: { width: 1440, height: 1000 } });
			for (const [name, bytes] of field) {
				// Chromium reads a file in Latin-1 as UTF-8, and draws nothing.
				if (losses[name] === '1 style' || name === 'latin1.svg') continue;
				await choose(page, bytes, name);
				await picture(page).waitFor();
				const cleaned = await picture(page).getAttribute('src');
				const share = await page.evaluate<number>(`(async () => {
				const pixels = async (src) => {
					const image = new Image(1200, 600);
					image.src = src;
					await image.decode();
					const canvas = new OffscreenCanvas(1200, 600);
					const context = canvas.getContext('2d');
					context.drawImage(image, 0, 0, 1200, 600);
					return context.getImageData(0, 0, 1200, 600).data;
				};
				const [file, drawn] = [await pixels('data:image/svg+xml;base64,${bytes.toString('base64')}'), await pixels(${JSON.stringify(cleaned)})];
				let [different, inked] = [0, 0];
				for (let at = 0; at < file.length; at += 4) {
					if (file[at + 3] > 0) inked += 1;
					if ([0, 1, 2, 3].some((each) => Math.abs(file[at + each] - drawn[at + each]) > 8)) different += 1;
				}
				return inked === 0 ? 1 : different / inked;
			})()`);
				console.log(`${name}: ${(100 * share).toFixed(2)} % of what is drawn differs`);
				// The words of draw.io are in HTML, and those behind them a little elsewhere.
				expect(share, name).toBeLessThan(name === 'drawio.svg' ? 0.05 : 0.001);
				await page.getByRole('button', { name: 'Remove the background' }).click();
				await picture(page).waitFor({ state: 'detached' });
			}
		},
		240_000,
	);

	test.each([
		['en', 'Edit', 'Not in the background: 2 labels in HTML, 1 font, 1 image, 1 other element. Compare it with your drawing.'],
		[
			'es',
			'Editar',
			'No están en el fondo: 2 etiquetas en HTML, 1 fuente, 1 imagen, 1 elemento de otro tipo. Compárelo con su dibujo.',
		],
	] as const)('what is lost is listed until the next file, in %s', async (language, word, sentence) => {
		const id = await create({});
		const { page, faults, violations } = await served.open({ route: `/diagram/${id}`, language });
		await edit(page, word);
		const label = '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">Tank</p></foreignObject>';
		await choose(
			page,
			svg(`${label}${label}<font/><image href="http://leak.test/a.png"/><flowRoot/><rect width="9" height="9"/>`),
		);
		await page.getByRole('status').getByText(sentence, { exact: true }).waitFor();
		expect(await violations()).toEqual([]);
		await choose(page, lines);
		await page.getByText(sentence).waitFor({ state: 'detached' });
		expect(faults).toEqual([]);
	});

	test('what the service would refuse is said when the file is chosen, and nothing is drawn or saved', async () => {
		const id = await create({});
		const { page, faults } = await served.open({ route: `/diagram/${id}`, size: { width: 1440, height: 1000 } });
		await edit(page);
		const refused: readonly (readonly [string | Buffer, string | RegExp])[] = [
			['<html/>', 'This file is not an SVG picture.'],
			[`${svg('<g>')}\n`, 'it cannot be read at line 1'],
			[Buffer.from(svg('<text>ñ</text>'), 'latin1'), 'The characters of this file cannot be read: save it as UTF-8.'],
			[svg('<g id="a"><use href="#a"/></g>'), 'This picture takes too long to draw'],
			[svg(`<text>${'x'.repeat(200_000)}</text>`), /^What can be drawn of this file has 200\s\d+ bytes, of at most 200\s000/],
			[svg(`<!--${' '.repeat(5_000_000)}-->`), 'This file is larger than 5 MB.'],
		];
		for (const [file, sentence] of refused) {
			await choose(page, file);
			await page.getByRole('alert').getByText(sentence).waitFor();
			expect(await picture(page).count(), String(sentence)).toBe(0);
		}
		expect((await stored(id)).background).toBeUndefined();
		// By keyboard alone: the button is reached, and the next file takes the fault away.
		await page.getByLabel('Title').focus();
		const chooser = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Background…' }).focus();
		await page.keyboard.press('Enter');
		await (await chooser).setFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(lines) });
		await picture(page).waitFor();
		await expectFocus(page);
		expect(await page.locator('.banner.error').count()).toBe(0);
		expect(faults).toEqual([]);
	}, 120_000);

	test('a drawing has a light sheet in the dark theme, unless it has a dark ground of its own', async () => {
		const shapes = [{ kind: 'text', x: 0.5, y: 0.2, label: 'Words' }];
		const dark = svg(
			'<rect width="160" height="100" fill="#102030"/><circle cx="80" cy="50" r="20" fill="#fff"/>',
			'width="160" height="100"',
		);
		const cases = [
			[lines, 'light'],
			[svg('<rect width="160" height="100" fill="#fff"/>'), 'light'],
			[svg('<circle cx="80" cy="50" r="40" fill="#102030"/>'), 'light'],
			[dark, 'dark'],
		] as const;
		for (const theme of ['light', 'dark'] as const)
			for (const [background, scheme] of cases) {
				const id = await create({ shapes, background });
				const { page } = await served.open({ route: `/diagram/${id}`, theme });
				await picture(page).waitFor();
				/** The light of the words and of the ground, from 0 to 1. */
				const lightOf = (selector: string, property: string) =>
					page
						.locator(selector)
						.first()
						.evaluate((element, name) => {
							const view = globalThis as unknown as { getComputedStyle: (of: unknown) => Record<string, string> };
							const [red = 0, green = 0, blue = 0] =
								(view.getComputedStyle(element)[name] ?? '').match(/\d+/g)?.map(Number) ?? [];
							return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
						}, property);
				const about = `${scheme} ground in the ${theme} theme`;
				if (scheme === 'light')
					await expect.poll(() => lightOf('.drawing', 'backgroundColor'), { message: about }).toBeGreaterThan(0.8);
				else await expect.poll(() => lightOf('.drawing', 'backgroundColor'), { message: about }).toBeLessThan(0.2);
				const words = await lightOf('.drawing .d-words, .drawing .d-text', 'color');
				if (scheme === 'light') expect(words, about).toBeLessThan(0.4);
				else expect(words, about).toBeGreaterThan(0.7);
				await page.close();
			}
	}, 240_000);
});
