import type { Page, Route } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { isFocused } from '#test/support/console-page.ts';
import { type DemoScreen, demoScreens } from '#test/support/demo-screens.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** Every screen, and a wall. */
const screens: readonly DemoScreen[] = [{ route: '/overview?wall=1', has: '.value' }, ...demoScreens];

/**
 * A translator that heeds no mark: it wraps every text, and each later one, in two elements. The text itself is moved there, or a copy takes
 * its place.
 */
const translate = (keepsText: boolean): string => `{
	const wrap = (text) => {
		if (text.parentElement.closest('font, textarea, select, title, style') !== null || text.data.trim() === '') return;
		const [outer, inner] = [document.createElement('font'), document.createElement('font')];
		const copy = text.cloneNode();
		text.replaceWith(outer);
		outer.append(inner);
		inner.append(${keepsText} ? text : copy);
	};
	const wrapAll = () => {
		const walker = document.createTreeWalker(document.getElementById('console'), NodeFilter.SHOW_TEXT);
		const texts = [];
		while (walker.nextNode()) texts.push(walker.currentNode);
		texts.forEach(wrap);
	};
	wrapAll();
	new MutationObserver(wrapAll).observe(document.getElementById('console'), { childList: true, characterData: true, subtree: true });
}`;

/** Gives each reading another number or the other state, which depends on nothing but its variable. */
function changed(this: { readonly id?: number }, key: string, value: unknown): unknown {
	if (key !== 'value' || typeof value !== 'number') return value;
	return [0, 1].includes(value) ? 1 - value : (this.id ?? 7) + 0.25;
}

/** A plant that stands still: pages that ask the same get the same answer, so that they must show the same. */
const stillPlant = () => {
	const bodies = new Map<string, string>();
	/** Answers a page. Returns what changes the values that it reads from then on. */
	return async (page: Page): Promise<() => void> => {
		let reviver: typeof changed | undefined;
		await page.route(/\/(multipleDataTsdb|getAlarms)$/, async (route: Route) => {
			const asked = `${route.request().url()} ${route.request().postData()}`;
			const body = bodies.get(asked) ?? (await (await route.fetch()).text());
			bodies.set(asked, body);
			await route.fulfill({ contentType: 'application/json', body: JSON.stringify(JSON.parse(body, reviver)) });
		});
		return () => {
			reviver = changed;
		};
	};
};

/** Chooses the decimals of each variable: else they follow from whether its first value or its past arrived first. */
const fixedDecimals = `localStorage.setItem('caudal.decimals', '${Array.from({ length: 45 }, (_, index) => `plant_a%2F${index + 1}=2`).join('&')}');`;

/** Answers every dry run as the first one: the values of a still screen may be read again when it is drawn anew, and the plant goes on. */
const stillDryRuns = `{
	const send = fetch;
	let first;
	const answer = async (response) => ({ body: await response.text(), status: response.status, headers: [...response.headers] });
	globalThis.fetch = async (...asked) => {
		if (!asked[0].url?.includes('/saveVariable')) return send(...asked);
		// Kept as text: the body of a response ends in an error when its request is aborted, and a request that was aborted has no answer.
		first ??= send(...asked).then(answer);
		first.catch(() => { first = undefined; });
		const { body, ...head } = await first;
		return new Response(body, head);
	};
}`;

describe.skipIf(inject('chromium') === null)('the console in a browser that translates it, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });

	/** Opens a screen with a clock that stands still, once it has values. */
	const open = async (route: string, has: string, answer = stillPlant()) => {
		let change = () => {};
		const prepare = async (page: Page) => {
			change = await answer(page);
		};
		const opened = await served.open({ route, stopsClock: true, script: fixedDecimals + stillDryRuns, prepare });
		const clock = createPageClock(opened.page);
		await clock.until(200, async () => (await opened.page.locator(`main ${has}`).count()) > 0);
		await clock.pass(2);
		return { ...opened, clock, change };
	};
	const texts = (page: Page) => page.locator('main :is(.value, .word)').allTextContents();
	const band = (page: Page) => page.getByRole('region', { name: 'Attention' }).getByText('translates this page');
	const wraps = (page: Page) => page.locator('font font').count();

	test('marks everything as not to be translated', async () => {
		const { page } = await open('/overview', '.value');
		expect(await page.evaluate('[...document.querySelectorAll("body *")].filter((each) => each.translate === true).length')).toBe(
			0,
		);
		expect(await page.locator('meta[name=google][content=notranslate]').count()).toBe(1);
		expect(await page.locator('font').count()).toBe(0);
	});

	/** Screens of each translator. The one that moves texts has fewer: its wraps are undone likewise. */
	test.each([
		...screens.map((screen) => ({ ...screen, keepsText: false, how: 'takes out' })),
		...screens.slice(0, 3).map((screen) => ({ ...screen, keepsText: true, how: 'moves' })),
	])('shows the values of the service on $route while a translator $how each text, and says so', async (screen) => {
		const { route, has, keepsText } = screen;
		const plant = stillPlant();
		const { page, clock, faults, change } = await open(route, has, plant);
		const before = await texts(page);
		const agesBefore = await page.locator('.age').allTextContents();
		await page.evaluate(translate(keepsText));
		expect(await wraps(page)).toBeGreaterThan(10);
		change();
		await clock.pass(35);
		const shown = await texts(page);
		if (screen.isStill === true || before.length === 0) expect(shown).toEqual(before);
		else {
			const control = await open(route, has, plant);
			control.change();
			await control.clock.pass(35);
			expect(shown).toEqual(await texts(control.page));
			expect(shown).not.toEqual(before);
			expect(await band(control.page).count()).toBe(0);
		}
		if (agesBefore.length > 0) expect(await page.locator('.age').allTextContents()).not.toEqual(agesBefore);
		expect(await band(page).count()).toBe(1);
		expect(faults).toEqual([]);
	});

	test('keeps what is typed, and the focus', async () => {
		const { page, clock, faults } = await open('/alarms/33-edit', 'input');
		const field = page.locator('main input[type=text], main input:not([type])').first();
		await field.fill('Typed before');
		await page.evaluate(translate(false));
		await clock.pass(5);
		await page.keyboard.type(' and later');
		await clock.pass(2);
		expect(await field.inputValue()).toBe('Typed before and later');
		expect(await field.evaluate(isFocused)).toBe(true);
		expect(await band(page).count()).toBe(1);
		expect(faults).toEqual([]);
	});
});
