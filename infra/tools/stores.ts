import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { memoryState, readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { dynamoStores, openStores, type Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { TableName } from '#shared/tables.ts';
import { settingsOf } from './deployed-settings.ts';

/** Which tables a tool works on. */
export interface Where {
	/** An environment on AWS; undefined: the service on this machine. */
	readonly environment: string | undefined;
	/** Tables that have another name than the environment's settings give them: restored from a backup. */
	readonly tables?: Readonly<Partial<Record<TableName, string>>>;
}

/**
 * The rows that the service works on, for as long as `work` takes: those of an environment on AWS, or of this machine, in STATE_DIR
 * or in DynamoDB where DYNAMODB_ENDPOINT is set. Throws ConfigError where there are none.
 */
export async function withStores<Result>(
	{ environment, tables }: Where,
	work: (stores: Pick<Stores, 'store' | 'users'>) => Promise<Result>,
): Promise<Result> {
	const stores = environment === undefined ? await openHere() : openOnAws(environment, tables);
	try {
		return await work(stores);
	} finally {
		stores.close();
	}
}

async function openHere(): Promise<Pick<Stores, 'store' | 'users' | 'close'>> {
	const settings = readLocalSettings();
	const elsewhere = settings.DYNAMODB_ENDPOINT !== undefined;
	if (settings.STATE_DIR === memoryState && !elsewhere)
		throw new ConfigError('STATE_DIR=memory keeps nothing: set it to the directory that the service uses.');
	const state = openState(elsewhere ? memoryState : settings.STATE_DIR, false);
	try {
		const stores = await openStores(settings, state);
		const close = (): void => {
			stores.close();
			state.close();
		};
		return { store: stores.store, users: stores.users, close };
	} catch (error) {
		state.close();
		throw error;
	}
}

/** The tables of an environment on AWS; credentials, region and address are what the SDK finds by itself. */
function openOnAws(environment: string, tables: Where['tables']): Stores {
	const { table } = resourceNames(environment);
	return dynamoStores(openDynamo(), {
		variables: table('variables'),
		panels: table('panels'),
		boards: table('boards'),
		users: table('users'),
		idempotency: table('idempotency'),
		signInFailures: table('signInFailures'),
		...settingsOf(environment)?.restoredTables,
		...tables,
	});
}
