import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { chromium, type Page } from 'playwright-core';
import * as v from 'valibot';
import { runTool } from '#infra/cli/run-tool.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { demoCredentials } from '#infra/local/demo/idp.ts';
import { startLocalServer } from '#infra/local/server.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { pathOf } from '#shared/contract.ts';

/** A picture of a screen of the console. */
interface Picture {
	readonly name: string;
	/** The part of the address after `#`. */
	readonly route: string;
	readonly theme: 'light' | 'dark';
	readonly width: number;
	readonly height: number;
}

const wide = { width: 1440, height: 900 } as const;

/** The pictures that the documents show. */
const pictures: readonly Picture[] = [
	// At most 200 KB: it stands at the top of the README.
	{ name: 'overview', route: '/overview', theme: 'light', width: 1280, height: 800 },
	{ name: 'diagram', route: '/diagram', theme: 'light', width: 1280, height: 800 },
	{ name: 'trend', route: '/trend?ids=13,19,4,16,11,12&range=24h', theme: 'light', ...wide },
	{ name: 'station', route: '/station', theme: 'dark', ...wide },
	{ name: 'alarms', route: '/alarms', theme: 'light', ...wide },
	{ name: 'phone', route: '/overview', theme: 'dark', width: 320, height: 700 },
];

/** The folder that the documents link to, beside the page's. */
const picturesFolder = fileURLToPath(new URL('../pictures/', import.meta.resolve('#page/index.html')));

/** How long a screen may read and draw before its picture is taken, in milliseconds. */
const settleMs = 4000;

const optionsSchema = v.object({ chromium: v.string(), out: v.string() });

/** `npm run pictures`: takes the pictures of the console that the documents show, of a demo plant that it starts for them. */
const program = new Command('pictures')
	.description('Takes the pictures of the console that the documents show, of a demo plant of its own.')
	.option('--chromium <path>', 'the browser', '/usr/bin/chromium')
	.option('--out <folder>', 'where the pictures go', picturesFolder)
	.action(async (given: unknown) => {
		const { chromium: executablePath, out } = v.parse(optionsSchema, given);
		mkdirSync(out, { recursive: true });
		await using opened = new AsyncDisposableStack();
		const local = await startLocalServer(readLocalSettings({ PORT: '0', STATE_DIR: 'memory' }), silentLog);
		opened.defer(() => local.close());
		const browser = await chromium.launch({ executablePath });
		opened.defer(() => browser.close());
		for (const { name, route, theme, width, height } of pictures) {
			const context = await browser.newContext({
				viewport: { width, height },
				colorScheme: theme,
				locale: 'en-GB',
				timezoneId: 'Europe/Madrid',
				reducedMotion: 'reduce',
			});
			const page = await context.newPage();
			await signIn(page, `${local.baseUrl}${pathOf('console')}`);
			await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
			await page.waitForTimeout(settleMs);
			await page.screenshot({ path: join(out, `${name}.png`) });
			await context.close();
			process.stdout.write(`${join(out, `${name}.png`)}\n`);
		}
	});

await runTool(program);

/** Signs in as the operator of the demo plant, with credentials in the address as a portal gives them. */
async function signIn(page: Page, address: string): Promise<void> {
	await page.goto(`${address}#${new URLSearchParams(demoCredentials)}`);
	await page.locator('form button[type=submit]').click();
	await page.locator('main').waitFor();
}
