import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { callOk, signIn, tenants } from '#test/e2e/target.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { storeStagedPlant } from '#test/support/console-plant.ts';
import { serveConsoleForEach } from '#test/support/serve-console.ts';
import { turnedTexts } from '#test/support/turned-texts.ts';

/** Returns, for every text with a condition that is drawn, whether its sign is left of the number: a condition that is turned reads "0 <". */
const signsAreLeft = `(() => {
	const found = [];
	const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		const match = /[<>≤≥] (\\d)/.exec(node.data);
		if (match === null || !node.parentElement.checkVisibility()) continue;
		const leftOf = (index) => {
			const range = document.createRange();
			range.setStart(node, index);
			range.setEnd(node, index + 1);
			return range.getClientRects()[0]?.left;
		};
		const [sign, number] = [leftOf(match.index), leftOf(match.index + 2)];
		if (sign !== undefined) found.push(sign < number);
	}
	return found;
})()`;

describe.skipIf(inject('chromium') === null)('names from right to left, in Chromium', () => {
	const { target, ...served } = serveConsoleForEach();

	const expectInOrder = async (page: Page) => {
		const found = await page.evaluate(signsAreLeft);
		expect(found).toContain(true);
		expect(found).not.toContain(false);
		expect(await page.evaluate(turnedTexts)).toEqual([]);
		expect(await page.locator('main').innerText()).not.toMatch(/\d \S+ [<>≤≥] \d/);
	};

	test('do not turn a condition, and a healthy value shows why its alarm was raised', async () => {
		const ids = await storeStagedPlant(target);
		const token = await signIn(target, 'b');
		const save = async (name: string, threshold: number, cause: 'condition' | 'no_data', watched: object = {}) => {
			const body = {
				id: 0,
				name,
				varId: ids.get('High level') ?? 0,
				condition: '>',
				threshold,
				severity: 'critical',
				message: 'Look.',
				...watched,
			};
			const { data } = await callOk(target, 'POST', '/saveAlarm', { token, body });
			await raiseAlarm(target.alarms, tenants.b.schemaName, data.id, cause);
		};
		await save('مستوى الخزان', 0, 'condition');
		await save('מפלס המאגר', 100, 'no_data');
		// Of a bit only the name and a time are shown: nothing but the isolation keeps them apart.
		await save('תקלה כללית', 1, 'condition', { varId: ids.get('Status') ?? 0, bit: 0, condition: '==' });
		for (const [size, rows] of [
			[{ width: 320, height: 900 }, '.alarm-card'],
			[{ width: 1440, height: 900 }, '.alarm-table tbody tr'],
		] as const) {
			const { page, goTo, faults } = await served.open({ route: '/alarms', tenant: 'b', size });
			const row = (name: string) => page.locator(rows).filter({ hasText: name });
			await row('مستوى').getByText('alarm if > 0 m').waitFor();
			await expectInOrder(page);
			const silent = await row('מפלס').innerText();
			expect(silent).toContain('raised because there is no data');
			expect(silent).not.toContain('> 100');
			await page.emulateMedia({ media: 'print' });
			await expectInOrder(page);
			await page.emulateMedia({ media: 'screen' });
			await goTo('/overview');
			await page.locator('main').getByText('alarm if > 0 m').first().waitFor();
			await page.locator('.reason', { hasText: 'תקלה' }).getByText(/\d+ s/).waitFor();
			await expectInOrder(page);
			expect(faults).toEqual([]);
		}
	});
});
