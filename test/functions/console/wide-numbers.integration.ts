import { describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const minuteMs = 60_000;

/** Variables with numbers of many digits. */
const wide = [
	['Inflow of the northern distribution', -1_234_567.89, 'm³/h'],
	['Energy', 1e21, 'kWh'],
	['Trace', -1.5e-9, 'mol/L'],
	['Level', 4.2, 'm'],
] as const;

/** Returns what is wrong with the places of numbers and units on the page: they lie over each other, or beyond their box. */
const misplaced = `[...document.querySelectorAll('.value')].flatMap((value) => {
	const [number, unit] = [value.querySelector('b'), value.querySelector('.unit')].map((part) => part?.getBoundingClientRect());
	const own = value.getBoundingClientRect();
	const box = value.closest('a, td, li, section, div').getBoundingClientRect();
	if (own.width === 0) return [];
	const isOver = number && unit && number.right > unit.left + 1 && number.bottom > unit.top + 1 && number.top < unit.bottom - 1;
	const isBeyond = own.right > Math.min(box.right, innerWidth) + 1 || own.left < box.left - 1;
	return isOver || isBeyond ? [value.textContent + (isOver ? ' over its unit' : ' beyond its box')] : [];
})`;

describe.skipIf(inject('chromium') === null)('wide numbers, in Chromium', () => {
	const served = serveConsole({});

	test('push nothing over their unit or out of their place, on any screen', async () => {
		const { target } = served;
		const token = await signIn(target, 'a');
		const now = Date.now();
		const ids: number[] = [];
		const lines: string[] = [];
		for (const [index, [name, value, unit]] of wide.entries()) {
			for (let minute = 0; minute < 60; minute += 1)
				lines.push(`wide/${index} value=${value * (1 + (minute % 2) / 10)} ${now - minute * minuteMs}`);
			const variable = makeBody({
				name,
				unit,
				process: 'wide',
				varsTsdb: { [name]: makeQuery({ calc_topic: `wide/${index}` }) },
			});
			const { body } = await call(target, 'POST', '/saveVariable', { token, body: variable });
			ids.push(body.data.id);
			const alarm = {
				id: 0,
				name: `Too little ${name}`,
				varId: body.data.id,
				condition: '<',
				threshold: 0,
				severity: 'critical',
			};
			await call(target, 'POST', '/saveAlarm', { token, body: { ...alarm, message: 'Look.' } });
		}
		await target.feed('plant_a', lines.join('\n'));
		const { page, goTo } = await served.open({ route: '/overview' });
		await page.locator('.tile .value').first().waitFor();
		for (const colorScheme of ['light', 'dark'] as const)
			for (const width of [1440, 1024, 320]) {
				await page.emulateMedia({ colorScheme });
				await page.setViewportSize({ width, height: 900 });
				for (const [route, drawn] of [
					['/overview', '.tile .value b'],
					[`/trend?ids=${ids.join(',')}&range=1h`, '.plot .curves'],
					['/variables', '.value b:visible'],
					['/alarms', '.value b:visible'],
				] as const) {
					await goTo(route);
					await page.locator(drawn).first().waitFor();
					await expect.poll(() => page.evaluate(misplaced), { message: `${route} at ${width}` }).toEqual([]);
					// After a change of width the line of alarms is drawn anew.
					await expect
						.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), { message: `${route} at ${width}` })
						.toBe(0);
				}
			}
		// A label of an axis stays on its panel.
		await page.setViewportSize({ width: 1440, height: 900 });
		await goTo(`/trend?ids=${ids[2]}&range=1h`);
		await page.locator('.plot .curves').first().waitFor();
		const beyond = `[...document.querySelectorAll('.plot text')].filter((label) => label.getBoundingClientRect().left < document.querySelector('.plot').getBoundingClientRect().left).length`;
		expect(await page.evaluate(beyond)).toBe(0);
	});
});
