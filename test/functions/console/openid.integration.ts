import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { OpenIdAnswer } from '#page/core/openid-api.ts';
import { signInAs } from '#test/e2e/target.ts';
import { type ConsoleOptions, isFocused, looks, violations } from '#test/support/console-page.ts';
import { answerOpenId, type FakeOpenIdService } from '#test/support/openid/fake-service.ts';
import { type FakeProvider, startFakeProvider } from '#test/support/openid/provider-page.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('signing in with OpenID providers, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let consoleUrl: string;
	/** Names itself in its answers, and keeps its page apart from windows that open it. */
	let entra: FakeProvider;
	/** Is told apart by the redirect address. */
	let google: FakeProvider;
	let service: FakeOpenIdService;
	const tokens = { plant_a: '', plant_b: '' };

	beforeAll(async () => {
		consoleUrl = `${target.baseUrl}/console`;
		entra = await startFakeProvider({ name: 'entra', label: 'Entra', consoleUrl, hasIssuer: true, isApart: true });
		google = await startFakeProvider({ name: 'google', label: 'Google', consoleUrl, via: true });
		tokens.plant_a = (await signInAs(target, 'a')).token;
		tokens.plant_b = (await signInAs(target, 'b')).token;
	});
	afterAll(async () => {
		await entra.close();
		await google.close();
	});
	beforeEach(() => {
		service = {
			...{ consoleUrl, credentials: false, providers: [entra, google], sent: [], signOutAddress: null },
			answers: { 'entra-ada': answerOf('ada', ['plant_a']), 'google-ada': answerOf('ada-google', ['plant_a']) },
			renewals: {},
		};
	});

	/** What the service answers to a person who may use some plants, of which the first one is entered. */
	const answerOf = (
		person: string,
		[plant, ...others]: readonly [keyof typeof tokens, ...(keyof typeof tokens)[]],
	): OpenIdAnswer => ({
		token: tokens[plant],
		user: { id: `person:${person}`, name: 'ada@plant.example (entra)', provider: 'entra', role: 'engineer' },
		tenant: { schemaName: plant, tsdb_name: plant },
		tenants: [plant, ...others].sort().map((name) => ({ schemaName: name, tsdb_name: name, role: 'engineer' })),
	});
	const openEmpty = (options: ConsoleOptions = {}) =>
		served.openEmpty({ tenant: null, ...options, prepare: (page) => answerOpenId(page.context(), service) });
	/** Opens the form, and waits for its buttons. */
	const open = async ({ route = '/overview', ...options }: ConsoleOptions = {}) => {
		const opened = await openEmpty(options);
		await opened.page.goto(`${consoleUrl}#${route}`);
		await button(opened.page, 'Entra').waitFor();
		return opened;
	};
	const button = (page: Page, label: string) =>
		page.getByRole('button', { name: new RegExp(`^(Sign in with|Entrar con) ${label}$`) });
	const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' });
	const kept = (page: Page, key: string) => page.evaluate<string | null>(`sessionStorage.getItem('${key}')`);
	const signInsSent = () => service.sent.filter(({ path }) => path === '/signInOpenId');
	/** Signs in by the provider's page, to the overview of the plant. */
	const signIn = async (page: Page) => {
		await button(page, 'Entra').click();
		await entra.signIn(page, 'ada');
		await page.locator('.tile').first().waitFor();
	};
	/** Answers requests of the plant as if the session were over, until the returned function is called. */
	const endSession = async (page: Page) => {
		const isApi = ({ pathname }: URL) => /^\/(multipleDataTsdb|getAlarms|getVarsTsdb|save\w+)$/.test(pathname);
		await page.route(isApi, (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		return () => page.unroute(isApi);
	};

	test('goes to the provider with a challenge, comes back to the same place, and leaves nothing in the address', async () => {
		const { page, faults } = await open({ route: '/trend?ids=4' });
		await button(page, 'Entra').click();
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		const asked = Object.fromEntries(entra.asked.at(-1) ?? []);
		expect(asked).toMatchObject({
			...{ tenant: '1', response_type: 'code', client_id: 'caudal', redirect_uri: consoleUrl, scope: 'openid email' },
			...{ prompt: 'select_account', code_challenge_method: 'S256', state: expect.stringMatching(/^[\w-]{43}$/) },
		});
		await entra.signIn(page, 'ada');
		await page.locator('.legend .name').first().waitFor();
		expect(page.url()).toBe(`${consoleUrl}#/trend?ids=4`);
		const body = signInsSent()[0]?.body ?? {};
		expect(body).toEqual({ provider: 'entra', code: 'entra-ada', codeVerifier: expect.any(String), nonce: asked['nonce'] });
		expect(createHash('sha256').update(String(body['codeVerifier'])).digest('base64url')).toBe(asked['code_challenge']);
		expect(await kept(page, 'caudal.flow')).toBeNull();
		await page.getByRole('button', { name: 'ada@plant.example (entra) · Account and preferences' }).waitFor();
		expect(faults).toEqual([]);
		// Neither Back nor a copy of the tab signs in once more.
		await page.goBack();
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		await entra.signIn(page, 'ada');
		await page.locator('.tile').first().waitFor();
		expect(signInsSent()).toHaveLength(1);
		expect(page.url()).toBe(consoleUrl);
	});

	test.each([
		['a foreign code', 'code=foreign&state=foreign'],
		['a foreign sentence', 'error=access_denied&error_description=Call+555+and+tell+your+password&state=foreign'],
		['a foreign way out', 'state=foreign'],
		['a provider that the person did not choose', 'signIn=entra'],
	])('an address with %s asks nothing, shows nothing of it, and ends no session', async (_, query) => {
		const { page } = await open();
		await signIn(page);
		const asked = entra.asked.length;
		await page.goto(`${consoleUrl}?${query}#/overview`);
		await page.locator('.tile').first().waitFor();
		expect(page.url()).toBe(`${consoleUrl}#/overview`);
		expect([signInsSent().length, entra.asked.length]).toEqual([1, asked]);
		expect(await page.locator('body').innerText()).not.toContain('555');
	});

	test.each([
		['the state of another flow', 'entra', (answer: URLSearchParams) => answer.set('state', 'x'.repeat(43))],
		['another issuer (RFC 9207)', 'entra', (answer: URLSearchParams) => answer.set('iss', google.authorization.issuer)],
		['no issuer, where the provider names itself', 'entra', (answer: URLSearchParams) => answer.delete('iss')],
		['another way', 'google', (answer: URLSearchParams) => answer.set('via', 'entra')],
		['no way, where the provider has one', 'google', (answer: URLSearchParams) => answer.delete('via')],
		['an issuer that is not its own', 'google', (answer: URLSearchParams) => answer.set('iss', entra.authorization.issuer)],
	] as const)('an answer with %s ends silently', async (_, name, change) => {
		const provider = name === 'entra' ? entra : google;
		const { page } = await open();
		await button(page, provider.label).click();
		const link = page.getByRole('link', { name: 'ada' });
		const address = new URL((await link.getAttribute('href')) ?? '');
		change(address.searchParams);
		await page.goto(address.href);
		await button(page, 'Entra').waitFor();
		expect(signInsSent()).toEqual([]);
		expect(await page.locator('.refusal').count()).toBe(0);
		// The flow is over: the right answer comes too late.
		expect(await kept(page, 'caudal.flow')).toBeNull();
	});

	test('a copy of the tab has its own try, and neither disturbs the session of the other', async () => {
		const { page } = await open();
		await button(page, 'Entra').click();
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		const address = (await page.getByRole('link', { name: 'ada' }).getAttribute('href')) ?? '';
		await entra.signIn(page, 'ada');
		await page.locator('.tile').first().waitFor();
		const copy = await page.context().newPage();
		await copy.goto(address);
		await copy.locator('.tile').first().waitFor();
		expect(signInsSent()).toHaveLength(1);
		expect(copy.url()).toBe(consoleUrl);
	});

	test('says in its own words that the provider refused', async () => {
		const { page } = await open();
		await button(page, 'Google').click();
		await page.getByRole('link', { name: 'refuse' }).click();
		await page.getByRole('alert').getByText('The provider did not sign you in.').waitFor();
		expect(await page.locator('body').innerText()).not.toContain('555');
		expect([page.url(), signInsSent()]).toEqual([`${consoleUrl}#/overview`, []]);
	});

	test('tells a person without a grant what to tell the administrator, and copies it', async () => {
		service.answers = {
			'entra-ada': { status: 403, code: 'no_grant', params: { provider: 'entra', claims: ['groups=a b', 'hd=plant.example'] } },
			'entra-bob': { status: 403, code: 'groups_not_in_token', message: 'Your provider leaves your groups out.' },
		};
		const { page, expectAccessible } = await open({ size: { width: 320, height: 800 } });
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await button(page, 'Entra').click();
		await entra.signIn(page, 'ada');
		await page.getByText('You have no access yet. Tell an administrator:').waitFor();
		await button(page, 'Entra').waitFor();
		await page.getByRole('button', { name: 'Copy' }).click();
		await page.getByText('Copied.').waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe('provider=entra\ngroups=a b\nhd=plant.example');
		await expectAccessible();
		await button(page, 'Entra').click();
		await entra.signIn(page, 'bob');
		await page.getByText('Your provider leaves your groups out.').waitFor();
	});

	test('asks again how people sign in where the service did not say it, and has the form of a service without providers', async () => {
		let status = 500;
		const json = { data: { credentials: true, consoleUrl: null, providers: [] } };
		const { page } = await served.openEmpty({
			tenant: null,
			prepare: async (opened) =>
				void (await opened.context().route('**/openIdProviders', (route) => route.fulfill({ status, json }))),
		});
		await page.goto(consoleUrl);
		await page.getByText('The service could not sign you in (500).').waitFor();
		expect(await page.getByLabel('E-mail').count()).toBe(0);
		status = 200;
		await page.getByRole('button', { name: 'Try again' }).click();
		await expect.poll(() => page.getByLabel('E-mail').evaluate(isFocused)).toBe(true);
		expect(await page.getByRole('alert').innerText()).toBe('');
	});

	test('one provider that is down hides no other, and a browser that stores nothing is told so', async () => {
		const { page } = await open();
		const down = { openIdProvider: { code: 'dependency_failed', message: 'The sign-in provider failed.', params: {} } };
		await page.route('**/openIdProvider?name=google', (route) => route.fulfill({ status: 502, json: down }));
		await button(page, 'Google').click();
		await page.getByText('The sign-in provider failed.').waitFor();
		await page.evaluate("Storage.prototype.setItem = () => { throw new Error('full') }");
		await button(page, 'Entra').click();
		await page.getByText('This browser stores nothing here, so the page would not know').waitFor();
		expect(page.url()).toBe(`${consoleUrl}#/overview`);
	});

	test('goes to the address of the console first, from another one of the same service', async () => {
		const { page } = await openEmpty();
		await page.goto(`${consoleUrl.replace('127.0.0.1', 'localhost')}#/trend?ids=4`);
		await button(page, 'Entra').click();
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		await entra.signIn(page, 'ada');
		await page.locator('.legend .name').first().waitFor();
		expect(page.url()).toBe(`${consoleUrl}#/trend?ids=4`);
	});

	test.each([true, false])(
		'stays signed in after a reload as the person chose (%s), also by way of that address',
		async (isKept) => {
			const { page } = await openEmpty();
			await page.goto(`${consoleUrl.replace('127.0.0.1', 'localhost')}#/overview`);
			await button(page, 'Entra').waitFor();
			await page.getByRole('checkbox', { name: 'Keep me signed in' }).setChecked(isKept);
			await button(page, 'Entra').click();
			await entra.signIn(page, 'ada');
			await page.locator('.tile').first().waitFor();
			expect((await kept(page, 'caudal.session')) !== null).toBe(isKept);
		},
	);

	test('lets a person with several plants choose one, and change it, by keyboard alone', async () => {
		service.answers = { 'entra-ada': answerOf('ada', ['plant_a', 'plant_b']) };
		service.renewals = { plant_a: answerOf('ada', ['plant_a', 'plant_b']), plant_b: answerOf('ada', ['plant_b', 'plant_a']) };
		const { page, focusByKey, reload } = await open();
		await expect.poll(() => button(page, 'Entra').evaluate(isFocused)).toBe(true);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		await entra.signIn(page, 'ada');
		await page.getByRole('heading', { name: 'Choose the plant' }).waitFor();
		expect(await page.getByRole('button').allInnerTexts()).toEqual(['plant_a\nengineer', 'plant_b\nengineer']);
		await focusByKey(page.getByRole('button', { name: 'plant_b' }));
		await page.keyboard.press('Enter');
		await overview(page).waitFor();
		expect(service.sent.at(-1)).toEqual({
			...{
				path: '/renewOpenId',
				body: { schemaName: 'plant_b', tsdb_name: 'plant_b' },
				authorization: `Bearer ${tokens.plant_a}`,
			},
		});
		const plant = page.getByRole('button', { name: /· Change the plant$/ });
		expect(await plant.innerText()).toBe('plant_b');
		await reload();
		await overview(page).waitFor();
		await focusByKey(plant);
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Change the plant' });
		await focusByKey(dialog.getByRole('button', { name: 'plant_a' }));
		await page.keyboard.press('Enter');
		await dialog.waitFor({ state: 'detached' });
		await page.locator('.tile').nth(10).waitFor();
		expect(await plant.innerText()).toBe('plant_a');
		expect(await kept(page, 'caudal.session')).toContain('"schema":"plant_a"');
	});

	test('asks before a change of the plant loses what is typed, and stays where the service refuses', async () => {
		service.answers = { 'entra-ada': answerOf('ada', ['plant_a', 'plant_b']) };
		const { page } = await open({ route: '/variables/4' });
		await button(page, 'Entra').click();
		await entra.signIn(page, 'ada');
		await page.getByRole('button', { name: 'plant_a' }).click();
		const name = page.getByLabel('Name', { exact: true });
		await name.fill('Typed');
		await page.getByRole('button', { name: /· Change the plant$/ }).click();
		const other = page.getByRole('dialog').getByRole('button', { name: 'plant_b' });
		page.once('dialog', (asked) => void asked.dismiss());
		await other.click();
		expect(service.sent.filter(({ path }) => path === '/renewOpenId')).toEqual([]);
		page.on('dialog', (asked) => void asked.accept());
		service.renewals = { plant_b: { status: 403, code: 'no_grant', message: 'You have no access yet.' } };
		await other.click();
		await page.getByText('You have no access yet.').waitFor();
		expect(await name.inputValue()).toBe('Typed');
		service.renewals = { plant_b: answerOf('ada', ['plant_b', 'plant_a']) };
		await other.click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await expect.poll(() => page.url()).toBe(`${consoleUrl}#/variables`);
	});

	describe('signing in again', () => {
		/** Opens an editor with something typed, as a person of Entra, and ends the session. */
		const interrupt = async (end: (page: Page) => Promise<() => Promise<void>> = endSession) => {
			const opened = await open({ route: '/variables/4' });
			const { page } = opened;
			await button(page, 'Entra').click();
			await entra.signIn(page, 'ada');
			const name = page.getByLabel('Name', { exact: true });
			await name.fill('Typed');
			// A tab takes over a token that is newer than its own by a second.
			await new Promise((resolve) => setTimeout(resolve, 1100));
			tokens.plant_a = (await signInAs(target, 'a')).token;
			service.answers = { 'entra-ada': answerOf('ada', ['plant_a']), 'google-ada': answerOf('ada-google', ['plant_a']) };
			return { ...opened, name, goOn: await end(page) };
		};

		test('happens in a window of its own, which closes itself: values and what is typed stay', async () => {
			const { page, name, goOn } = await interrupt();
			const [other] = await Promise.all([page.waitForEvent('popup'), button(page, 'Entra').click()]);
			await other.getByRole('heading', { name: 'Entra' }).waitFor();
			expect(await other.evaluate('opener')).toBeNull();
			await goOn();
			const closed = other.waitForEvent('close');
			await entra.signIn(other, 'ada');
			await closed;
			await button(page, 'Entra').waitFor({ state: 'detached' });
			expect(await name.inputValue()).toBe('Typed');
			expect(signInsSent().at(-1)?.body).toMatchObject({ schemaName: 'plant_a', tsdb_name: 'plant_a' });
			expect(await kept(page, 'caudal.again')).toBeNull();
			expect(await kept(page, 'caudal.session')).toContain('person:ada');
		});

		test('as somebody else, with the same e-mail, changes nothing in the tab that waits', async () => {
			const { page, name } = await interrupt();
			const [other] = await Promise.all([page.waitForEvent('popup'), button(page, 'Google').click()]);
			await google.signIn(other, 'ada');
			await other.getByText('You signed in as ada@plant.example (entra). The tab that waits is of another person').waitFor();
			await expect.poll(() => service.sent.at(-1)?.path).toBe('/signOut');
			expect(await violations(other)).toEqual([]);
			expect(await page.getByRole('heading', { name: 'Signed out: sign in again' }).isVisible()).toBe(true);
			expect(await kept(page, 'caudal.session')).toContain('"email":"person:ada"');
			expect(await name.inputValue()).toBe('Typed');
		});

		test('a write that was refused because the session had been ended is sent again, and says nothing of it', async () => {
			let sent = 0;
			const { page, name } = await interrupt(async (opened) => {
				const ended = { request: { code: 'session_ended', message: 'The session is over.', params: {} } };
				await opened.route('**/saveVariable', (route) => {
					sent += 1;
					return route.fulfill({ status: 403, json: ended });
				});
				await opened.getByRole('button', { name: 'Save', exact: true }).click();
				return async () => undefined;
			});
			const [other] = await Promise.all([page.waitForEvent('popup'), button(page, 'Entra').click()]);
			const closed = other.waitForEvent('close');
			await entra.signIn(other, 'ada');
			await closed;
			await button(page, 'Entra').waitFor({ state: 'detached' });
			expect(await page.getByText('The session has lasted').count()).toBe(0);
			expect([await name.inputValue(), sent]).toEqual(['Typed', 1]);
			await page.getByRole('button', { name: 'Save', exact: true }).click();
			await expect.poll(() => sent).toBe(2);
		});

		test('happens in the tab itself where the browser blocks windows, after it has asked', async () => {
			const { page, name, goOn } = await interrupt();
			await page.evaluate('globalThis.open = () => null');
			page.once('dialog', (asked) => void asked.dismiss());
			await button(page, 'Entra').click();
			expect(await name.inputValue()).toBe('Typed');
			expect(page.url()).toContain('#/variables/4');
			page.once('dialog', (asked) => void asked.accept());
			await button(page, 'Entra').click();
			await page.getByRole('heading', { name: 'Entra' }).waitFor();
			await goOn();
			await entra.signIn(page, 'ada');
			await expect.poll(() => name.inputValue()).not.toBe('Typed');
			expect(page.url()).toBe(`${consoleUrl}#/variables/4`);
		});

		test('another person can take the tab, after it has asked', async () => {
			const { page } = await interrupt();
			page.once('dialog', (asked) => void asked.accept());
			await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
			await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
			expect(await kept(page, 'caudal.session')).toBeNull();
		});
	});

	test('renews with the provider, and asks to sign in again when the session is over', async () => {
		const { page } = await open({ stopsClock: true });
		await button(page, 'Entra').click();
		await entra.signIn(page, 'ada');
		service.renewals = { plant_a: answerOf('ada', ['plant_a', 'plant_b']) };
		const run = (ms: number) => page.clock.runFor(ms);
		await expect.poll(() => run(500).then(() => overview(page).count())).toBe(1);
		await page.clock.fastForward(31 * 60_000);
		const plant = page.getByRole('button', { name: /· Change the plant$/ });
		await expect.poll(() => run(500).then(() => plant.count())).toBe(1);
		expect(service.sent.at(-1)?.body).toEqual({ schemaName: 'plant_a', tsdb_name: 'plant_a' });
		service.renewals = { plant_a: { status: 403, code: 'session_ended' } };
		const again = page.getByRole('heading', { name: 'Signed out: sign in again' });
		await expect.poll(() => run(60_000).then(() => again.count()), { timeout: 20_000 }).toBe(1);
	});

	test('signs out at the provider, too, and knows the way back', async () => {
		const { page } = await open();
		await signIn(page);
		service.signOutAddress = `${entra.authorization.issuer}/end?state=way-back`;
		await page.getByRole('button', { name: /Account and preferences/ }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Entra' }).waitFor();
		expect(service.sent.at(-1)).toEqual({ path: '/signOut', body: {}, authorization: `Bearer ${tokens.plant_a}` });
		await page.goto(`${consoleUrl}?state=way-back`);
		await page.getByText('You are signed out, at the provider too.').waitFor();
		expect([page.url(), await kept(page, 'caudal.session')]).toEqual([consoleUrl, null]);
		await page.goto(`${consoleUrl}?state=way-back`);
		await button(page, 'Entra').waitFor();
		expect(await page.getByText('You are signed out').count()).toBe(0);
	});

	test.each([
		['en', 'light', 1440],
		['es', 'dark', 320],
	] as const)('the screen of access says where a role comes from: %s, %s, %i px', async (language, theme, width) => {
		const person = { email: 'person:ada', name: 'Ada (entra)', provider: 'entra', lastSignInAt: '2026-01-02T03:04:05.000Z' };
		const data = [
			{ ...person, role: 'viewer', granted: 'engineer' },
			{ ...person, email: 'person:bob', name: 'Bob (entra)', role: 'administrator', granted: 'operator' },
			{ email: 'eva@plant-a.example', role: 'operator', lastSignInAt: null },
		];
		const { page, expectAccessible } = await served.open({
			...{ route: '/access', language, theme, size: { width, height: 900 } },
			prepare: async (opened) => void (await opened.route('**/getPeople', (route) => route.fulfill({ json: { data } }))),
		});
		const text = language === 'en' ? english : spanish;
		const rows = page.getByRole('grid').first().getByRole('row');
		await rows.filter({ hasText: 'Ada (entra)' }).filter({ hasText: text.byProvider }).waitFor();
		await rows.filter({ hasText: 'Bob (entra)' }).filter({ hasText: text.givenHere }).waitFor();
		expect(
			await rows
				.filter({ hasText: 'eva@' })
				.filter({ hasText: /given here|dado aquí/ })
				.count(),
		).toBe(0);
		await rows.filter({ hasText: 'Ada (entra)' }).click();
		const form = page.getByRole('region', { name: 'Ada (entra)' });
		await form.getByText(text.atLeast).waitFor();
		await page.route('**/savePerson', (route) =>
			route.fulfill({
				status: 409,
				json: { role: { code: 'role_from_provider', message: text.refused, params: { role: 'engineer' } } },
			}),
		);
		await form.getByRole('radio', { name: text.viewer }).check();
		await form.getByRole('button', { name: text.save }).click();
		await form.getByText(text.refused).waitFor();
		await expectAccessible();
	});

	test.each(looks)('the form with buttons and the choice of plants: %s, %s, %i px', async (language, theme, width) => {
		service.credentials = true;
		service.answers = { 'entra-ada': answerOf('ada', ['plant_a', 'plant_b']) };
		const { page, expectAccessible } = await open({ language, theme, size: { width, height: 900 } });
		await expectAccessible();
		await button(page, 'Entra').click();
		await entra.signIn(page, 'ada');
		await page.getByRole('button', { name: 'plant_a' }).waitFor();
		await expectAccessible();
		await page.getByRole('button', { name: 'plant_a' }).click();
		await page.locator('.tile').first().waitFor();
		if (width === 320) await page.locator('.topbar button').click();
		const change = page.getByRole('button', { name: /· (Change the plant|Cambiar de planta)$/ });
		await expectAccessible();
		await change.click();
		await page.getByRole('dialog').getByRole('button', { name: 'plant_b' }).waitFor();
		await expectAccessible();
	});
});

const english = {
	...{ byProvider: 'engineer by entra', givenHere: 'administrator given here' },
	...{ atLeast: 'entra gives at least engineer: for a lower role, change the grant.', viewer: /^viewer/, save: 'Save role' },
	refused: 'The sign-in provider gives the role engineer: change the grant to lower it.',
};
const spanish = {
	...{ byProvider: 'ingeniero por entra', givenHere: 'administrador dado aquí' },
	...{
		atLeast: 'entra da como mínimo ingeniero: para un rol menor, cambie la concesión.',
		viewer: /^consulta/,
		save: 'Guardar el rol',
	},
	refused: 'El proveedor de acceso da el rol ingeniero: para bajarlo, cambie la concesión.',
};
