import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, isFocused, wideLooks } from '#test/support/console-page.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** What the browser itself reports when the service refuses a save. */
const refusal = expect.stringContaining('412 (Precondition Failed)');

const expectFocusOn = (element: Locator) => expect.poll(() => element.evaluate(isFocused)).toBe(true);

describe.skipIf(inject('chromium') === null)('diagrams, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let token: string;
	beforeAll(async () => {
		token = await signIn(target, 'a');
	});

	const open = async (options: ConsoleOptions, refusals: readonly unknown[] = []) => {
		const console = await served.open({ route: '/diagram', ...options });
		onTestFinished(() => expect([console.faults, [...console.origins]]).toEqual([refusals, [target.baseUrl]]));
		const { page } = console;
		return {
			...console,
			item: (label: string) => page.locator('.drawing :is(a, button)', { hasText: label }),
			edit: async () => {
				await page.getByRole('radio', { name: 'Edit' }).check();
				await page.locator('.editing').waitFor();
			},
			saveButton: page.getByRole('button', { name: 'Save diagram' }),
			add: async (name: string) => {
				await page.getByRole('button', { name: 'Value', exact: true }).click();
				await page.getByRole('combobox', { name: 'Variable' }).fill(name);
				await page
					.getByRole('option', { name: new RegExp(`^${name}`) })
					.first()
					.click();
				await page.getByRole('heading', { name: 'New value' }).waitFor({ state: 'detached' });
				await expectFocus(page);
			},
			x: page.getByLabel('x', { exact: true }),
			y: page.getByLabel('y', { exact: true }),
			/** Waits until nothing is left to save. */
			saved: async () => {
				await page.getByText('not saved yet').waitFor({ state: 'detached' });
				await expectFocus(page);
			},
		};
	};
	const create = async (body: object) =>
		(await call(target, 'POST', '/saveDiagram', { token, body: { id: 0, ...body } })).body.data;
	const stored = async (id: number) =>
		(await call(target, 'GET', '/getDiagrams', { token })).body.data.find((diagram: { id: number }) => diagram.id === id);
	const remove = (id: number) => onTestFinished(async () => void (await call(target, 'POST', `/deleteDiagram/${id}`, { token })));

	test('shows live values as links to their trends, with bits as states', async () => {
		const { id } = await create({
			title: 'Values',
			items: [
				{ varId: 4, x: 0.15, y: 0.3 },
				{ varId: 18, bit: 4, x: 0.5, y: 0.5, label: 'Backwash' },
			],
		});
		remove(id);
		const { page, item } = await open({ route: `/diagram/${id}` });
		await page.locator('.drawing .value b', { hasText: /^\d/ }).first().waitFor();
		expect(await item('Raw tank level').innerText()).toMatch(/^Raw tank level · \d+ s\s+\d\.\d\dm$/);
		expect(await item('Raw tank level').getAttribute('href')).toBe('#/trend?ids=4');
		expect(await item('Backwash').innerText()).toMatch(/\s(On|Off)$/);
		const [drawing, drawn] = [await page.locator('.drawing').boundingBox(), await item('Raw tank level').boundingBox()];
		if (drawing === null || drawn === null) throw new Error('Nothing is drawn.');
		expect((drawn.x + drawn.width / 2 - drawing.x) / drawing.width).toBeCloseTo(0.15, 2);
		expect((drawn.y + drawn.height / 2 - drawing.y) / drawing.height).toBeCloseTo(0.3, 2);
	});

	test('by mouse: move, label, bind to a bit, add and remove values, and save', async () => {
		const { id } = await create({
			title: 'Mouse',
			items: [
				{ varId: 4, x: 0.2, y: 0.2, label: 'Raw' },
				{ varId: 13, x: 0.5, y: 0.5 },
			],
		});
		remove(id);
		const { page, item, edit, add, x, y, saveButton, saved } = await open({ route: `/diagram/${id}` });
		await edit();
		expect(await saveButton.isDisabled()).toBe(true);
		const drawing = await page.locator('.drawing').boundingBox();
		const drawn = await item('Raw').boundingBox();
		if (drawing === null || drawn === null) throw new Error('Nothing is drawn.');
		await page.mouse.move(drawn.x + 5, drawn.y + 5);
		await page.mouse.down();
		await page.mouse.move(drawn.x + 5 + drawing.width * 0.3, drawn.y + 5 + drawing.height * 0.1, { steps: 5 });
		await page.mouse.up();
		expect(await x.inputValue()).toBe('0.5');
		await y.fill('1.5');
		await page.getByText('Type a number from 0 to 1.').waitFor();
		await y.fill('0.35');
		await page.getByLabel('Label').fill('Raw water');
		await add('Plant status');
		await page.getByLabel('Bit', { exact: true }).selectOption('0 · Intake pump 1 running');
		await item('Distribution flow').click();
		await page.getByRole('button', { name: 'Remove from the diagram' }).click();
		await page.getByLabel('Title').fill('Moved');
		await saveButton.click();
		await saved();
		expect(await stored(id)).toEqual({
			id,
			version: 2,
			title: 'Moved',
			items: [
				{ varId: 4, x: 0.5, y: 0.35, label: 'Raw water' },
				{ varId: 18, bit: 0, x: 0.5, y: 0.6 },
			],
		});
	});

	test('by keyboard alone: a new diagram is made, arranged, saved and deleted', async () => {
		const { page, item, x, y, focusByKey, saved } = await open({});
		await focusByKey(page.getByRole('button', { name: 'New diagram' }));
		await page.keyboard.press('Enter');
		await focusByKey(page.getByLabel('Title'));
		await page.keyboard.press('Control+s');
		expect(page.url()).toMatch(/#\/diagram\/new$/);
		await page.keyboard.type('Keys');
		await focusByKey(page.getByRole('application'), 'Shift+Tab');
		await page.keyboard.press('d');
		await expectFocusOn(page.getByRole('combobox', { name: 'Variable' }));
		await page.keyboard.type('treated tank');
		await page.keyboard.press('Enter');
		await expectFocusOn(item('Treated tank level'));
		for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowLeft'])
			await page.keyboard.press(key);
		expect([await x.inputValue(), await y.inputValue()]).toEqual(['0.42', '0.59']);
		expect(await page.locator('main .sr[role=status]').innerText()).toBe(
			'Treated tank level: 0.42 from the left, 0.59 from the top',
		);
		await page.keyboard.press('Escape');
		expect([await x.inputValue(), await y.inputValue()]).toEqual(['0.5', '0.5']);
		await page.keyboard.press('Shift+ArrowUp');
		await page.keyboard.press('Control+s');
		await saved();
		await expect.poll(() => page.url()).toMatch(/#\/diagram\/\d+$/);
		const id = Number(page.url().split('/').at(-1));
		expect(await stored(id)).toMatchObject({ title: 'Keys', version: 1, items: [{ varId: 10, x: 0.5, y: 0.4 }] });

		await focusByKey(page.getByRole('radio', { name: 'View' }));
		await page.keyboard.press('ArrowRight');
		await focusByKey(page.getByRole('button', { name: 'Delete…' }));
		await page.keyboard.press('Enter');
		await focusByKey(page.getByRole('button', { name: 'Delete', exact: true }));
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await expect.poll(() => stored(id)).toBeUndefined();
		await expect.poll(() => page.url()).toMatch(/#\/diagram$/);
		await expectFocus(page);
	});

	test('undo belongs to the field or the drawing that has the focus', async () => {
		const { id } = await create({ title: 'Undo', items: [{ varId: 4, x: 0.2, y: 0.2, label: 'Raw' }] });
		remove(id);
		const { page, item, edit, add, x: left } = await open({ route: `/diagram/${id}` });
		await edit();
		const title = page.getByRole('textbox', { name: 'Title' });
		await title.fill('Title of today');
		await item('Raw').focus();
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('Control+z');
		await expect.poll(() => left.inputValue()).toBe('0.21');
		await page.keyboard.press('Control+z');
		await page.keyboard.press('Control+z');
		await expect.poll(() => left.inputValue()).toBe('0.2');
		await page.keyboard.press('Control+Shift+z');
		await expect.poll(() => left.inputValue()).toBe('0.21');
		expect(await page.locator('main .sr[role=status]').innerText()).toBe('Redone');
		// A drag is one step.
		const drawn = await item('Raw').boundingBox();
		if (drawn === null) throw new Error('Nothing is drawn.');
		await page.mouse.move(drawn.x + 5, drawn.y + 5);
		await page.mouse.down();
		await page.mouse.move(drawn.x + 105, drawn.y + 55, { steps: 5 });
		await page.mouse.up();
		expect(Number(await left.inputValue())).toBeGreaterThan(0.25);
		await page.keyboard.press('Control+z');
		await expect.poll(() => left.inputValue()).toBe('0.21');
		// An empty field has nothing to undo, and takes nothing back elsewhere.
		const find = page.getByRole('textbox', { name: 'Find in the list' });
		await find.focus();
		await page.keyboard.press('Control+z');
		expect([await title.inputValue(), await left.inputValue()]).toEqual(['Title of today', '0.21']);
		await add('Plant status');
		await item('Plant status').focus();
		await page.keyboard.press('Control+z');
		await expect.poll(() => item('Plant status').count()).toBe(0);
		await expectFocus(page);
		await title.focus();
		await page.keyboard.press('Control+z');
		await expect.poll(() => title.inputValue()).toBe('Undo');
		expect(await item('Raw').count()).toBe(1);
	});

	test('what somebody else saved stands beside the draft, and is never overwritten by itself', async () => {
		const { id } = await create({ title: 'Shared', items: [{ varId: 4, x: 0.2, y: 0.2 }] });
		remove(id);
		const { page, edit, add, saveButton, saved } = await open({ route: `/diagram/${id}` }, [refusal, refusal]);
		await edit();
		await add('Network pressure');
		await create({ id, title: 'Theirs', items: [{ varId: 4, x: 0.9, y: 0.2 }] });
		await saveButton.click();
		const conflict = page.getByRole('dialog', { name: 'Somebody else saved this diagram' });
		await conflict.waitFor();
		const sides = await conflict.getByRole('radio').all();
		expect(await Promise.all(sides.map((side) => side.getAttribute('aria-label')))).toEqual([
			'Title: Theirs: Theirs',
			'Title: Mine: Shared',
			'Raw tank level: Theirs: Raw tank level (Raw tank level): 0.9 · 0.2',
			'Raw tank level: Mine: Raw tank level (Raw tank level): 0.2 · 0.2',
			'Network pressure: Theirs: nothing',
			expect.stringMatching(/^Network pressure: Mine: Network pressure \(Network pressure\): 0\.\d+ · 0\.\d+$/),
		]);
		expect(await conflict.getByRole('radio', { name: 'Network pressure: Mine' }).isChecked()).toBe(true);
		await conflict.getByRole('radio', { name: 'Title: Mine' }).check();
		await conflict.getByRole('radio', { name: 'Raw tank level: Mine' }).check();
		await conflict.getByRole('button', { name: 'Go on with the choice' }).click();
		expect(await stored(id)).toMatchObject({ title: 'Theirs', version: 2 });
		await saveButton.click();
		await saved();
		expect(await stored(id)).toMatchObject({ title: 'Shared', version: 3, items: [{ varId: 4, x: 0.2 }, { varId: 17 }] });

		await page.getByLabel('Title').fill('Mine');
		await create({ id, title: 'Theirs again', items: [] });
		await saveButton.click();
		await page.getByRole('button', { name: 'Take theirs, drop mine' }).click();
		expect(await page.getByLabel('Title').inputValue()).toBe('Theirs again');
		expect(await saveButton.isDisabled()).toBe(true);
	});

	test('leaving with changes asks first, and discarding them does not', async () => {
		const other = await create({ title: 'Other', items: [] });
		remove(other.id);
		const { page, edit, goTo } = await open({});
		await edit();
		await page.getByLabel('Title').fill('Changed');
		const questions: string[] = [];
		const answer = (accept: boolean) =>
			page.once('dialog', (dialog) => {
				questions.push(dialog.message());
				void (accept ? dialog.accept() : dialog.dismiss());
			});
		answer(false);
		await page.getByRole('link', { name: 'Overview' }).first().click();
		await expect.poll(() => questions.length).toBe(1);
		expect(await page.getByLabel('Title').inputValue()).toBe('Changed');
		const which = page.getByRole('combobox', { name: 'Diagram', exact: true });
		const opened = await which.inputValue();
		answer(false);
		await which.selectOption('Other');
		await expect.poll(() => questions.length).toBe(2);
		await expect.poll(() => which.inputValue()).toBe(opened);
		await page.getByRole('button', { name: 'Discard' }).click();
		expect(await page.getByLabel('Title').inputValue()).toBe('Plant overview');
		await page.getByLabel('Title').fill('Changed again');
		answer(true);
		await goTo('/overview');
		await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
		expect(questions).toHaveLength(3);
	});

	test('a background is kept with the diagram, is drawn as a picture, and can be taken back', async () => {
		const { id } = await create({ title: 'Ground', items: [{ varId: 4, x: 0.2, y: 0.2 }] });
		remove(id);
		const { page, edit, saveButton, saved, reload } = await open({ route: `/diagram/${id}` });
		await edit();
		const svg =
			'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 130 90"><rect width="130" height="90" fill="#c1c6ca"/></svg>';
		const choose = (name: string, mimeType: string, text: string) =>
			page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
		await choose('page.svg', 'image/svg+xml', '<html><body>no picture</body></html>');
		await page.getByText('This file is not an SVG picture.').waitFor();
		await choose('broken.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><g>');
		await page.getByText('it cannot be read at line 1, column 44.').waitFor();
		await choose('large.svg', 'image/svg+xml', svg.replace('<rect', `<text>${'x'.repeat(200_001)}</text><rect`));
		await page.getByText(/^What can be drawn of this file has 200\s\d+ bytes, of at most 200\s000/).waitFor();
		expect(await page.locator('.drawing > img').count()).toBe(0);
		await choose('plant.svg', 'image/svg+xml', svg);
		const picture = page.locator('.drawing > img');
		await picture.waitFor();
		expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(0);
		await page.getByRole('application').focus();
		await page.keyboard.press('Control+z');
		await picture.waitFor({ state: 'detached' });
		await page.keyboard.press('Control+y');
		await picture.waitFor();
		await saveButton.click();
		await saved();
		expect((await stored(id)).background).toContain('<rect');
		await reload();
		await picture.waitFor();
		await edit();
		await page.getByRole('button', { name: 'Remove the background' }).click();
		await saveButton.click();
		await saved();
		expect((await stored(id)).background).toBeUndefined();
	});

	test.each(wideLooks)('has no fault of accessibility in %s, %s, viewed and edited', async (language, theme) => {
		const { page, expectAccessible } = await open({ language, theme });
		await page.locator('.drawing .value b', { hasText: /^\d/ }).first().waitFor();
		await expectAccessible();
		await page.getByRole('radio', { name: language === 'en' ? 'Edit' : 'Editar' }).check();
		await page.locator('.editing').waitFor();
		await page.locator('[data-entry]').first().click();
		await expectAccessible();
	});

	test('an empty tenant is told what a diagram is; a narrow window has a list', async () => {
		// There is no panel to begin with.
		const empty = await open({ tenant: 'b' }, [expect.stringContaining('404 (Not Found)')]);
		await empty.page.getByText('No diagrams yet').waitFor();
		expect(await empty.violations()).toEqual([]);
		await empty.page.getByRole('button', { name: 'New diagram' }).click();
		await empty.page.getByLabel('Title').waitFor();
		const { id } = await create({ title: 'Narrow', items: [{ varId: 4, x: 0.5, y: 0.5 }] });
		remove(id);
		const narrow = await open({ route: `/diagram/${id}`, language: 'es', size: { width: 320, height: 800 } });
		await narrow.page.getByRole('list', { name: 'Valores' }).getByText('Raw tank level').waitFor();
		expect(await narrow.page.locator('.drawing').isVisible()).toBe(false);
		await narrow.expectAccessible();
	});
});
