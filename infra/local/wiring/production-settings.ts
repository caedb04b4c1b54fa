import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { httpUrl, nonEmpty, readConfig } from '#shared/config.ts';
import { type LocalSettings, memoryState, readLocalSettings } from './settings.ts';
import { openDirectory, stateFiles } from './state.ts';

const off = v.optional(v.literal('off', 'is for npm start.'));

/** What production needs, and what it does not take, beside the rules of all settings. */
const neededSchema = v.pipe(
	v.object({
		STATE_DIR: v.pipe(
			nonEmpty,
			v.check((directory) => directory !== memoryState, 'must be a folder.'),
		),
		DEMO_PLANT: off,
		DEMO_IDP: off,
		WRITE_TOKEN: v.optional(
			v.pipe(
				nonEmpty,
				v.check((token) => token.length >= 20, 'must have 20 characters or more.'),
			),
		),
		AUTH_URL: v.optional(httpUrl),
		IDP_TOKEN: v.optional(nonEmpty),
		IDP_PRODUCT_ID: v.optional(nonEmpty),
	}),
	v.forward(
		v.check(({ AUTH_URL, IDP_TOKEN }) => AUTH_URL === undefined || IDP_TOKEN !== undefined, 'is required with AUTH_URL.'),
		['IDP_TOKEN'],
	),
	v.forward(
		v.check(
			({ AUTH_URL, IDP_PRODUCT_ID }) => AUTH_URL === undefined || IDP_PRODUCT_ID !== undefined,
			'is required with AUTH_URL.',
		),
		['IDP_PRODUCT_ID'],
	),
);

/**
 * Reads the settings of production. They have nothing of the demo: no identity provider, no plant, no token that everybody knows. The token
 * of the write API is WRITE_TOKEN, or the one in a file of STATE_DIR, which the first call makes.
 * @throws ConfigError when settings are missing or wrong, or STATE_DIR cannot be used
 */
export async function readProductionSettings(environment?: Readonly<Record<string, string | undefined>>): Promise<LocalSettings> {
	const { STATE_DIR, WRITE_TOKEN } = readConfig(neededSchema, environment);
	const settings = readLocalSettings(environment);
	return {
		...settings,
		isProduction: true,
		hasDemoIdp: false,
		DEMO_PLANT: 'off',
		WRITE_TOKEN: WRITE_TOKEN ?? (await keptWriteToken(STATE_DIR)),
	};
}

/** Returns the file with the token of the write API. */
export function writeTokenFile(stateDirectory: string): string {
	return join(stateDirectory, stateFiles.others[0]);
}

const tokenBytes = 32;

const ownerOnly = 0o600;

/** Returns the stored token of the write API. The first call makes it. */
function keptWriteToken(stateDirectory: string): Promise<string> {
	return openDirectory(stateDirectory, () => {
		const file = writeTokenFile(stateDirectory);
		if (!existsSync(file))
			writeFileSync(file, `${randomBytes(tokenBytes).toString('base64url')}\n`, { mode: ownerOnly, flag: 'wx' });
		return readFileSync(file, 'utf8').trim();
	});
}
