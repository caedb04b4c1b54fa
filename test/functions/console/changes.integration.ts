import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, signInAs } from '#test/e2e/target.ts';
import { saveAsEarlier } from '#test/support/builders/damage.ts';
import { isFocused } from '#test/support/console-page.ts';
import { serveConsole } from '#test/support/serve-console.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the service.
type Item = any;

/** Where the items of the demo are read and saved, and what is changed of them. */
const paths = {
	variable: {
		...{ read: '/getVarsTsdb?limit=1&after=23', save: '/saveVariable' },
		changed: ({ version: _, ...variable }) => ({ ...variable, unit: `${variable.unit}.` }),
	},
	chart: {
		...{ read: '/getCharts?ids=29', save: '/saveChart' },
		changed: ({ id, title, series }) => ({ id, title: `${title}.`, series }),
	},
	diagram: {
		...{ read: '/getDiagrams?ids=31', save: '/saveDiagram' },
		changed: ({ version: _, ...diagram }) => ({ ...diagram, title: `${diagram.title}.` }),
	},
	alarm: {
		...{ read: '/getAlarms?ids=33', save: '/saveAlarm' },
		changed: ({ id, name, varId, condition, threshold, severity, message }) => ({
			...{ id, name: `${name}.`, varId, condition, threshold, severity, message },
		}),
	},
	panel: {
		...{ read: '/bombs', save: '/bombs' },
		changed: ({ title, pumps, states }) => ({
			title: `${title}.`,
			...Object.fromEntries(
				Object.entries({ pumps, states }).map(([list, items]) => [
					list,
					items.map(({ id, name, varId, type, bit }: Item) => ({ id, name, varId, type, ...(bit === null ? {} : { bit }) })),
				]),
			),
		}),
	},
} as const satisfies Record<string, { read: string; save: string; changed: (item: Item) => unknown }>;

describe.skipIf(inject('chromium') === null)('the screen of changes, in Chromium', () => {
	const { open, target } = serveConsole({ DEMO_PLANT: 'on' });
	/** The items of a test: a variable with three versions, a chart with two, and a diagram that was deleted. */
	let variable: number;
	let chart: number;
	let lost: number;
	/** The number of charts that were made so far. */
	let charts = 0;

	beforeEach(async () => {
		const as = async (person: 'a' | 'shift') => (await signInAs(target, person)).token;
		const [engineer, operator] = [await as('a'), await as('shift')];
		const post = async (path: string, body: unknown, token = engineer) => {
			const { status, body: answer, text } = await call(target, 'POST', path, { token, body });
			expect(status, text).toBe(200);
			return answer.data;
		};
		const { body } = await call(target, 'GET', '/getVarsTsdb?limit=1&after=23', { token: engineer });
		const { version: _, ...copy } = body.data[0];
		({ id: variable } = await post('/saveVariable', { ...copy, id: 0 }));
		await post('/saveVariable', { ...copy, id: variable, unit: '%%' });
		await post('/saveVariable', { ...copy, id: variable, process: 'filtration' });
		({ id: chart } = await post('/saveChart', { id: 0, title: 'Night shift', series: [{ varId: 4 }] }, operator));
		charts += 1;
		await post('/saveChart', { id: chart, title: 'Night and day', series: [{ varId: 4 }, { varId: 13 }] }, operator);
		({ id: lost } = await post('/saveDiagram', { id: 0, title: 'Lost one', items: [{ varId: 4, x: 0.5, y: 0.5 }] }));
		await call(target, 'POST', `/deleteDiagram/${lost}`, { token: engineer });
	});

	/** Changes an item of the demo, so that it has two versions. */
	const changeOne = async (kind: keyof typeof paths): Promise<void> => {
		const { token } = await signInAs(target, 'a');
		const { read, save, changed } = paths[kind];
		const { data } = (await call(target, 'GET', read, { token })).body;
		const body = changed(Array.isArray(data) ? data[0] : data);
		const { status, text } = await call(target, 'POST', save, { token, body });
		expect(status, text).toBe(200);
	};

	test('lists who changed what by days, compares field by field, and goes on by keys', async () => {
		const { page, goTo, violations, faults } = await open({ route: '/overview' });
		await page.keyboard.press('8');
		const grid = page.getByRole('grid', { name: 'Changes' });
		await grid.getByText(/^Today · /).waitFor();
		await grid
			.getByRole('row', { name: /Lost one/ })
			.first()
			.click();
		await page.getByRole('heading', { name: 'Lost one' }).waitFor();
		expect(await page.locator('.change').innerText()).toMatch(/deleted[\s\S]*operator@plant-a\.example[\s\S]*API/);
		await page.keyboard.press('F8');
		await page
			.locator('.change .muted')
			.getByText(/diagram \d+ · created/)
			.waitFor();
		await page.keyboard.press('F8');
		await page.getByRole('heading', { name: 'Night and day' }).waitFor();
		await page.locator('.change .conflict').waitFor();
		expect(await page.locator('.change .conflict').innerText()).toMatch(/Title\s+Night shift\s+Night and day/);
		expect(await page.locator('.change').innerText()).toContain('shift@plant-a.example');
		await grid.locator('tr[aria-selected=true]').focus();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		await page.locator('.version-readings dd').nth(2).waitFor();
		expect(await page.locator('.change .conflict').innerText()).toMatch(/%%[\s\S]*filtration/);
		const same = page.locator('.change details');
		expect(await same.innerText()).not.toContain('Stored volume');
		await same.getByText(/more fields did not change/).click();
		expect(await same.innerText()).toMatch(/Name\s+Stored volume/);
		expect(await violations()).toEqual([]);
		await goTo('/changes?kind=chart&days=31');
		await grid.getByText('Night and day').first().waitFor();
		expect(await grid.getByText('Lost one').count()).toBe(0);
		await page.getByLabel('Who').selectOption('shift@plant-a.example');
		await page.getByLabel('What', { exact: true }).first().selectOption('created');
		await expect.poll(() => grid.locator('tr[tabindex]').count()).toBe(charts);
		const download = page.waitForEvent('download');
		await page.getByRole('button', { name: 'CSV' }).click();
		const stream = await (await download).createReadStream();
		const csv = (await stream.toArray()).join('');
		expect(csv).toMatch(new RegExp(`,chart,${chart},Night shift,created,1,,,shift@plant-a.example,API,`));
		expect(faults).toEqual([]);
	});

	test('stores an earlier version as a new one, after it was compared with what is stored now', async () => {
		const { page, violations, faults } = await open({ route: `/changes?kind=variable&item=${variable}&act=changed` });
		const rows = page.getByRole('grid', { name: 'Changes' }).locator('tr[tabindex]');
		await expect.poll(() => rows.count()).toBe(2);
		await rows.nth(1).click();
		await page.getByRole('button', { name: 'Restore version 1…' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.locator('.conflict').waitFor();
		await dialog.locator('.version-readings dd').nth(1).waitFor();
		expect(await dialog.innerText()).toContain('Version 3 came after the change that you chose: restoring undoes it, too.');
		expect(await violations()).toEqual([]);
		await dialog.getByRole('button', { name: 'Restore as version 4' }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByText('Restored.').waitFor({ state: 'attached' });
		await expect.poll(() => rows.count()).toBe(3);
		await page.getByRole('button', { name: 'Restore version 1…' }).click();
		await dialog.getByText('This version is stored now.').waitFor();
		expect(await dialog.getByRole('button', { name: /^Restore as/ }).isDisabled()).toBe(true);
		expect(faults).toEqual([]);
	});

	test('says that somebody saved meanwhile, and compares anew', async () => {
		const { page } = await open({ route: `/changes?kind=chart&item=${chart}&act=changed`, tenant: 'shift' });
		await page.getByRole('grid', { name: 'Changes' }).locator('tr[tabindex]').first().click();
		await page.getByRole('button', { name: 'Restore version 1…' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('button', { name: 'Restore as version 3' }).waitFor();
		const { token } = await signInAs(target, 'a');
		const saved = { id: chart, title: 'Meanwhile', series: [{ varId: 4 }] };
		expect((await call(target, 'POST', '/saveChart', { token, body: saved })).status).toBe(200);
		await dialog.getByRole('button', { name: 'Restore as version 3' }).click();
		await dialog.getByText('Somebody else saved it meanwhile').waitFor();
		await expect.poll(() => dialog.locator('.conflict').innerText()).toContain('Meanwhile');
		await dialog.getByRole('button', { name: 'Restore as version 4' }).click();
		await dialog.waitFor({ state: 'detached' });
		const { body } = await call(target, 'GET', '/getCharts', { token });
		expect(body.data.find(({ id }: { id: number }) => id === chart)).toMatchObject({ title: 'Night shift', version: 4 });
	});

	test('brings a deleted diagram back under its id by keyboard, in Spanish, and says why it cannot twice', async () => {
		const { page, focusByKey, expectAccessible } = await open({
			...{ route: `/changes?kind=diagram&item=${lost}`, language: 'es', theme: 'dark', size: { width: 320, height: 800 } },
		});
		const rows = page.getByRole('grid', { name: 'Cambios' }).locator('tr[tabindex]');
		await rows.first().waitFor();
		await focusByKey(rows.first());
		await page.keyboard.press('Enter');
		const button = page.getByRole('button', { name: 'Restaurar…' });
		await button.waitFor();
		await expectAccessible();
		await focusByKey(button);
		await page.keyboard.press('Enter');
		const restore = page.getByRole('dialog').getByRole('button', { name: 'Restaurar', exact: true });
		await focusByKey(restore);
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		const { token } = await signInAs(target, 'a');
		const { body } = await call(target, 'GET', '/getDiagrams', { token });
		expect(body.data.find(({ id }: { id: number }) => id === lost)).toMatchObject({ title: 'Lost one', version: 3 });
		await expect.poll(() => button.evaluate(isFocused)).toBe(true);
		await page.keyboard.press('Enter');
		await restore.click();
		await page.getByRole('dialog').locator('.banner.error').waitFor();
		expect(await restore.isDisabled()).toBe(true);
	});

	test('is read by everybody, and offers restoring to those only who may', async () => {
		for (const [tenant, ofVariable, ofChart] of [
			['viewer', 0, 0],
			['shift', 0, 1],
			['a', 1, 1],
		] as const) {
			const { page, faults, goTo, close } = await open({ tenant, route: `/changes?kind=variable&item=${variable}&act=changed` });
			const row = page.getByRole('grid', { name: 'Changes' }).locator('tr[tabindex]').first();
			const restores = page.getByRole('button', { name: /^Restore version/ });
			await row.click();
			await page.locator('.change .conflict').waitFor();
			expect([tenant, await restores.count()]).toEqual([tenant, ofVariable]);
			await goTo(`/changes?kind=chart&item=${chart}&act=changed`);
			await page.getByText('Only ', { exact: false }).waitFor();
			await page.getByRole('grid', { name: 'Changes' }).getByText('chart', { exact: false }).first().waitFor();
			await row.click();
			await page.locator('.change .conflict').waitFor();
			expect([tenant, await restores.count()]).toEqual([tenant, ofChart]);
			expect(faults).toEqual([]);
			await close();
		}
	});

	test('says that nothing changed, and that a change is not in the journal', async () => {
		const { page, goTo, violations } = await open({ tenant: 'b', route: '/changes?kind=report' });
		await page.getByText('No changes in this time').waitFor();
		await goTo('/changes/variable-9-999');
		await page.getByRole('alert').waitFor();
		expect(await violations()).toEqual([]);
	});

	test.each([
		['/variables/24', 'variable'],
		['/trend?chart=29&range=1h', 'chart'],
		['/diagram/31', 'diagram'],
		['/alarms/33', 'alarm'],
		['/station', 'panel'],
	] as const)('are beside the item at %s, each with before and after', async (route, kind) => {
		await changeOne(kind);
		const { page, focusByKey, violations, faults } = await open({ route });
		const opens = page.getByRole('button', { name: 'Changes', exact: true });
		await focusByKey(opens);
		await page.keyboard.press('Enter');
		const history = page.getByRole('region', { name: 'Changes' });
		await expect.poll(() => history.getByRole('heading', { name: 'Changes' }).evaluate(isFocused)).toBe(true);
		const rows = history.getByRole('grid').locator('tr[tabindex]');
		await rows.first().waitFor();
		await focusByKey(rows.first());
		await page.keyboard.press('Enter');
		await history.locator('.conflict').waitFor();
		await history.getByRole('button', { name: /^Restore version \d+…$/ }).waitFor();
		if (kind === 'variable') await history.locator('.version-readings dd').nth(2).waitFor();
		expect(await violations()).toEqual([]);
		await page.setViewportSize({ width: 320, height: 800 });
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
		await history.getByRole('button', { name: 'Close' }).click();
		await history.waitFor({ state: 'detached' });
		expect(faults).toEqual([]);
	});

	test('restores beside the editor, which goes on with what is stored', async () => {
		await changeOne('variable');
		const { page } = await open({ route: '/variables/24' });
		await page.getByRole('button', { name: 'Changes', exact: true }).click();
		const history = page.getByRole('region', { name: 'Changes' });
		await history.getByRole('grid').locator('tr[tabindex]').last().click();
		await history.getByText('variable 24 · created').waitFor();
		await history.getByRole('grid').locator('tr[tabindex]').first().click();
		await history.getByRole('button', { name: /^Restore version/ }).click();
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^Restore as version/ })
			.click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		const { token } = await signInAs(target, 'a');
		const { body } = await call(target, 'GET', '/getVarsTsdb?limit=1&after=23', { token });
		await page.getByText(`id 24 · version ${body.data[0].version}`).waitFor();
		expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe(body.data[0].unit);
	});

	test('leads from the deletion of a variable to the charts that lost it, and back, and restores both', async () => {
		const { token } = await signInAs(target, 'a');
		const send = async (path: string, body?: unknown) => (await call(target, 'POST', path, { token, body })).body.data;
		const { body } = await call(target, 'GET', '/getVarsTsdb?limit=1&after=23', { token });
		const { id, version: _, ...copy } = body.data[0];
		const doomed = await send('/saveVariable', { ...copy, id: 0, name: 'Doomed' });
		expect(doomed.id).not.toBe(id);
		const series = [{ varId: 4 }, { varId: doomed.id }];
		const board = await send('/saveChart', { id: 0, title: 'Two lines', series });
		await send(`/deleteVar/${doomed.id}`);
		const { page, violations, faults } = await open({ route: `/changes?kind=variable&item=${doomed.id}&act=deleted` });
		await page.getByRole('grid', { name: 'Changes' }).locator('tr[tabindex]').click();
		const lost = page.getByRole('region', { name: 'Changed by this deletion' });
		await lost.getByRole('link', { name: 'Two lines' }).waitFor();
		expect(await violations()).toEqual([]);
		await page.getByRole('button', { name: 'Restore…' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await lost.getByRole('link', { name: 'Two lines' }).click();
		await page.getByRole('link', { name: `because variable ${doomed.id} was deleted` }).waitFor();
		await page.getByRole('button', { name: 'Restore version 1…' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Restore as version 3' }).click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		const found = (await call(target, 'GET', `/getCharts?ids=${board.id}`, { token })).body.data;
		expect(found[0]).toMatchObject({ title: 'Two lines', series, version: 3 });
		await page.getByRole('link', { name: `because variable ${doomed.id} was deleted` }).click();
		await page.getByRole('heading', { name: 'Doomed' }).waitFor();
		expect(faults).toEqual([]);
	});

	test.each([
		['en', 'Not known of the version before, so that it cannot be restored: background.', 'What this change made is not known'],
		['es', 'No se conoce de la versión anterior, y por eso no se puede restaurar: fondo.', 'No se sabe qué dejó este cambio'],
	] as const)(
		'says which large field of a version is not known, and offers no restoring that would lose it (%s)',
		async (language, ...words) => {
			const { token } = await signInAs(target, 'a');
			const save = async (body: object) =>
				(await call(target, 'POST', '/saveDiagram', { token, body: { items: [], ...body } })).body.data;
			const background = `<svg xmlns="http://www.w3.org/2000/svg"><desc>${'x'.repeat(5000)}</desc></svg>`;
			const { id } = await save({ id: 0, title: 'Known', background });
			await save({ id, title: 'Known in part' });
			const { page, faults, violations, goTo } = await open({ language, route: `/changes/diagram-2-${id}` });
			const restore = page.getByRole('button', { name: /^(Restore version|Restaurar la versión) 1…$/ });
			await restore.waitFor();
			await saveAsEarlier(target.store, 'plant_a', id, { title: 'Earlier', background: background.replace('x', 'y') });
			await goTo('/changes');
			await goTo(`/changes/diagram-2-${id}`);
			for (const sentence of words) await page.getByText(sentence).waitFor();
			expect(await restore.count()).toBe(0);
			expect([await violations(), faults]).toEqual([[], []]);
		},
	);
});
