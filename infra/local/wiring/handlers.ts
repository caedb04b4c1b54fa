import { randomUUID } from 'node:crypto';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { staticSecret } from '#adapters/secret.ts';
import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { Machines } from '#domain/ports/machines.ts';
import type { Owners } from '#domain/ports/owners.ts';
import type { People } from '#domain/ports/people.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { PublicKeys } from '#domain/ports/token-signer.ts';
import type { Users } from '#domain/ports/users.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { shareReads, unshared } from '#domain/reading/shared-reads.ts';
import { createHandler as ackAlarms } from '#functions/ackAlarms/handler.ts';
import { createHandler as alarmEvents } from '#functions/alarmEvents/handler.ts';
import { createHandler as operatorConsole } from '#functions/console/handler.ts';
import { createHandler as deleteAlarm } from '#functions/deleteAlarm/handler.ts';
import { createHandler as deleteChart } from '#functions/deleteChart/handler.ts';
import { createHandler as deleteCorrection } from '#functions/deleteCorrection/handler.ts';
import { createHandler as deleteDiagram } from '#functions/deleteDiagram/handler.ts';
import { createHandler as deleteMachine } from '#functions/deleteMachine/handler.ts';
import { createHandler as deleteReport } from '#functions/deleteReport/handler.ts';
import { createHandler as deleteVar } from '#functions/deleteVar/handler.ts';
import { createHandler as describeTopics } from '#functions/describeTopics/handler.ts';
import { createHandler as docs } from '#functions/docs/handler.ts';
import { createHandler as getAlarms } from '#functions/getAlarms/handler.ts';
import { createHandler as getBombs } from '#functions/getBombs/handler.ts';
import { createHandler as getChange } from '#functions/getChange/handler.ts';
import { createHandler as getChanges } from '#functions/getChanges/handler.ts';
import { createHandler as getCharts } from '#functions/getCharts/handler.ts';
import { createHandler as getCorrections } from '#functions/getCorrections/handler.ts';
import { createHandler as getDiagrams } from '#functions/getDiagrams/handler.ts';
import { createHandler as getMachines } from '#functions/getMachines/handler.ts';
import { createHandler as getPeople } from '#functions/getPeople/handler.ts';
import { createHandler as getReportDay } from '#functions/getReportDay/handler.ts';
import { createHandler as getReports } from '#functions/getReports/handler.ts';
import { createHandler as getTopics } from '#functions/getTopics/handler.ts';
import { createHandler as getVarsTsdb } from '#functions/getVarsTsdb/handler.ts';
import { createHandler as health } from '#functions/health/handler.ts';
import { createHandler as history } from '#functions/history/handler.ts';
import { createHandler as jwks } from '#functions/jwks/handler.ts';
import { createHandler as loginSso } from '#functions/loginSso/handler.ts';
import { createHandler as multipleDataTsdb } from '#functions/multipleDataTsdb/handler.ts';
import { createHandler as openapi } from '#functions/openapi/handler.ts';
import { createHandler as openidConfiguration } from '#functions/openidConfiguration/handler.ts';
import { createHandler as readReport } from '#functions/readReport/handler.ts';
import { createHandler as renewToken } from '#functions/renewToken/handler.ts';
import { createHandler as restoreItem } from '#functions/restoreItem/handler.ts';
import { createHandler as saveAlarm } from '#functions/saveAlarm/handler.ts';
import { createHandler as saveBombs } from '#functions/saveBombs/handler.ts';
import { createHandler as saveChart } from '#functions/saveChart/handler.ts';
import { createHandler as saveCorrection } from '#functions/saveCorrection/handler.ts';
import { createHandler as saveDiagram } from '#functions/saveDiagram/handler.ts';
import { createHandler as saveMachine } from '#functions/saveMachine/handler.ts';
import { createHandler as savePerson } from '#functions/savePerson/handler.ts';
import { createHandler as saveReport } from '#functions/saveReport/handler.ts';
import { createHandler as saveVariable } from '#functions/saveVariable/handler.ts';
import { createHandler as sealReportDays } from '#functions/sealReportDays/handler.ts';
import { createHandler as shelveAlarm } from '#functions/shelveAlarm/handler.ts';
import { createHandler as token } from '#functions/token/handler.ts';
import { createHandler as totals } from '#functions/totals/handler.ts';
import { createHandler as unshelveAlarm } from '#functions/unshelveAlarm/handler.ts';
import { createHandler as usages } from '#functions/usages/handler.ts';
import { admissionTo } from '#http/admission.ts';
import type { ApiHandler } from '#http/event.ts';
import type { Log } from '#http/log.ts';
import type { TaskHandler } from '#http/task-handler.ts';
import { readManifest } from '#infra/openapi/manifest.ts';
import { type EndpointName, endpointNamed } from '#shared/contract.ts';
import { scopes } from '#shared/endpoint.ts';
import type { TaskName } from '#shared/tasks.ts';
import { createJwkTokenSigner } from '../adapters/jwk-token-signer.ts';
import type { SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import { demoCredentials, demoTenants } from '../demo/idp.ts';
import type { LocalSettings } from './settings.ts';
import { loadSigningKey } from './signing-key.ts';
import type { State } from './state.ts';
import { openStores } from './stores.ts';
import { createTasks, noMetrics } from './tasks.ts';
import { openSeries } from './time-series.ts';

/** The handlers of all endpoints on this machine, with the adapters that they share. */
export interface Handlers {
	readonly handlers: Readonly<Record<EndpointName, ApiHandler>>;
	readonly tasks: Readonly<Record<TaskName, TaskHandler>>;
	readonly store: SchemaStore;
	readonly alarms: AlarmStore;
	readonly users: Users;
	readonly people: People;
	readonly machines: Machines;
	readonly owners: Owners;
	readonly publicKeys: PublicKeys;
	/** The time series, whose writes are seen by shared reads at once. */
	readonly series: SqliteTimeSeries;
	close(): Promise<void>;
}

/** The base URL of the service, which is also the issuer of its tokens, and the URL of the identity provider. */
export interface ServiceAddresses {
	readonly baseUrl: string;
	readonly authUrl: string;
}

/** Creates the handlers of all endpoints on the adapters of this machine. */
export async function createHandlers(
	settings: LocalSettings,
	state: State,
	{ baseUrl, authUrl }: ServiceAddresses,
	log: Log,
	now: () => number,
): Promise<Handlers> {
	const {
		store,
		changes: changeJournal,
		sessions,
		alarms,
		reportDays,
		users,
		people,
		machines,
		owners,
		writtenSchemas,
		attempts,
		idempotency,
		close,
	} = await openStores(settings, state);
	const keys = createJwkTokenSigner(await loadSigningKey(state.keyValues));
	const series = await openSeries(settings, state.seriesFile);
	const newId = randomUUID;
	const sharedReads = shareReads(series, settings.READINGS_SHARED_MS);
	const demo = settings.DEMO_PLANT === 'on' && settings.AUTH_URL === undefined ? demoCredentials : null;
	// Each group holds the dependencies of the handlers that do one kind of thing.
	const read = { log, store, definitions: createDefinitionCache(store), timeSeries: sharedReads, now };
	const callerRoles = { people, machines, defaultRole: settings.DEFAULT_ROLE, now };
	const admission = (name: EndpointName) => ({ admit: admissionTo(endpointNamed(name), callerRoles) });
	const write = (name: EndpointName) => ({ log, now, newId, store, pause: jitteredPause, idempotency, ...admission(name) });
	const changeMachines = { log, now, pause: jitteredPause, machines };
	const journal = { changes: changeJournal, ...callerRoles };
	const topics = { log, now, definitions: read.definitions, catalog: series };
	const counting = { log, now, store, definitions: read.definitions, samples: series, alarms };
	const reports = { ...counting, spans: series, days: reportDays };
	const operate = (name: EndpointName) => ({ ...write(name), ...read, alarms });
	const signIn = {
		log,
		now,
		newId,
		random: Math.random,
		metrics: noMetrics,
		trustedProxy: null,
		sessions,
		users,
		people,
		defaultRole: settings.DEFAULT_ROLE,
		attempts,
		owners,
		writtenSchemas,
		unownedData: settings.UNOWNED_DATA,
		identityProvider: createIdpClient({
			url: authUrl,
			token: staticSecret(settings.IDP_TOKEN),
			timeoutMs: settings.IDP_TIMEOUT_MS,
		}),
		signer: keys,
		constantTimeEqual,
		productId: settings.IDP_PRODUCT_ID,
		token: {
			issuer: baseUrl,
			audience: settings.TOKEN_AUDIENCE,
			scopes,
			lifetimeSeconds: settings.TOKEN_LIFETIME_SECONDS,
			sessionSeconds: settings.SESSION_HOURS * 3600,
		},
	};
	// The demo's tenants have databases before anybody signed in and became their owner.
	const demoDatabases: readonly string[] =
		settings.DEMO_PLANT === 'on' || settings.AUTH_URL === undefined ? demoTenants.map(({ database }) => database) : [];
	const belongsToTenant = async (name: string): Promise<boolean> =>
		demoDatabases.includes(name) || (await owners.find({ kind: 'database', name })) !== null;
	return {
		handlers: {
			loginSso: loginSso(signIn),
			renewToken: renewToken(signIn),
			token: token({ ...signIn, machines, secrets: machineSecrets }),
			getVarsTsdb: getVarsTsdb(read),
			saveVariable: saveVariable({ ...write('saveVariable'), timeSeries: unshared(series), spans: series }),
			deleteVar: deleteVar(write('deleteVar')),
			getTopics: getTopics({ ...topics, ...admission('getTopics') }),
			describeTopics: describeTopics({ ...topics, ...admission('describeTopics') }),
			multipleDataTsdb: multipleDataTsdb(read),
			history: history({ ...read, spans: series }),
			totals: totals(counting),
			getCorrections: getCorrections(read),
			saveCorrection: saveCorrection({ ...write('saveCorrection'), definitions: read.definitions, samples: series }),
			deleteCorrection: deleteCorrection(write('deleteCorrection')),
			getReports: getReports(read),
			saveReport: saveReport({ ...write('saveReport'), ...counting }),
			deleteReport: deleteReport(write('deleteReport')),
			readReport: readReport(reports),
			getReportDay: getReportDay(reports),
			sealReportDays: sealReportDays({ ...reports, ...admission('sealReportDays') }),
			getBombs: getBombs(read),
			saveBombs: saveBombs(write('saveBombs')),
			usages: usages(read),
			getCharts: getCharts(read),
			saveChart: saveChart(write('saveChart')),
			deleteChart: deleteChart(write('deleteChart')),
			getDiagrams: getDiagrams(read),
			saveDiagram: saveDiagram(write('saveDiagram')),
			deleteDiagram: deleteDiagram(write('deleteDiagram')),
			getAlarms: getAlarms({
				...read,
				alarms,
				savedAlarms: createSavedAlarms(store),
				settleMs: settings.ALARM_SETTLE_SECONDS * 1000,
			}),
			saveAlarm: saveAlarm({ ...write('saveAlarm'), alarms, timeSeries: series }),
			deleteAlarm: deleteAlarm(write('deleteAlarm')),
			ackAlarms: ackAlarms(operate('ackAlarms')),
			shelveAlarm: shelveAlarm(operate('shelveAlarm')),
			unshelveAlarm: unshelveAlarm(operate('unshelveAlarm')),
			alarmEvents: alarmEvents({ log, alarms, now }),
			getChanges: getChanges({ log, store, ...journal }),
			getChange: getChange({ log, store, ...journal }),
			restoreItem: restoreItem({ ...write('restoreItem'), changes: journal.changes }),
			getPeople: getPeople({ log, people, ...admission('getPeople') }),
			savePerson: savePerson({ log, people, now, ...admission('savePerson') }),
			getMachines: getMachines({ log, machines, ...admission('getMachines') }),
			saveMachine: saveMachine({ ...changeMachines, secrets: machineSecrets, ...admission('saveMachine') }),
			deleteMachine: deleteMachine({ ...changeMachines, ...admission('deleteMachine') }),
			health: health({ log, version: readManifest().version }),
			openapi: openapi({ log, document: async () => (await import('#infra/openapi/document.ts')).apiDocumentText() }),
			docs: docs({ log, files: async () => (await import('#infra/openapi/docs-files.ts')).docsFilesText() }),
			console: operatorConsole({
				log,
				files: async () => (await import('#infra/console/console-files.ts')).consoleFilesText({ demo }),
			}),
			openidConfiguration: openidConfiguration({ log, issuer: baseUrl }),
			jwks: jwks({ log, publicKeys: keys }),
		},
		tasks: createTasks(settings, { ...reports, baseUrl, timeSeries: series, owners }),
		store,
		alarms,
		users,
		people,
		machines,
		owners,
		publicKeys: keys,
		series: {
			...series,
			// With InfluxDB, only InfluxDB knows which buckets exist. Otherwise the first write creates the database of a tenant.
			hasBucket: async (database) =>
				(await series.hasBucket(database)) || (settings.INFLUX_URL === undefined && (await belongsToTenant(database))),
			write: async (database, points) => {
				// Clears the shared reads even after a failed write, which may have stored some points.
				await series.write(database, points).finally(() => sharedReads.clear(database));
			},
		},
		close: async () => {
			await series.close();
			close();
		},
	};
}
