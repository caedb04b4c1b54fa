import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isSecretText } from '#adapters/secret.ts';
import { ConfigError, httpUrl, nonEmpty, readConfig } from '#shared/config.ts';
import { type LocalSettings, memoryState, readLocalSettings } from './settings.ts';
import { lockDirectory, openDirectory, stateFiles } from './state.ts';

/** Least characters of the token of the write API. */
const leastTokenLength = 20;

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
				v.check((token) => token.length >= leastTokenLength, `must have ${leastTokenLength} characters or more.`),
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

/** Returns where the token of the write API is, in words: in WRITE_TOKEN, or in a file. */
export function writeTokenPlace(environment?: Readonly<Record<string, string | undefined>>): string {
	const { STATE_DIR, WRITE_TOKEN } = readConfig(neededSchema, environment);
	return WRITE_TOKEN === undefined ? writeTokenFile(STATE_DIR) : 'WRITE_TOKEN';
}

function writeTokenFile(stateDirectory: string): string {
	return join(stateDirectory, stateFiles.others[0]);
}

const tokenBytes = 32;

const ownerOnly = 0o600;

/**
 * Returns the stored token of the write API. The first call makes it.
 * @throws ConfigError when the file holds none, as after a power cut
 */
function keptWriteToken(stateDirectory: string): Promise<string> {
	return openDirectory(stateDirectory, () => {
		const file = writeTokenFile(stateDirectory);
		if (!existsSync(file)) makeWriteToken(stateDirectory, file);
		const token = readFileSync(file, 'utf8').trim();
		if (token.length < leastTokenLength || !isSecretText(token))
			throw new ConfigError(
				`${file} holds no token of ${leastTokenLength} visible characters or more: write the one that clients send into it, or delete it for a new one.`,
			);
		return token;
	});
}

/** Makes the token. The file gets its name when all of it is on the disk, and only while no other service starts. */
function makeWriteToken(stateDirectory: string, file: string): void {
	const lock = lockDirectory(stateDirectory);
	try {
		const partial = `${file}.partial`;
		writeFileSync(partial, `${randomBytes(tokenBytes).toString('base64url')}\n`, { mode: ownerOnly, flush: true });
		renameSync(partial, file);
	} finally {
		lock.close();
	}
}
