import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { memoryState, readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { dynamoStores, type LocalStores, openStores, type Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { TableName } from '#shared/tables.ts';
import { checkAwsLocation } from './aws-location.ts';
import { settingsOf } from './deployed-settings.ts';

/** The tables that a tool works on. */
export interface StoreLocation {
	/** An environment on AWS; undefined for the service on this machine. */
	readonly environment: string | undefined;
	/** Tables of the environment with other names than the environment's settings give, because they were restored from a backup. */
	readonly tables?: Readonly<Partial<Record<TableName, string>>>;
}

/**
 * Opens the stores of an environment on AWS or of this machine (STATE_DIR or DYNAMODB_ENDPOINT), runs `work` on them and closes them.
 * @throws ConfigError when STATE_DIR is `memory`, or the credentials are of another account than the environment
 */
export async function withStores<Result>(
	{ environment, tables }: StoreLocation,
	work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
	if (environment === undefined) return withLocalStores(work);
	// Undefined where cdk.json has no such environment: its tables then have their usual names, and its journals the default days.
	const settings = settingsOf(environment);
	await checkAwsLocation(settings);
	const { table } = resourceNames(environment);
	const names = {
		variables: table('variables'),
		panels: table('panels'),
		boards: table('boards'),
		evaluations: table('evaluations'),
		alarmStates: table('alarmStates'),
		alarmEvents: table('alarmEvents'),
		changes: table('changes'),
		reportDays: table('reportDays'),
		users: table('users'),
		people: table('people'),
		machines: table('machines'),
		owners: table('owners'),
		grants: table('grants'),
		sessions: table('sessions'),
		sessionTokens: table('sessionTokens'),
		idempotency: table('idempotency'),
		signInFailures: table('signInFailures'),
		...settings?.restoredTables,
		...tables,
	};
	const days = {
		events: settings?.alarmEventDays ?? defaultJournalDays.events,
		changes: settings?.changeDays ?? defaultJournalDays.changes,
	};
	const stores = dynamoStores(openDynamo(), names, days);
	return work(stores).finally(stores.close);
}

/**
 * Returns STATE_DIR, for tools that work on its files.
 * @throws ConfigError when definitions or series are elsewhere
 */
export function localStateDirectory(): string {
	const { STATE_DIR, DYNAMODB_ENDPOINT } = readLocalSettings();
	if (STATE_DIR === memoryState) throw new ConfigError(inMemory);
	if (DYNAMODB_ENDPOINT !== undefined)
		throw new ConfigError('DYNAMODB_ENDPOINT holds the definitions, not STATE_DIR: copy them there.');
	return STATE_DIR;
}

const inMemory = 'STATE_DIR=memory stores nothing: set it to the directory that the service uses.';

/** Opens the stores of this machine as `withStores` does, with those that only it has. */
export async function withLocalStores<Result>(work: (stores: LocalStores) => Promise<Result>): Promise<Result> {
	const settings = readLocalSettings();
	const isInDynamo = settings.DYNAMODB_ENDPOINT !== undefined;
	if (settings.STATE_DIR === memoryState && !isInDynamo) throw new ConfigError(inMemory);
	// DynamoDB then holds every row, so no directory is made.
	const state = await openState(isInDynamo ? memoryState : settings.STATE_DIR);
	try {
		const stores = await openStores(settings, state);
		return await work(stores).finally(stores.close);
	} finally {
		state.close();
	}
}
