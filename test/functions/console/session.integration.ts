import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type AlarmTarget, call, signIn, tenants } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type ConsoleBrowser, countRequests, startConsoleBrowser, withoutServerTime } from '#test/support/console-page.ts';
import { requestsInFlight } from '#test/support/requests-in-flight.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

const minuteMs = 60_000;

describe.skipIf(inject('chromium') === null)('a session of many hours in several tabs, in Chromium', () => {
	/** The clock of the service. It follows that of the pages. */
	let now = Date.now();
	let target: AlarmTarget;
	let browser: ConsoleBrowser;
	beforeAll(async () => {
		target = await openLocalTarget({}, () => now);
		browser = await startConsoleBrowser(inject('chromium') ?? '', target);
		const token = await signIn(target, 'a');
		const varsTsdb = { Level: makeQuery({ calc_topic: 'plant/level', calc_field: 'value' }) };
		expect((await call(target, 'POST', '/saveVariable', { token, body: makeBody({ name: 'Level', varsTsdb }) })).status).toBe(
			200,
		);
		await target.feed('plant_a', `plant/level value=4.25 ${now - 5000}`);
	});
	afterAll(async () => {
		await browser.close();
		await target.close();
	});

	/** Opens two tabs of one browser: in the first one somebody is signed in, the second one asks it. */
	const openTabs = async () => {
		now = Date.now();
		const opened = await browser.open({ stopsClock: true });
		onTestFinished(opened.close);
		const first = opened.page;
		const context = first.context();
		const inFlight = requestsInFlight(context);
		const renewals: number[] = [];
		context.on('response', (response) => {
			if (response.url().endsWith('/renewToken')) renewals.push(response.status());
		});
		const second = await context.newPage();
		await second.addInitScript({ content: withoutServerTime + countRequests });
		await second.goto(`${target.baseUrl}/console#/overview`);
		const tabs = [first, second] as const;
		/** Moves the clocks of the service and of both tabs, each timer at most once. */
		const pass = async (ms: number): Promise<void> => {
			now += ms;
			// The plant goes on.
			await target.feed('plant_a', `plant/level value=4.25 ${now}`);
			await first.clock.fastForward(ms);
			await first.clock.runFor(100);
			now += 100;
			// A request has the real time that it takes: the page would give it up with the next step. What a page sent just now is known to itself.
			const sent = () => Promise.all(tabs.map((tab) => tab.evaluate<number>('requestsInFlight')));
			for (let waited = 0; waited < 400 && (inFlight.size > 0 || (await sent()).some((count) => count > 0)); waited += 1)
				await new Promise((resolve) => setTimeout(resolve, 25));
		};
		return { ...opened, context, tabs, renewals, pass };
	};
	const isSignedIn = async (page: Page) =>
		(await page.locator('.app').count()) === 1 && (await page.locator('.sign-in').count()) === 0;
	const value = (page: Page) => page.locator('.tile', { hasText: 'Level' }).getByText('4.25');
	const warning = (page: Page) => page.getByRole('region', { name: 'Session' });

	test('a night shift of 13 hours with an outage: renewed by one tab for both, warned before the end, values stay', async () => {
		const { tabs, context, renewals, pass } = await openTabs();
		const [first, second] = tabs;
		const bothAre = async (holds: (page: Page) => Promise<boolean>) => (await holds(first)) && (await holds(second));
		for (let step = 0; step < 20 && !(await bothAre(isSignedIn)); step += 1) await pass(500);
		expect(await bothAre(isSignedIn)).toBe(true);
		expect(await second.evaluate('sessionStorage.length')).toBe(0);
		const began = now;
		const hours = () => (now - began) / (60 * minuteMs);
		const endedEarly: number[] = [];
		const warnedEarly: number[] = [];
		let isOffline = false;
		while (hours() < 11.8) {
			await pass(4 * minuteMs);
			const isOutage = hours() >= 5 && hours() < 5 + 20 / 60;
			// A token that was due at the start of the outage has less than 10 minutes left at its end: the warning is true then.
			const wasCutOff = isOutage || isOffline;
			if (isOutage !== isOffline) await context.setOffline(isOutage);
			isOffline = isOutage;
			if (!(await bothAre(isSignedIn))) endedEarly.push(hours());
			if (!wasCutOff && (await warning(first).count()) + (await warning(second).count()) > 0) warnedEarly.push(hours());
		}
		expect([endedEarly, warnedEarly]).toEqual([[], []]);
		// A token lives 54 to 60 minutes, and one tab renews it at half of that, in steps of 4 minutes. Two tabs would make 40 renewals.
		expect(renewals.every((status) => status === 200)).toBe(true);
		expect(renewals.length).toBeGreaterThanOrEqual(20);
		expect(renewals.length).toBeLessThanOrEqual(26);
		for (let minute = 0; minute < 8 && !(await bothAre(async (page) => (await warning(page).count()) === 1)); minute += 1)
			await pass(minuteMs);
		expect(hours()).toBeGreaterThan(11.8);
		expect(hours()).toBeLessThan(11.9);
		expect(await warning(first).innerText()).toMatch(/The session ends at (\d+ \w+ (\d{4} )?)?\d\d:\d\d( CES?T)?, in (10|9) min/);
		while (hours() < 13) await pass(4 * minuteMs);
		for (const page of tabs) {
			expect(await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).isVisible()).toBe(
				true,
			);
			expect(await page.locator('[inert] .app.lost').count()).toBe(1);
			expect(await page.locator('.page').innerText()).toMatch(
				/^Signed out: every value below is of (\d+ \w+ (\d{4} )?)?\d\d:\d\d( CES?T)?, and out of date\./,
			);
			expect(await page.getByText('No connection').count()).toBe(0);
			expect(await value(page).first().isVisible()).toBe(true);
		}
		await second.getByLabel('Access key').fill(tenants.a.tokenApp);
		await second.getByRole('button', { name: 'Sign in', exact: true }).click();
		for (let step = 0; step < 40 && !(await bothAre(isSignedIn)); step += 1) await pass(500);
		expect(await bothAre(isSignedIn)).toBe(true);
	}, 400_000);

	test('a role that was changed holds in every tab with the next renewal', async () => {
		const { tabs, pass, renewals } = await openTabs();
		const [first, second] = tabs;
		for (let step = 0; step < 20 && !(await isSignedIn(second)); step += 1) await pass(500);
		for (const page of tabs) await page.evaluate("location.hash = '#/variables'");
		const writers = async () =>
			(await first.getByText('New variable').count()) + (await second.getByText('New variable').count());
		for (const [role, count] of [
			['viewer', 0],
			['engineer', 2],
		] as const) {
			for (let step = 0; step < 20 && (await writers()) === count; step += 1) await pass(500);
			await target.people.setRole(tenants.a.schemaName, tenants.a.email, role, byTool);
			const renewed = renewals.length;
			for (let step = 0; step < 9 && renewals.length === renewed; step += 1) await pass(4 * minuteMs);
			for (let step = 0; step < 20 && (await writers()) !== count; step += 1) await pass(500);
			expect([role, await writers()]).toEqual([role, count]);
		}
	}, 60_000);

	test('a new tab is signed in by another one, and signing out signs out every tab', async () => {
		const { tabs, pass } = await openTabs();
		const [first, second] = tabs;
		for (let step = 0; step < 20 && !(await isSignedIn(second)); step += 1) await pass(500);
		expect(await isSignedIn(second)).toBe(true);
		await second.getByRole('button', { name: 'Account and preferences' }).first().click();
		await pass(500);
		await second.getByRole('button', { name: 'Sign out' }).click();
		for (let step = 0; step < 20 && (await first.locator('.app').count()) === 1; step += 1) await pass(500);
		for (const page of tabs) {
			expect(await page.locator('.app').count()).toBe(0);
			expect(await page.evaluate('sessionStorage.length')).toBe(0);
		}
	}, 60_000);

	test('a tab of another tenant keeps its session', async () => {
		const { tabs, pass } = await openTabs();
		const [first, second] = tabs;
		for (let step = 0; step < 20 && !(await isSignedIn(second)); step += 1) await pass(500);
		const { email, tokenApp, schemaName, tsdb_name } = tenants.b;
		const given = new URLSearchParams({ email, tokenApp, schemaName, tsdb_name });
		await second.evaluate(`location.hash = ${JSON.stringify(String(given))}`);
		await second.getByRole('button', { name: 'Sign in', exact: true }).click();
		for (let step = 0; step < 20 && !(await isSignedIn(second)); step += 1) await pass(500);
		expect(await isSignedIn(second)).toBe(true);
		expect(await isSignedIn(first)).toBe(true);
		expect(await first.locator('.tile', { hasText: 'Level' }).count()).toBe(1);
		expect(await second.locator('.tile', { hasText: 'Level' }).count()).toBe(0);
	}, 60_000);
});
