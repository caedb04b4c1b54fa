import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { callOk, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const hourMs = 3_600_000;

/** What a counter of many digits shows. */
const value = 12_345_678.5;

describe.skipIf(inject('chromium') === null)('numbers of a region, in Chromium', () => {
	const served = serveConsole({});
	let id: number;
	beforeAll(async () => {
		const token = await signIn(served.target, 'b');
		const body = makeBody({
			...{ id: 0, name: 'Meter', unit: 'm³', process: 'network' },
			varsTsdb: { Meter: makeQuery({ calc_topic: 'net/meter', calc_field: 'value', calc_time: 1.5, calc_unit: 'h' }) },
		});
		id = (await callOk(served.target, 'POST', '/saveVariable', { token, body })).data.id;
		await served.target.feed('plant_b', `net/meter value=${value} ${Date.now() - 1000}`);
	});

	/** Finds a number. `_` stands for the thin space. */
	const shownNumber = (page: Page, text: string) => page.locator('main').getByText(text.replaceAll('_', '\u202f')).first();
	const chooseNumbers = async (page: Page, name: string) => {
		await page
			.locator('.rail, header')
			.getByRole('button', { name: /Account|Cuenta/ })
			.first()
			.click();
		await page.getByRole('radio', { name }).check();
		await page.keyboard.press('Escape');
	};

	test.each([
		['es', 'es-MX', '12_345_678.5', '1.5'],
		['es', 'es-PE', '12_345_678.5', '1.5'],
		['es', 'es-ES', '12_345_678,5', '1,5'],
		['en', 'en-IN', '1_23_45_678.5', '1.5'],
		['en', 'de-CH', /^12['’]345['’]678\.5$/, '1.5'],
		['en', 'fr-FR', '12_345_678,5', '1,5'],
	] as const)('texts in %s, the region %s: %s', async (language, locale, number, length) => {
		const script = `localStorage.setItem('caudal.language', '${language}');`;
		const { page, faults, goTo } = await served.open({ tenant: 'b', language, locale, script });
		const shown = expect.poll(() => page.locator('main .value b').first().innerText());
		await (typeof number === 'string' ? shown.toBe(number.replaceAll('_', '\u202f')) : shown.toMatch(number));
		await page
			.getByRole('heading', { name: language === 'es' ? 'Resumen' : 'Overview' })
			.first()
			.waitFor();
		await goTo(`/variables/${id}`);
		const back = page.getByLabel(language === 'es' ? 'Mira hacia atrás' : 'Looks back', { exact: true });
		await expect.poll(() => back.inputValue()).toBe(length);
		expect(faults).toEqual([]);
	});

	test('a choice in the preferences holds at once and from then on, and 1,500 is never 1.5', async () => {
		const { page, faults, goTo, reload, violations } = await served.open({ tenant: 'b', locale: 'en-US' });
		await shownNumber(page, '12_345_678.5').waitFor();
		await chooseNumbers(page, '1\u202f234,5');
		await shownNumber(page, '12_345_678,5').waitFor();
		await reload();
		await shownNumber(page, '12_345_678,5').waitFor();
		await chooseNumbers(page, 'By region');
		await shownNumber(page, '12_345_678.5').waitFor();
		expect(await violations()).toEqual([]);

		await goTo(`/variables/${id}`);
		await page.getByLabel('Looks back', { exact: true }).fill('1,500');
		await page.getByText('Write a number, with “.” before decimals and nothing between thousands.').waitFor();
		await chooseNumbers(page, '1\u202f234,5');
		expect(await page.getByText('Write a number, with').count()).toBe(0);
		await page.getByLabel('Looks back', { exact: true }).fill('1.500');
		await page.getByText('Write a number, with “,” before decimals and nothing between thousands.').waitFor();
		expect(faults).toEqual([]);
	});

	test.each([
		['es-MX', ',', '12345678.5'],
		['es-ES', ';', '12345678,5'],
	] as const)('CSV in %s has the separator and the decimal sign of the region', async (locale, delimiter, number) => {
		const now = Date.now();
		const [from, to] = [now - hourMs, now].map((at) => new Date(at).toISOString());
		const route = `/trend?ids=${id}&from=${from}&to=${to}`;
		const { page, faults } = await served.open({ tenant: 'b', language: 'es', locale, route });
		await page.locator('.plot .curves').waitFor();
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
		const csv: string[][] = parse(readFileSync(await download.path(), 'utf8'), { bom: true, delimiter });
		expect(
			csv
				.flatMap((row) => row.slice(2, 3))
				.filter((cell) => cell !== '')
				.at(-1),
		).toBe(number);
		expect(faults).toEqual([]);
	});
});
