import * as v from 'valibot';
import { ConfigError } from '#shared/config.ts';
import type { LocalSettings } from './settings.ts';
import type { KeyValueStore } from './state.ts';

/** Who a state is for: the demo, whose people everybody knows, or production. */
export type StateUse = 'demo' | 'production';

/** The name under which the use is stored. */
const useName = 'use';

/** The names under which earlier versions stored that the demo ran. */
const demoNames = ['seeded-users', 'plant'] as const;

/**
 * Stores what a state is for, and refuses one of the other use: no person, plant or token of the demo comes into production.
 * @throws ConfigError when the state is of the other use
 */
export async function claimState(
	keyValues: KeyValueStore,
	use: StateUse,
	{ STATE_DIR }: Pick<LocalSettings, 'STATE_DIR'>,
): Promise<void> {
	const stored = await storedUse(keyValues);
	if (stored !== null && stored !== use)
		throw new ConfigError(`STATE_DIR ${STATE_DIR} is of ${words[stored]}, and this is ${words[use]}: set another STATE_DIR.`);
	await keyValues.set(useName, use);
}

const words = { demo: 'the demo (npm start)', production: 'production (npm run serve)' } as const;

/** Returns what a state is for; null: it was not said. */
async function storedUse(keyValues: KeyValueStore): Promise<StateUse | null> {
	const stored = v.safeParse(v.picklist(['demo', 'production']), await keyValues.get(useName));
	if (stored.success) return stored.output;
	for (const name of demoNames) if ((await keyValues.get(name)) !== undefined) return 'demo';
	return null;
}
