import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { alarmsWithoutValue, bindAlarms } from '#domain/alarm/bind-alarms.ts';
import { toolOrigin } from '#domain/changes/change-entry.ts';
import { DomainError } from '#domain/errors.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { unshared } from '#domain/reading/shared-reads.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { openLocalSeries } from '#infra/local/wiring/time-series.ts';
import { addressesOf, ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { openEngines, timeSeriesOn } from '#wiring/engine.ts';
import { settingsOf } from '../deployed-settings.ts';
import { joinNames } from '../plant/item-name.ts';
import type { StoreLocation } from '../stores.ts';
import { checkDatabaseOwners } from './database-owners.ts';

const pc = coloursFor(process.stdout);

/** The stores that hold alarms and their states. */
export type AlarmStores = Pick<Stores, 'store' | 'alarms'>;

/**
 * Binds the alarms of a schema without a database to one, and starts their evaluation. Prints how many were bound, and which of them
 * have no value now.
 * @throws ConfigError when the database does not belong to the owner of the schema
 * @throws DomainError as `bindAlarms`
 */
export async function bindSchema(
	stores: AlarmStores & Pick<Stores, 'owners'>,
	{ environment }: StoreLocation,
	schema: string,
	database: string,
): Promise<void> {
	await checkDatabaseOwners(stores, schema, [database]);
	const { store, alarms } = stores;
	const bound = await bindAlarms(
		{ store, alarms, pause: jitteredPause, now: Date.now, origin: toolOrigin('schema bind') },
		schema,
		database,
	);
	const boundElsewhere = (await alarms.alarms(schema)).alarms.filter((row) => row.database !== database).length;
	print(`Bound ${pluralize(bound.length, 'alarm')} of schema ${schema} to the database ${database}.`);
	if (boundElsewhere > 0)
		print(
			`Left ${pluralize(boundElsewhere, 'alarm')} bound to another database: a save of each binds it to that of the user's token.`,
		);
	if (bound.length === 0) return;
	print('Their evaluation starts now.');
	try {
		const withoutValue = await withTimeSeries(environment, (timeSeries) =>
			alarmsWithoutValue(
				{ definitions: createDefinitionCache(store), timeSeries: unshared(timeSeries) },
				schema,
				database,
				Date.now(),
				bound,
			),
		);
		print(withoutValue.length === 0 ? pc.green('Each of them has a value now.') : pc.yellow(withoutValueText(withoutValue)));
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		print(pc.yellow(`How many have no value now is not known: ${error.message}`));
	}
}

function withoutValueText(alarms: readonly { readonly id: number; readonly name: string }[]): string {
	const names = joinNames(alarms.map(({ id, name }) => `${id} ${JSON.stringify(name)}`));
	const verb = alarms.length === 1 ? 'has no value now and is' : 'have no value now and are';
	return `${pluralize(alarms.length, 'alarm')} ${verb} raised as no_data unless data arrives: ${names}.`;
}

/** Ends the evaluation of a schema, and prints whether it was evaluated. */
export async function stopSchema({ alarms }: AlarmStores, schema: string): Promise<void> {
	print(
		(await alarms.stopEvaluation(schema))
			? `The alarms of schema ${schema} are not evaluated any more. Their states and the journal stay; the next save of an alarm starts the evaluation again.`
			: `The alarms of schema ${schema} were not evaluated.`,
	);
}

/**
 * Ends or starts the runs that store and send the days of a schema's reports, and prints it.
 * @throws ConfigError when the schema has no owner: it has no such runs
 */
export async function switchReports(
	{ owners, closings }: Pick<Stores, 'owners' | 'closings'>,
	schema: string,
	to: 'stopped' | 'started',
): Promise<void> {
	if ((await owners.find({ kind: 'schema', name: schema })) === null)
		throw new ConfigError(`The schema ${schema} has no owner, so no days of its reports are stored.`);
	await (to === 'stopped' ? closings.stop(schema) : closings.restart(schema));
	print(
		to === 'stopped'
			? `The days of the reports of schema ${schema} are not stored and sent any more. What is stored stays, and reports can be read; start-reports goes on.`
			: `The days of the reports of schema ${schema} are stored and sent within 5 minutes.`,
	);
}

/**
 * Opens the time series of an environment on AWS, or of this machine (undefined), runs `work` on them and closes them.
 * @throws ConfigError when cdk.json has no such environment, or STATE_DIR cannot be used
 */
async function withTimeSeries<Result>(
	environment: string | undefined,
	work: (timeSeries: TimeSeries) => Promise<Result>,
): Promise<Result> {
	if (environment === undefined) return withLocalTimeSeries(work);
	const settings = settingsOf(environment);
	if (settings === undefined) throw new ConfigError(`cdk.json has no environment ${environment}.`);
	const { influxOrg: org, influxGzip, influxTimeoutMs: deadlineMs, topicColumn, measurement } = settings;
	const engines = openEngines({
		addresses: addressesOf(settings.influxUrl),
		language: settings.influxLanguage,
		user: settings.influxUser,
		token: createSecretsManagerSecret({ secretId: resourceNames(environment).secrets.influxToken, mayBeTable: true }),
		org,
		topicColumn,
		measurement,
		gzip: influxGzip === 'on',
		deadlineMs,
	});
	return work(timeSeriesOn(engines)).finally(() => engines.close());
}

async function withLocalTimeSeries<Result>(work: (timeSeries: TimeSeries) => Promise<Result>): Promise<Result> {
	const settings = readLocalSettings();
	const state = await openState(settings.STATE_DIR);
	try {
		const series = await openLocalSeries(settings, state.seriesFile);
		return await work(series).finally(series.close);
	} finally {
		state.close();
	}
}
