import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, wideLooks } from '#test/support/console-page.ts';
import { serveConsole, serveConsoleForEach } from '#test/support/serve-console.ts';

type PlantTenant = 'a' | 'b';

/** What the wells measure, with the units that people type. Names in the order of the table. */
const measures = [
	['conductivity', 'µS/cm'],
	['current', 'A'],
	['flow', 'm³/h'],
	['level', 'm'],
	['pressure', 'bar'],
] as const;
const wells = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The 40 topics with their newest values. */
const topics = wells.flatMap((well) =>
	measures.map(([measure, unit], index) => ({
		topic: `wells/${well}/${measure}`,
		unit,
		value: well * 10 + index + 0.25,
		well,
		measure,
	})),
);

/** The lines that Telegraf writes: the host as a tag, a sample every 10 s until now. */
const telegrafLines = (now: number): string =>
	topics
		.flatMap(({ topic, value }) => [3, 2, 1, 0].map((ago) => `${topic},host=plc1 value=${value - ago} ${now - ago * 10_000}`))
		.join('\n');

/** Counts what a person does, in the page: trusted clicks and pressed keys. */
const countActs = `{
	globalThis.acts = { clicks: 0, keys: 0 };
	addEventListener('click', (event) => { if (event.detail > 0) acts.clicks += 1; }, true);
	addEventListener('keydown', () => { acts.keys += 1; }, true);
}`;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const cell = (page: Page, row: number, column: number) =>
	page.locator('.describe-grid tbody tr').nth(row).locator('td').nth(column);
const row = (page: Page, topic: string) => page.locator('.add-series tbody tr').filter({ hasText: topic });
const acts = (page: Page) => page.evaluate<{ readonly clicks: number; readonly keys: number }>('acts');

describe.skipIf(inject('chromium') === null)('adding from the database, in Chromium', () => {
	describe('forty topics of an empty tenant', () => {
		const served = serveConsoleForEach();
		beforeEach(async () => {
			for (const database of ['plant_a', 'plant_b']) await served.target.feed(database, telegrafLines(Date.now()));
		});

		const open = async (options: ConsoleOptions) => {
			const opened = await served.open({ route: '/variables', script: countActs, ...options });
			/** What the service refused: the browser reports each as a fault. */
			const refused: string[] = [];
			opened.page.on('response', (response) => {
				if (response.status() >= 400) refused.push(new URL(response.url()).pathname);
			});
			return { ...opened, refused };
		};
		/** A plant has no panel before its first save. */
		const noPanel = '/bombs';
		/** Returns what is stored and what it reads from samples of now, by topic. */
		const stored = async (tenant: PlantTenant) => {
			await served.target.feed(`plant_${tenant}`, telegrafLines(Date.now()));
			const token = await signIn(served.target, tenant);
			const variables = (await call(served.target, 'GET', '/getVarsTsdb', { token })).body.data;
			const readings = (await call(served.target, 'POST', '/multipleDataTsdb', { token })).body.data;
			return variables.map(
				(variable: { readonly id: number; readonly name: string; readonly unit: string; readonly process: string }) => {
					const { value, quality } = readings.find(({ id }: { readonly id: number }) => id === variable.id);
					const [query] = Object.values((variable as unknown as { varsTsdb: Record<string, Record<string, unknown>> }).varsTsdb);
					const { calc_topic: topic, calc_period: period, calc_unit_period: periodUnit } = query ?? {};
					const { name, unit, process } = variable;
					return { topic, name, unit, process, value, quality, period, periodUnit };
				},
			);
		};
		const expected = topics.map(({ topic, unit, value, well, measure }) => ({
			...{ topic, unit, value, process: 'wells', quality: 'good', period: 10, periodUnit: 's' },
			name: `Well ${well} ${measure}`,
		}));

		test('become forty variables by mouse, and one of them has an alarm', async () => {
			const { page, faults, origins, refused } = await open({ tenant: 'a' });
			await button(page, 'Add from the database').first().click();
			await page.getByText('wells/8/pressure').waitFor();
			await page.getByRole('checkbox', { name: 'Choose all that have no variable' }).click();
			await button(page, 'Describe 40').click();
			await page.getByLabel('Names from the topic').click();
			await page.getByLabel('Names from the topic').fill('Well {2} {3}');
			for (const [index, [, unit]] of measures.entries()) {
				await cell(page, index, 1).click();
				await page.keyboard.type(unit);
			}
			await button(page, 'Create 40').click();
			await page.getByText('40 of 40 created').waitFor();
			await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Done');
			await button(page, 'Done').click();
			await page.getByText('40 variables created').first().waitFor();
			const { clicks } = await acts(page);
			expect(clicks).toBeLessThanOrEqual(11);
			expect(await stored('a')).toEqual(expected);

			await page.evaluate("location.hash = '/alarms'");
			await button(page, 'New alarm').click();
			await page.getByLabel('Name').fill('Well 3 empty');
			await page.getByRole('combobox', { name: 'Variable' }).fill('3 level');
			await page.getByRole('option', { name: 'Well 3 level' }).click();
			await page.getByLabel('Condition').selectOption('<');
			await page.getByLabel('Threshold').fill('50');
			await page.getByText('the condition holds').waitFor();
			await page.getByLabel('Message: what to do').fill('Stop the pump of well 3.');
			await button(page, 'Save').click();
			await page.getByRole('heading', { name: 'Well 3 empty' }).waitFor();
			expect([faults.length, [...origins]]).toEqual([refused.length, [served.target.baseUrl]]);
			expect(refused.filter((path) => path !== noPanel)).toEqual([]);
		});

		test('become forty variables by keyboard', async () => {
			const { page, faults, focusByKey, refused } = await open({ tenant: 'b' });
			await button(page, 'Add from the database').first().waitFor();
			await page.locator('#content').focus();
			await focusByKey(button(page, 'Add from the database').first());
			await page.keyboard.press('Enter');
			await page.getByText('wells/8/pressure').waitFor();
			await page.locator('#content').focus();
			await focusByKey(page.getByRole('checkbox', { name: 'Choose all that have no variable' }));
			await page.keyboard.press('Space');
			await focusByKey(button(page, 'Describe 40'), 'Shift+Tab');
			await page.keyboard.press('Enter');
			await focusByKey(page.getByLabel('Names from the topic'));
			await page.keyboard.press('Control+a');
			await page.keyboard.type('Well {2} {3}');
			await focusByKey(cell(page, 0, 0));
			await page.keyboard.press('ArrowRight');
			for (const [, unit] of measures) {
				await page.keyboard.press('F2');
				await page.keyboard.type(unit);
				await page.keyboard.press('Enter');
			}
			await page.getByText('40 ready', { exact: true }).waitFor();
			await focusByKey(button(page, 'Create 40'), 'Shift+Tab');
			await page.keyboard.press('Enter');
			await page.getByText('40 of 40 created').waitFor();
			await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Done');
			await page.keyboard.press('Enter');
			await page.getByText('40 variables created').first().waitFor();
			const { keys, clicks } = await acts(page);
			expect([keys <= 110, clicks], `${keys} keys`).toEqual([true, 0]);
			expect(await stored('b')).toEqual(expected);
			expect(faults).toHaveLength(refused.length);
			expect(refused.filter((path) => path !== noPanel)).toEqual([]);
		});
	});

	describe('forty tag sets of one topic', () => {
		const devices = Array.from({ length: 40 }, (_, index) => ({ slave: String(index + 1), value: index + 0.5 }));
		/** The lines that Telegraf writes of a Modbus line: one measurement, the devices in a tag. */
		const modbusLines = (now: number): string =>
			devices
				.flatMap(({ slave, value }) =>
					[2, 1, 0].map(
						(ago) => `modbus,host=gw,slave_id=${slave},type=holding_register level=${value - ago} ${now - ago * 10_000}`,
					),
				)
				.join('\n');
		const served = serveConsoleForEach();
		beforeEach(async () => {
			for (const database of ['plant_a', 'plant_b']) await served.target.feed(database, modbusLines(Date.now()));
		});

		const open = (options: ConsoleOptions) => served.open({ route: '/variables/add', script: countActs, ...options });
		/** Returns what is stored and what it reads from samples of now, in the order of the ids. */
		const stored = async (tenant: PlantTenant) => {
			await served.target.feed(`plant_${tenant}`, modbusLines(Date.now()));
			const token = await signIn(served.target, tenant);
			const variables: readonly { readonly id: number; readonly name: string; readonly varsTsdb: object }[] = (
				await call(served.target, 'GET', '/getVarsTsdb', { token })
			).body.data;
			const readings = (await call(served.target, 'POST', '/multipleDataTsdb', { token })).body.data;
			return variables.map(({ id, name, varsTsdb }) => {
				const { value, quality } = readings.find((reading: { readonly id: number }) => reading.id === id);
				return { name, tags: Object.values(varsTsdb)[0].calc_tags, value, quality };
			});
		};
		const expected = devices.map(({ slave, value }) => ({
			...{ name: `modbus ${slave} level`, tags: { slave_id: slave }, value, quality: 'good' },
		}));

		test('become forty variables by mouse, each reads its own device, and is listed with its variable', async () => {
			const { page, faults } = await open({ tenant: 'a' });
			await row(page, 'slave_id=40').waitFor();
			await page.getByRole('checkbox', { name: 'Choose all that have no variable' }).click();
			await button(page, 'Describe 40').click();
			await expect.poll(() => page.getByLabel('Names from the topic').inputValue()).toBe('{1} {slave_id} {field}');
			await page.getByLabel('Process of all').click();
			await page.keyboard.type('wells');
			await button(page, 'Create 40').click();
			await page.getByText('40 of 40 created').waitFor();
			expect((await acts(page)).clicks).toBe(4);
			expect(await stored('a')).toEqual(expected);
			expect(faults).toEqual([]);
			await button(page, 'Done').click();
			await page.evaluate("location.hash = '/variables/add'");
			await row(page, 'slave_id=7').getByRole('link', { name: 'modbus 7 level' }).waitFor();
		});

		test('become forty variables by keyboard', async () => {
			const { page, faults, focusByKey } = await open({ tenant: 'b' });
			await row(page, 'slave_id=40').waitFor();
			await page.locator('#content').focus();
			await focusByKey(page.getByRole('checkbox', { name: 'Choose all that have no variable' }));
			await page.keyboard.press('Space');
			await focusByKey(button(page, 'Describe 40'), 'Shift+Tab');
			await page.keyboard.press('Enter');
			await focusByKey(page.getByLabel('Process of all'));
			await page.keyboard.type('wells');
			await page.getByText('40 ready', { exact: true }).waitFor();
			await focusByKey(button(page, 'Create 40'), 'Shift+Tab');
			await page.keyboard.press('Enter');
			await page.getByText('40 of 40 created').waitFor();
			expect((await acts(page)).clicks).toBe(0);
			expect(await stored('b')).toEqual(expected);
			expect(faults).toEqual([]);
		});
	});

	describe('a plant with something in it', () => {
		const served = serveConsole({ DEMO_PLANT: 'on' });
		beforeAll(async () => {
			const now = Date.now();
			await served.target.feed(
				'plant_a',
				[
					...['new/1/flow', 'new/2/flow', 'new/3/flow'].flatMap((topic) => [
						`${topic} value=1 ${now - 10_000}`,
						`${topic} value=2 ${now}`,
					]),
					`new/1/firmware version="2.4.1" ${now}`,
					`new/2/temp,site=a value="off" ${now - 5}`,
					`new/2/temp,site=b value="n/a" ${now}`,
					`new/1/status byte=5i ${now}`,
				].join('\n'),
			);
		});

		const open = (options: ConsoleOptions = {}) => served.open({ route: '/variables/add', ...options });
		const described = async (options: ConsoleOptions = {}) => {
			const opened = await open(options);
			const { page } = opened;
			await row(page, 'new/1/flow').click();
			await row(page, 'new/3/flow').click({ modifiers: ['Shift'] });
			await page.locator('.head .primary').click();
			await page.locator('.describe-grid').waitFor();
			return opened;
		};
		const stored = async (): Promise<readonly { readonly id: number; readonly name: string }[]> =>
			(await call(served.target, 'GET', '/getVarsTsdb', { token: await signIn(served.target, 'a') })).body.data;

		test('names existing variables, and locks text with the reason', async () => {
			const { page, faults } = await open();
			await row(page, 'plant/raw/level').getByRole('link', { name: 'Raw tank level', exact: true }).waitFor();
			expect(await row(page, 'plant/filters/washflow').innerText()).toContain('input of');
			await row(page, 'new/1/firmware').getByText('text: a variable needs numbers').click();
			await row(page, 'new/2/temp site=b').getByText('text: a variable needs numbers').click();
			await button(page, 'Describe 0').waitFor();
			// One that has a variable may have another one.
			await row(page, 'plant/raw/level').getByText('number').click();
			await button(page, 'Describe 1').waitFor();
			await page.getByRole('treeitem', { name: /^new/ }).click();
			await expect.poll(() => page.locator('.add-series tbody tr[tabindex]').count()).toBe(7);
			await page.getByRole('treeitem', { name: /^All/ }).focus();
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('ArrowRight');
			await page.getByRole('treeitem', { name: /^1/ }).waitFor();
			await page.getByRole('textbox', { name: 'Topic or field' }).fill('level value');
			await expect.poll(() => page.locator('.add-series tbody tr[tabindex]').count()).toBe(0);
			expect(faults).toEqual([]);
		});

		test('chooses by Space and a range by Shift, fills, pastes, and goes from fault to fault', async () => {
			const { page, faults, focusByKey } = await open();
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
			await row(page, 'new/1/firmware').waitFor();
			await page.locator('#content').focus();
			await focusByKey(page.locator('.add-series tbody tr[tabindex="0"]'));
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Space');
			await page.keyboard.press('End');
			await page.keyboard.press('Shift+Space');
			await page.keyboard.press('Home');
			expect(await row(page, 'new/1/firmware').getAttribute('aria-selected')).toBe('false');
			expect(await row(page, 'new/1/flow').getAttribute('aria-selected')).toBe('true');
			await page.getByRole('treeitem', { name: /^new/ }).click();
			await page.locator('.head .primary').click();
			await page.locator('.describe-grid tbody tr').nth(3).waitFor();
			// The rows of new/ are the first: flow of 1, status of 1, flow of 2 and 3.
			await cell(page, 0, 1).click();
			await page.keyboard.press('Escape');
			await page.evaluate("navigator.clipboard.writeText('l/s\\tWest\\nbits\\tEast')");
			await page.keyboard.press('Control+v');
			expect([await cell(page, 0, 1).innerText(), await cell(page, 1, 2).innerText()]).toEqual(['l/s', 'East']);
			// Units follow the one that was pasted.
			expect(await cell(page, 3, 1).innerText()).toBe('l/s');
			await page.keyboard.press('ArrowRight');
			await page.keyboard.press('Shift+ArrowDown');
			await page.keyboard.press('Shift+ArrowDown');
			await page.keyboard.press('Control+d');
			expect(await cell(page, 2, 2).innerText()).toBe('West');
			await page.keyboard.press('ArrowRight');
			await page.keyboard.press('ArrowUp');
			await page.keyboard.press('Enter');
			await page.keyboard.press('b');
			await page.keyboard.press('Enter');
			await expect.poll(() => cell(page, 1, 3).innerText()).toBe('Byte with bits');
			await page.keyboard.press('Home');
			await page.keyboard.press('F8');
			await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Byte with bits');
			expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe('true');
			await button(page, 'Name bits…').click();
			await page.getByRole('textbox', { name: 'Bit 0' }).fill('Running');
			await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
			await page.locator('.row-check').nth(1).getByText('00000101').waitFor();
			expect(faults).toEqual([]);
		});

		test('takes what is typed and pasted at human speed: signs in their order, and every cell', async () => {
			const { page, faults } = await described();
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
			/** What spreadsheets copy ends with a line end, also a single cell. */
			const copy = (text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
			const press = async (...keys: readonly string[]) => {
				for (const key of keys) await page.keyboard.press(key, { delay: 30 });
			};
			const units = () => Promise.all([0, 1, 2, 3].map((index) => cell(page, index, 1).innerText()));
			// The rows are flow and status of 1, flow of 2 and of 3. By mouse: a click opens the cell.
			await cell(page, 0, 1).click();
			await page.keyboard.type('mg/L', { delay: 60 });
			await press('Enter');
			expect(await cell(page, 0, 1).innerText()).toBe('mg/L');
			// By keyboard, without F2: the first sign opens the cell.
			await press('ArrowUp');
			await page.keyboard.type('m³/día', { delay: 60 });
			await press('Enter');
			expect(await cell(page, 0, 1).innerText()).toBe('m³/día');
			// A single cell, into an open cell and into a closed one.
			await copy('µS/cm\r\n');
			await cell(page, 1, 1).click();
			await press('Control+v', 'Enter');
			await press('Control+v');
			expect((await units()).slice(1, 3)).toEqual(['µS/cm', 'µS/cm']);
			// Several cells, into an open cell, at whatever was typed into it.
			await copy('l/s\r\nbits\r\nl/min\r\n');
			await cell(page, 0, 1).click();
			await page.keyboard.type('bar', { delay: 30 });
			await press('Control+v');
			await expect.poll(units).toEqual(['l/s', 'bits', 'l/min', 'l/s']);
			expect(await page.evaluate('document.activeElement.textContent')).toBe('l/s');
			// A choice takes a single cell, too.
			await copy('Byte with bits\r\n');
			await cell(page, 1, 3).click();
			await press('Control+v');
			await expect.poll(() => cell(page, 1, 3).innerText()).toBe('Byte with bits');
			// The next fault gets none of what is typed in another cell.
			await cell(page, 0, 2).click();
			await page.keyboard.type('West', { delay: 30 });
			await press('F8');
			await expect.poll(() => cell(page, 0, 2).innerText()).toBe('West');
			expect(await cell(page, 1, 3).innerText()).toBe('Byte with bits');
			expect(faults).toEqual([]);
		});

		test('takes a table by its heads and its topics, and says what has no place', async () => {
			const { page, faults } = await described();
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
			const rows = ['new/3/flow\tThird\t7\tl/s', 'new/1/flow\tFirst\t8\tl/min', 'new/9/flow\tNinth\t9\tbar'];
			const table = ['Topic\tNombre\tTag\tUnidad', ...rows].join('\r\n');
			await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(table)})`);
			await cell(page, 2, 5).click();
			await page.keyboard.press('Control+v', { delay: 30 });
			await page.getByText('has this name: Tag, new/9/flow.').waitFor();
			const texts = await Promise.all(
				[0, 2, 3].map(async (index) => [await cell(page, index, 0).innerText(), await cell(page, index, 1).innerText()]),
			);
			expect([texts[0], texts[2]]).toEqual([
				['First', 'l/min'],
				['Third', 'l/s'],
			]);
			expect(texts[1]).not.toContain('Ninth');
			await cell(page, 0, 0).click();
			await page.keyboard.type('Other', { delay: 30 });
			await page.keyboard.press('Enter');
			await expect.poll(() => page.getByText('has this name').count()).toBe(0);
			expect(faults).toEqual([]);
		});

		test('creates each once: a refused row and a lost answer stop nothing, and are tried again', async () => {
			const before = new Set((await stored()).map(({ id }) => id));
			const { page } = await described();
			await page.getByLabel('Names from the topic').fill('New {2} {3}');
			await button(page, /^Create 4/).waitFor();
			const keys: (readonly [string, string])[] = [];
			await page.route(/saveVariable$/, async (route) => {
				const request = route.request();
				const { name } = request.postDataJSON();
				keys.push([name, request.headers()['idempotency-key'] ?? '']);
				const tries = keys.filter(([each]) => each === name).length;
				if (name === 'New 1 flow' && tries === 1) {
					// It is stored, and nobody hears of it.
					await route.fetch();
					await route.abort();
				} else if (name === 'New 2 flow' && tries === 1)
					await route.fulfill({ status: 429, json: { message: 'Too Many Requests' } });
				else await route.continue();
			});
			await button(page, /^Create 4/).click();
			await page.getByText('Outcome not known: trying again is safe.').waitFor();
			await page.getByText('2 of 4 created').waitFor();
			await page.getByText('Not created:').waitFor();
			await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Try 2 again');
			expect(await button(page, 'Back').count()).toBe(0);
			await page.keyboard.press('Enter');
			await page.getByText('4 of 4 created').waitFor();
			const after = (await stored()).filter(({ id }) => !before.has(id)).map(({ name }) => name);
			expect(after.toSorted()).toEqual(['New 1 flow', 'New 1 status', 'New 2 flow', 'New 3 flow']);
			expect(new Set(keys.map(([, key]) => key)).size).toBe(4);
			expect(keys).toHaveLength(6);
		});

		test('goes back to what was left out, and what was created has a variable then', async () => {
			const { page } = await open();
			await row(page, 'new/1/status').click();
			await row(page, 'new/3/flow').click();
			await page.locator('.head .primary').click();
			await page.getByLabel('Names from the topic').fill('Back {2} {3}');
			await page.getByText('2 ready').waitFor();
			await cell(page, 0, 5).click();
			await page.keyboard.press('Control+a');
			await page.keyboard.type('soon');
			await page.keyboard.press('Enter');
			await page.locator('.row-check').first().getByText('Type a length: 10 s, 5 min, 1 h.').waitFor();
			await button(page, 'Create 1 of 2').click();
			await page.getByText('1 row was left out').waitFor();
			await button(page, 'Back').click();
			expect(await page.locator('.describe-grid tbody tr').count()).toBe(1);
			page.on('dialog', (dialog) => void dialog.accept());
			await button(page, 'Back').click();
			await row(page, 'new/3/flow').getByRole('link', { name: 'Back 3 flow' }).waitFor();
			await button(page, 'Describe 1').waitFor();
		});

		test('asks before it is left with something described, and is not left where the person stays', async () => {
			const { page, goTo } = await described();
			const asked: string[] = [];
			let stays = true;
			page.on('dialog', (dialog) => {
				asked.push(dialog.message());
				void (stays ? dialog.dismiss() : dialog.accept());
			});
			await goTo('/overview');
			await expect.poll(() => asked.length).toBe(1);
			expect(await page.locator('.describe-grid').count()).toBe(1);
			stays = false;
			await page.getByRole('link', { name: 'Overview' }).first().click();
			await page.getByRole('heading', { name: 'Overview' }).waitFor();
		});

		test('reads branch by branch where the database is slow, and says when it is not read', async () => {
			const { page } = await served.openEmpty();
			const asked: string[] = [];
			await page.route(/\/topics\?/, async (route) => {
				const { searchParams } = new URL(route.request().url());
				asked.push(searchParams.get('limit') ?? '');
				if (Number(searchParams.get('limit')) > 100)
					await route.fulfill({ status: 504, json: { tsdb: { code: 'dependency_slow', message: 'Slow.', params: {} } } });
				else await route.continue();
			});
			await page.goto(`${served.target.baseUrl}/console#/variables/add`);
			await page.getByText('The database answers slowly').waitFor();
			await row(page, 'new/1/flow').waitFor();
			expect(asked).toEqual(['500', '100']);
		});

		test('needs a wider window, and the role of an engineer', async () => {
			const narrow = await open({ size: { width: 320, height: 800 }, language: 'es' });
			await narrow.page.getByText('Necesita una ventana más ancha').waitFor();
			expect(await narrow.page.locator('.add-choose').isVisible()).toBe(false);
			await narrow.expectAccessible();
			const viewer = await open({ tenant: 'viewer' });
			await viewer.page.getByText('This needs the role engineer').waitFor();
			await viewer.goTo('/variables');
			await viewer.page.getByRole('link', { name: 'Raw tank level', exact: true }).waitFor();
			expect(await button(viewer.page, 'Add from the database').count()).toBe(0);
		});

		test.each(wideLooks)('has nothing that axe-core finds, in %s, %s', async (language, theme) => {
			const { page, expectAccessible, faults } = await open({ language, theme });
			await row(page, 'new/1/status').click();
			await expectAccessible();
			await page.locator('.head .primary').click();
			await page.locator('.describe-grid .good-mark').first().waitFor();
			await cell(page, 0, 3).click();
			await expectAccessible();
			await page.locator('.head .primary').click();
			await page.getByText(/created, id|creada, id/).waitFor();
			await expectAccessible();
			expect(faults).toEqual([]);
		});
	});

	describe('an empty database', () => {
		const { target, open } = serveConsoleForEach();

		test('says how to write to an empty database, from its own address', async () => {
			const { page, violations, faults } = await open({ route: '/variables/add', tenant: 'b' });
			await page.getByText('The database is empty').waitFor();
			expect(await page.locator('.command').innerText()).toContain(`curl -i '${target.baseUrl}/api/v2/write?bucket=plant_b'`);
			expect(await violations()).toEqual([]);
			await target.feed('plant_b', 'wells/1/level value=4.2');
			await button(page, 'Read again').click();
			await row(page, 'wells/1/level').waitFor();
			expect(faults).toEqual([]);
		});
	});
});
