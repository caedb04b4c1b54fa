import { accessSync, constants } from 'node:fs';
import pc from 'picocolors';
import * as v from 'valibot';
import type { TestProject } from 'vitest/node';
import { nonEmpty, readConfig } from '#shared/config.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The path of Chromium; null when this machine does not have it, and tests in a browser are skipped. */
		readonly chromium: string | null;
	}
}

const environmentSchema = v.object({ CHROMIUM_PATH: v.optional(nonEmpty, '/usr/bin/chromium') });

/** Looks for Chromium. Each test starts it by itself. */
export function setup(project: TestProject): void {
	const { CHROMIUM_PATH: path } = readConfig(environmentSchema);
	try {
		accessSync(path, constants.X_OK);
		project.provide('chromium', path);
	} catch {
		console.error(pc.bold(pc.red(`\nTESTS IN A BROWSER ARE SKIPPED: there is no ${path}. CHROMIUM_PATH names another one.\n`)));
		project.provide('chromium', null);
	}
}
