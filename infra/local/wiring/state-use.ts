import * as v from 'valibot';
import { toolCommand } from '#infra/cli/tool-command.ts';
import { ConfigError } from '#shared/config.ts';
import type { LocalSettings } from './settings.ts';
import type { KeyValueStore } from './state.ts';

/** Who a state is for: the demo, whose people everybody knows, or production. */
export type StateUse = 'demo' | 'production';

/** The name under which the use is stored. */
const useName = 'use';

/** The name under which earlier versions stored that the demo plant ran. They stored the demo's users beside AUTH_URL, too. */
const plantName = 'plant';

/**
 * Stores what a state is for, and refuses one of the other use: no person, plant or token of the demo comes into production, and no other
 * program than production's opens its state.
 * @param use `trial`: takes every state but that of production, and stores nothing
 * @throws ConfigError when the state is of the other use
 */
export async function claimState(
	keyValues: KeyValueStore,
	use: StateUse | 'trial',
	{ STATE_DIR }: Pick<LocalSettings, 'STATE_DIR'>,
): Promise<void> {
	const stored = await storedUse(keyValues);
	const isOther = use === 'trial' ? stored === 'production' : stored !== null && stored !== use;
	if (stored !== null && isOther) {
		const way = use === 'production' ? `, into which ${toolCommand('schema')} export and import bring a schema` : '';
		throw new ConfigError(
			`STATE_DIR ${STATE_DIR} is of ${words[stored]}, and this is ${words[use]}: set another STATE_DIR${way}.`,
		);
	}
	if (use !== 'trial') await keyValues.set(useName, use);
}

const words = { demo: 'the demo (npm start)', trial: 'a trial (npm start)', production: 'production (caudal serve)' } as const;

/** Returns what a state is for; null: it was not said. */
async function storedUse(keyValues: KeyValueStore): Promise<StateUse | null> {
	const stored = v.safeParse(v.picklist(['demo', 'production']), await keyValues.get(useName));
	if (stored.success) return stored.output;
	return (await keyValues.get(plantName)) === undefined ? null : 'demo';
}
