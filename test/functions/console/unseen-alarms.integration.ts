import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { call, callOk, signIn, tenants } from '#test/e2e/target.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** The number of acts, and the milliseconds from one to the next. */
const [acts, actMs] = [casesOf(250), 3600];
const alarmCount = 200;

/** Keys of navigation and of acknowledging. No key signs out, and none closes the page. */
const keys = ['Shift+A', 'Shift+A', 'a', 'Enter', 'Tab', 'Escape', '1', '4', 'r', 'ArrowDown'];

describe.skipIf(inject('chromium') === null)('acknowledging at random, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on', TOKEN_LIFETIME_SECONDS: '86400' });
	const { target } = served;

	let plants = 0;
	/** Stores 200 alarms on the demo's variables, with names of their own, and returns these by id. */
	const storeAlarms = async (): Promise<Map<number, string>> => {
		const token = await signIn(target, 'a');
		const [{ id: varId }] = (await call(target, 'GET', '/getVarsTsdb', { token })).body.data;
		const names = new Map<number, string>();
		plants += 1;
		for (let number = 0; number < alarmCount; number += 1) {
			const name = `Random ${plants}-${String(number).padStart(3, '0')}.`;
			const severity = (['critical', 'warning', 'info'] as const)[number % 3];
			const body = { id: 0, name, varId, condition: '>', threshold: 1e9, severity, message: 'Look.' };
			const { data } = await callOk(target, 'POST', '/saveAlarm', { token, body });
			names.set(data.id, name);
		}
		return names;
	};

	/** The words that can be read where an act is about to happen: on the line only its alarm is acknowledged. */
	const readable = (page: Page): Promise<string> =>
		page.evaluate<string>(`(() => {
			const line = document.querySelector('.alarm-worst b');
			return location.hash.startsWith('#/alarms') ? document.body.innerText : (line?.textContent ?? '');
		})()`);

	test(`with 200 alarms and ${acts} acts no occurrence is acknowledged that nobody had seen (seed ${firstSeed})`, {
		timeout: 60_000 + acts * 500,
	}, async () => {
		const names = await storeAlarms();
		const ids = [...names.keys()];
		const random = randomFrom(firstSeed);
		const below = (count: number): number => Math.floor(random() * count);
		const { page, faults } = await served.open({ tenant: 'a', route: '/overview', stopsClock: true });
		const clock = createPageClock(page);
		page.on('dialog', (dialog) => void dialog.accept());
		const known = new Map<number, number>();
		const noted: Promise<void>[] = [];
		const refused: string[] = [];
		page.on('response', (response) => {
			if (response.status() === 400) refused.push(new URL(response.url()).pathname);
		});
		page.on('response', (response) => {
			if (!response.url().endsWith('/getAlarms') || !response.ok()) return;
			const note = async () => {
				const { data } = JSON.parse(await response.text().catch(() => '{"data":[]}'));
				for (const { id, name, occurrence } of data) {
					known.set(id, occurrence);
					names.set(id, name);
				}
			};
			noted.push(note());
		});
		// What the page knew before its answers were noted: the alarms of the demo, too.
		const listing = await call(target, 'GET', '/getAlarms', { token: await signIn(target, 'a') });
		for (const { id, name, occurrence } of listing.body.data) {
			known.set(id, occurrence);
			names.set(id, name);
		}
		await page.keyboard.press('r');
		await clock.move(1000);
		let seen = { words: '', occurrences: new Map<number, number>() };
		const unseen: string[] = [];
		let acknowledged = 0;
		page.on('request', (request) => {
			if (!request.url().endsWith('/ackAlarms')) return;
			for (const { id, occurrence } of request.postDataJSON().alarms) {
				acknowledged += 1;
				const isSeen = seen.words.includes(names.get(id) ?? 'nothing');
				if (!isSeen || occurrence > (seen.occurrences.get(id) ?? 0)) unseen.push(`${names.get(id)} ${occurrence}: ${seen.words}`);
			}
		});
		const raiseSome = async () => {
			if (random() < 0.3) await raiseAlarm(target.alarms, tenants.a.schemaName, ids[below(ids.length)] ?? 0);
		};
		for (let act = 0; act < acts; act += 1) {
			await raiseSome();
			const heldMs = below(1500);
			await clock.move(actMs - 750);
			const button = page.locator('.alarm-line .btn').first();
			const place = random() < 0.6 && (await button.isVisible()) ? await button.boundingBox() : null;
			await Promise.all(noted.splice(0));
			seen = { words: await readable(page), occurrences: new Map(known) };
			if (random() < 0.4) {
				await page.keyboard.press(keys[below(keys.length)] ?? 'Escape');
				await clock.move(heldMs);
			} else {
				// Beside the button: anywhere on the screen but the rail, where somebody could sign out.
				const [x, y] = place === null ? [300 + below(1100), below(880)] : [place.x + place.width / 2, place.y + place.height / 2];
				await page.mouse.move(x, y);
				await page.mouse.down();
				await raiseSome();
				await clock.move(heldMs);
				await page.mouse.up();
			}
			if (act % 25 === 24) await page.evaluate("location.hash = '/overview'");
		}
		await clock.move(5000);
		expect(unseen).toEqual([]);
		// Of none nothing would follow.
		expect(acknowledged).toBeGreaterThan(acts / 50);
		// The page is ahead of the service, by the time of all acts. After its midnight it asks for entries of a day that has not begun there.
		expect(refused.filter((path) => path !== '/alarmEvents')).toEqual([]);
		expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
	});
});
