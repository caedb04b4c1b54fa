import { ConfigError } from '../../../shared/config.ts';
import type { SchemaStore } from '../../../shared/domain/ports/schema-store.ts';
import { memoryState, readLocalSettings } from '../settings.ts';
import { openState } from '../state.ts';
import { openStores } from '../stores.ts';

/**
 * The rows that the service works on, for as long as `work` takes: in STATE_DIR, or in DynamoDB where DYNAMODB_ENDPOINT is set.
 * Throws ConfigError where there are none.
 */
export const withStore = async <Result>(work: (store: SchemaStore) => Promise<Result>): Promise<Result> => {
	const settings = readLocalSettings();
	const elsewhere = settings.DYNAMODB_ENDPOINT !== undefined;
	if (settings.STATE_DIR === memoryState && !elsewhere)
		throw new ConfigError('STATE_DIR=memory keeps nothing: set it to the directory that the service uses.');
	const state = openState(elsewhere ? memoryState : settings.STATE_DIR, false);
	try {
		const stores = await openStores(settings, state);
		try {
			return await work(stores.store);
		} finally {
			stores.close();
		}
	} finally {
		state.close();
	}
};
