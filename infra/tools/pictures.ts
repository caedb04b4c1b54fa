import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { demoCredentials } from '#infra/local/demo/idp.ts';
import { startLocalServer } from '#infra/local/server.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { pathOf } from '#shared/contract.ts';

/** A picture of a screen of the console. */
interface Picture {
	/** The name of its file, without `.png`. */
	readonly name: string;
	/** The part of the address after `#`. */
	readonly route: string;
	readonly theme: 'light' | 'dark';
	/** The size of the window, in CSS pixels. */
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

/** The setting of PORT with which the service takes any port that is free. */
const anyFreePort = '0';

const optionsSchema = v.object({ chromium: v.string(), out: v.string() });

/** `npm run pictures`: takes the pictures of the console that the documents show, of a demo plant that it starts for them. */
const program = new Command('pictures')
	.description('Takes the pictures of the console that the documents show, of a demo plant of its own.')
	.option('--chromium <path>', 'the browser', '/usr/bin/chromium')
	.option('--out <folder>', 'where the pictures go', picturesFolder)
	.action(takePictures);

await runTool(program);

async function takePictures(input: unknown): Promise<void> {
	const { chromium: executablePath, out: folder } = v.parse(optionsSchema, input);
	mkdirSync(folder, { recursive: true });
	await using cleanups = new AsyncDisposableStack();
	const service = await startLocalServer(readLocalSettings({ PORT: anyFreePort, STATE_DIR: 'memory' }), silentLog);
	cleanups.defer(() => service.close());
	await service.filled;
	const browser = await chromium.launch({ executablePath });
	cleanups.defer(() => browser.close());
	for (const picture of pictures) {
		const file = join(folder, `${picture.name}.png`);
		await takePicture(browser, { picture, consoleUrl: `${service.baseUrl}${pathOf('console')}`, file });
		print(file);
	}
}

async function takePicture(
	browser: Browser,
	{ picture, consoleUrl, file }: { readonly picture: Picture; readonly consoleUrl: string; readonly file: string },
): Promise<void> {
	const { route, theme, width, height } = picture;
	const context = await browser.newContext({
		viewport: { width, height },
		colorScheme: theme,
		locale: 'en-GB',
		timezoneId: 'Europe/Madrid',
		reducedMotion: 'reduce',
	});
	const page = await context.newPage();
	await signIn(page, consoleUrl);
	await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
	await page.waitForTimeout(settleMs);
	await page.screenshot({ path: file });
	await context.close();
}

/** Signs in as the operator of the demo plant, with credentials in the address as a portal gives them. */
async function signIn(page: Page, address: string): Promise<void> {
	await page.goto(`${address}#${new URLSearchParams(demoCredentials)}`);
	await page.locator('form button[type=submit]').click();
	await page.locator('main').waitFor();
}
