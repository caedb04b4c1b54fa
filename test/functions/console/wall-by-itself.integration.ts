import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

interface Machine {
	readonly clientId: string;
	readonly secret: string;
	readonly version: number;
}

const minuteMs = 60_000;

describe.skipIf(inject('chromium') === null)('a wall that signs in by itself, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let administrator: string;
	beforeAll(async () => {
		// The demo's first person is an administrator.
		administrator = await signIn(target, 'a');
	});
	const save = async (body: object): Promise<Machine> => {
		const saved = await call(target, 'POST', '/saveMachine', { token: administrator, body });
		expect(saved.status, saved.text).toBe(200);
		return saved.body.data;
	};
	const newMachine = (role = 'viewer') =>
		save({ name: `Bildwand Süd ${role}`, role, expiresAt: Date.now() + 366 * 86_400_000 - minuteMs });

	const hashOf = ({ clientId, secret }: Pick<Machine, 'clientId' | 'secret'>, screen = 'overview?wall=1') =>
		`#${screen}${screen.includes('?') ? '&' : '?'}client_id=${clientId}&client_secret=${secret}`;
	const go = (page: Page, hash: string) => page.goto(`${target.baseUrl}/console${hash}`);
	const value = (page: Page) => page.locator('.tile .value b').first();
	const stored = (page: Page) =>
		page.evaluate<(string | null)[]>("[localStorage['caudal.wall'] ?? null, sessionStorage['caudal.session'] ?? null]");
	const says = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor();

	/** Opens an empty window, and notes whatever leaves the page: addresses, headers and messages. */
	const open = async (options: { readonly stopsClock?: boolean; readonly width?: number } = {}) => {
		const { stopsClock = false, width = 1440 } = options;
		const opened = await served.openEmpty({ tenant: null, stopsClock, size: { width, height: 800 } });
		const { page } = opened;
		const sent: string[] = [];
		page.on('request', (request) => sent.push(request.url(), JSON.stringify(request.headers())));
		page.on('console', (message) => sent.push(message.text(), message.location().url));
		return { ...opened, sent };
	};

	test('signs in with the credentials of its address, which leaves them at once, and again after a reboot', async () => {
		const machine = await newMachine();
		const { page, sent, faults, violations, reload } = await open();
		await go(page, hashOf(machine));
		await value(page).waitFor();
		expect(await page.evaluate('location.href')).toBe(`${target.baseUrl}/console#/overview?wall=1`);
		expect(await page.evaluate('history.length')).toBe(2);
		expect(await stored(page)).toEqual([`client_id=${machine.clientId}&client_secret=${machine.secret}`, null]);
		expect(await page.locator(':is(button:not(th *), input, select):visible').count()).toBe(0);
		// The digits lead to other screens, which are walls, and the credentials do not come back.
		await page.keyboard.press('4');
		await expect.poll(() => page.evaluate('location.hash')).toBe('#/alarms?wall=1');
		await page.goBack();
		await expect.poll(() => page.evaluate('location.hash')).toBe('#/overview?wall=1');
		await reload();
		await value(page).waitFor();
		// A bookmark with the credentials, in another tab of the same browser.
		const other = await page.context().newPage();
		await go(other, hashOf(machine, 'alarms?wall=1'));
		await other.locator('.wall-head').getByText('plant_a').waitFor();
		expect(await other.evaluate('location.hash')).toBe('#/alarms?wall=1');
		expect(await violations()).toEqual([]);
		expect(sent.filter((text) => text.includes(machine.secret))).toEqual([]);
		expect(faults).toEqual([]);
		const { data } = (await call(target, 'GET', '/changes?kind=session&limit=20', { token: administrator })).body;
		expect(data[0]).toMatchObject({ action: 'signedIn', actor: { kind: 'machine', name: 'Bildwand Süd viewer' } });
	});

	test('lives through many tokens, an outage that is longer than one, and a refused token, and shows values after each', async () => {
		const machine = await newMachine();
		const { page } = await open({ stopsClock: true });
		const lifetimeMs = 4 * minuteMs;
		/** The time of the page, since its beginning, and when each token was issued by it. */
		let passedMs = 0;
		const issuedAt = new Map<string, number>();
		let isOut = false;
		await page.route('**/token', async (route) => {
			if (isOut) return route.abort();
			const response = await route.fetch();
			const answer = await response.json();
			issuedAt.set(answer.access_token, passedMs);
			return route.fulfill({ json: { ...answer, expires_in: lifetimeMs / 1000 } });
		});
		let refused = 0;
		await page.route(/multipleDataTsdb|getAlarms/, async (route) => {
			const token = (await route.request().headerValue('authorization'))?.slice('Bearer '.length) ?? '';
			if (isOut) return route.abort();
			if (passedMs - (issuedAt.get(token) ?? Number.NEGATIVE_INFINITY) < lifetimeMs) return route.continue();
			refused += 1;
			return route.fulfill({ status: 401, json: { message: 'Unauthorized' } });
		});
		const clock = createPageClock(page);
		const move = async (ms: number) => {
			passedMs += ms;
			await clock.move(ms);
		};
		const until = async (holds: () => Promise<boolean>) => {
			for (let step = 0; step < 100 && !(await holds()); step += 1) await move(1000);
			expect(await holds()).toBe(true);
		};
		const isLive = async () => (await value(page).count()) > 0 && (await page.locator('.app.wall:not(.lost)').count()) > 0;
		await go(page, hashOf(machine));
		await until(isLive);
		for (let step = 0; step < 24; step += 1) await move(minuteMs);
		await until(isLive);
		// A token after half of the lifetime of the one before.
		expect(issuedAt.size).toBeGreaterThanOrEqual(12);
		expect(issuedAt.size).toBeLessThanOrEqual(15);
		expect(refused).toBe(0);

		isOut = true;
		for (let step = 0; step < 5; step += 1) await move(minuteMs);
		expect(await page.locator('.app.wall.lost .tile').first().isVisible()).toBe(true);
		isOut = false;
		await until(isLive);

		// The service refuses a token before its end, such as after a change of its keys.
		issuedAt.clear();
		await move(31_000);
		await until(async () => issuedAt.size > 0 && (await isLive()));
		expect(await page.locator('.sign-in').count()).toBe(0);
	});

	test('asks again while the service cannot be reached at its start', async () => {
		const machine = await newMachine();
		const { page } = await open({ stopsClock: true });
		let tries = 0;
		await page.route('**/token', (route) => {
			tries += 1;
			return tries <= 3 ? route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }) : route.fallback();
		});
		const clock = createPageClock(page);
		await go(page, hashOf(machine));
		await clock.until(1000, async () => (await page.getByText('The wall tries again by itself.').count()) > 0);
		await clock.until(1000, async () => (await value(page).count()) > 0);
		expect(tries).toBe(4);
	});

	test.each(['operator', 'engineer'])(
		'refuses a machine with the role %s, keeps nothing of it, and says what to do',
		async (role) => {
			const { page, expectAccessible } = await open({ width: 320 });
			await go(page, hashOf(await newMachine(role)));
			await says(page, 'The machine of this wall may do more than look.');
			await page.getByText('An administrator makes a machine with the role viewer').waitFor();
			expect(await stored(page)).toEqual([null, null]);
			await expectAccessible();
			await page.reload();
			await page.getByLabel('Access key').waitFor();
		},
	);

	test('says that its secret was removed, and takes the new one of an address in the page that is open', async () => {
		const first = await newMachine();
		const second = await save({ clientId: first.clientId, name: 'Wall', role: 'viewer', newSecret: true });
		const { page } = await open();
		await go(page, hashOf({ ...first, secret: `${first.secret.slice(0, -1)}_` }));
		await says(page, 'This wall may not sign in: its secret is wrong or was removed, or its machine is deleted or has ended.');
		await page.getByText('or a new secret, on the screen Access.').waitFor();
		await page.evaluate(`location.hash = ${JSON.stringify(hashOf(second))}`);
		await value(page).waitFor();
		expect(await page.evaluate('location.hash')).toBe('#/overview?wall=1');
		expect((await call(target, 'POST', `/deleteMachine/${first.clientId}`, { token: administrator })).status).toBe(200);
		await page.reload();
		await says(page, 'This wall may not sign in: its secret is wrong or was removed, or its machine is deleted or has ended.');
	});

	test('stays apart from people: no other tab is signed in by it, and signing out forgets its credentials', async () => {
		const machine = await newMachine();
		const { page } = await open();
		await go(page, hashOf(machine));
		await value(page).waitFor();
		const person = await page.context().newPage();
		await go(person, '#/overview');
		await person.getByLabel('Access key').waitFor();
		// Credentials in the address of a screen that is no wall are taken out of it, and not used.
		await go(person, `${hashOf(machine, 'trend?ids=4')}`);
		await person.reload();
		await person.getByLabel('Access key').waitFor();
		expect(await person.evaluate('location.hash')).not.toContain('secret');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByText('Bildwand Süd viewer').first().waitFor();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByLabel('Access key').waitFor();
		expect(await stored(page)).toEqual([null, null]);
		await go(page, '#/overview?wall=1');
		await page.getByLabel('Access key').waitFor();
	});

	test('works where the browser denies storage, and the secret of a new viewer is copied as the address of a wall', async () => {
		const { page: access } = await served.open({
			route: '/access',
			script:
				"Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } });",
		});
		await access.getByRole('radio', { name: 'Machines' }).check();
		await access.getByRole('button', { name: 'New machine' }).click();
		await access.getByLabel('Name of the machine').fill('Lobby');
		await access.getByRole('button', { name: 'Create' }).click();
		await access.getByRole('button', { name: 'Copy as the address of a wall' }).click();
		await access.getByText('Copied.').waitFor();
		const address = await access.evaluate<string>('copied');
		const { page, close } = await served.openEmpty({
			tenant: null,
			script:
				"for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: () => { throw new Error('denied'); } });",
		});
		onTestFinished(close);
		await page.goto(address);
		await value(page).waitFor();
	});
});
