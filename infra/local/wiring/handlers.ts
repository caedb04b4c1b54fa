import { withCircuit } from '#adapters/provider-circuit.ts';
import { sessionIds } from '#adapters/session-ids.ts';
import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import { createHandler as ackAlarms } from '#functions/ackAlarms/handler.ts';
import { createHandler as alarmEvents } from '#functions/alarmEvents/handler.ts';
import { createHandler as backchannelLogout } from '#functions/backchannelLogout/handler.ts';
import { createHandler as operatorConsole } from '#functions/console/handler.ts';
import { createHandler as deleteAlarm } from '#functions/deleteAlarm/handler.ts';
import { createHandler as deleteChart } from '#functions/deleteChart/handler.ts';
import { createHandler as deleteCorrection } from '#functions/deleteCorrection/handler.ts';
import { createHandler as deleteDiagram } from '#functions/deleteDiagram/handler.ts';
import { createHandler as deleteEntry } from '#functions/deleteEntry/handler.ts';
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
import { createHandler as getEntries } from '#functions/getEntries/handler.ts';
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
import { createHandler as openIdProvider } from '#functions/openIdProvider/handler.ts';
import { createHandler as openIdProviders } from '#functions/openIdProviders/handler.ts';
import { createHandler as openidConfiguration } from '#functions/openidConfiguration/handler.ts';
import { createHandler as prometheus } from '#functions/prometheus/handler.ts';
import { createHandler as readReport } from '#functions/readReport/handler.ts';
import { createHandler as renewOpenId } from '#functions/renewOpenId/handler.ts';
import { createHandler as renewToken } from '#functions/renewToken/handler.ts';
import { createHandler as restoreItem } from '#functions/restoreItem/handler.ts';
import { createHandler as saveAlarm } from '#functions/saveAlarm/handler.ts';
import { createHandler as saveBombs } from '#functions/saveBombs/handler.ts';
import { createHandler as saveChart } from '#functions/saveChart/handler.ts';
import { createHandler as saveCorrection } from '#functions/saveCorrection/handler.ts';
import { createHandler as saveDiagram } from '#functions/saveDiagram/handler.ts';
import { createHandler as saveEntry } from '#functions/saveEntry/handler.ts';
import { createHandler as saveMachine } from '#functions/saveMachine/handler.ts';
import { createHandler as savePerson } from '#functions/savePerson/handler.ts';
import { createHandler as saveReport } from '#functions/saveReport/handler.ts';
import { createHandler as saveVariable } from '#functions/saveVariable/handler.ts';
import { createHandler as sealReportDays } from '#functions/sealReportDays/handler.ts';
import { createHandler as setPassword } from '#functions/setPassword/handler.ts';
import { createHandler as setSecondFactor } from '#functions/setSecondFactor/handler.ts';
import { createHandler as shelveAlarm } from '#functions/shelveAlarm/handler.ts';
import { createHandler as signInOpenId } from '#functions/signInOpenId/handler.ts';
import { createHandler as signInPassword } from '#functions/signInPassword/handler.ts';
import { createHandler as signOut } from '#functions/signOut/handler.ts';
import { createHandler as tableHistory } from '#functions/tableHistory/handler.ts';
import { createHandler as tableReadings } from '#functions/tableReadings/handler.ts';
import { createHandler as tableReport } from '#functions/tableReport/handler.ts';
import { createHandler as tableTotals } from '#functions/tableTotals/handler.ts';
import { createHandler as token } from '#functions/token/handler.ts';
import { createHandler as totals } from '#functions/totals/handler.ts';
import { createHandler as unshelveAlarm } from '#functions/unshelveAlarm/handler.ts';
import { createHandler as usages } from '#functions/usages/handler.ts';
import type { ApiHandler } from '#http/event.ts';
import { readManifest } from '#infra/openapi/manifest.ts';
import type { EndpointName, LocalEndpointName } from '#shared/contract.ts';
import { demoCredentials } from '../demo/idp.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

/** A handler for each endpoint. */
export type Handlers = Readonly<Record<EndpointName | LocalEndpointName, ApiHandler>>;

/** Creates the handlers of all endpoints on this machine. */
export function createHandlers(deps: EndpointDeps): Handlers {
	return {
		...signInHandlers(deps),
		...variableHandlers(deps),
		...readingHandlers(deps),
		...correctionHandlers(deps),
		...reportHandlers(deps),
		...tableHandlers(deps),
		...boardHandlers(deps),
		...alarmHandlers(deps),
		...changeHandlers(deps),
		...accessHandlers(deps),
		...serviceHandlers(deps),
	};
}

const signInHandlers = ({ signIn, openId, accounts, machineDeps }: EndpointDeps) => ({
	loginSso: loginSso(signIn),
	renewToken: renewToken({ ...signIn, identityProvider: withCircuit(signIn.identityProvider, signIn.now) }),
	openIdProviders: openIdProviders(openId),
	openIdProvider: openIdProvider(openId),
	signInOpenId: signInOpenId(openId),
	renewOpenId: renewOpenId(openId),
	signOut: signOut(openId),
	backchannelLogout: backchannelLogout(openId),
	signInPassword: signInPassword({ ...openId, ...accounts }),
	setSecondFactor: setSecondFactor({ ...openId, ...accounts }),
	setPassword: setPassword({ ...openId, ...accounts }),
	token: token({
		...signIn,
		...machineDeps,
		exchange: openId.providers.some(({ audiences }) => audiences.length > 0) ? openId : null,
	}),
});

const variableHandlers = ({ read, write, topics, admission, adapters: { series } }: EndpointDeps) => ({
	getVarsTsdb: getVarsTsdb(read),
	saveVariable: saveVariable({ ...write('saveVariable'), timeSeries: series, spans: series }),
	deleteVar: deleteVar(write('deleteVar')),
	usages: usages(read),
	getTopics: getTopics({ ...topics, ...admission('getTopics') }),
	describeTopics: describeTopics({ ...topics, ...admission('describeTopics') }),
});

const readingHandlers = ({ read, counting, adapters: { series } }: EndpointDeps) => ({
	multipleDataTsdb: multipleDataTsdb(read),
	history: history({ ...read, timeSeries: series, spans: series }),
	totals: totals(counting),
});

const correctionHandlers = ({ read, write, adapters: { series } }: EndpointDeps) => ({
	getCorrections: getCorrections(read),
	saveCorrection: saveCorrection({ ...write('saveCorrection'), definitions: read.definitions, samples: series }),
	deleteCorrection: deleteCorrection(write('deleteCorrection')),
});

const reportHandlers = ({ read, write, reports, admission }: EndpointDeps) => ({
	getReports: getReports(read),
	saveReport: saveReport({ ...write('saveReport'), ...reports }),
	deleteReport: deleteReport(write('deleteReport')),
	getEntries: getEntries(read),
	saveEntry: saveEntry(write('saveEntry')),
	deleteEntry: deleteEntry(write('deleteEntry')),
	readReport: readReport(reports),
	getReportDay: getReportDay(reports),
	sealReportDays: sealReportDays({ ...reports, ...admission('sealReportDays') }),
});

const tableHandlers = ({ read, counting, reports, authorization, adapters: { series } }: EndpointDeps) => ({
	tableReport: tableReport({ ...reports, authorization }),
	tableTotals: tableTotals({ ...counting, authorization }),
	tableHistory: tableHistory({ ...read, timeSeries: null, spans: series, authorization }),
	tableReadings: tableReadings({ ...read, authorization }),
	prometheus: prometheus({ ...read, spans: series, authorization, version: readManifest().version }),
});

/** The handlers of charts, diagrams and the panel. */
const boardHandlers = ({ read, write }: EndpointDeps) => ({
	getCharts: getCharts(read),
	saveChart: saveChart(write('saveChart')),
	deleteChart: deleteChart(write('deleteChart')),
	getDiagrams: getDiagrams(read),
	saveDiagram: saveDiagram(write('saveDiagram')),
	deleteDiagram: deleteDiagram(write('deleteDiagram')),
	getBombs: getBombs(read),
	saveBombs: saveBombs(write('saveBombs')),
});

const alarmHandlers = ({ read, write, operate, adapters }: EndpointDeps) => {
	const { settings, stores, series, log, now } = adapters;
	const { store, alarms } = stores;
	const settleMs = settings.ALARM_SETTLE_SECONDS * 1000;
	return {
		getAlarms: getAlarms({ ...read, alarms, savedAlarms: createSavedAlarms(store), settleMs }),
		saveAlarm: saveAlarm({ ...write('saveAlarm'), alarms, timeSeries: series }),
		deleteAlarm: deleteAlarm(write('deleteAlarm')),
		ackAlarms: ackAlarms(operate('ackAlarms')),
		shelveAlarm: shelveAlarm(operate('shelveAlarm')),
		unshelveAlarm: unshelveAlarm(operate('unshelveAlarm')),
		alarmEvents: alarmEvents({ log, alarms, now }),
	};
};

const changeHandlers = ({ write, journal }: EndpointDeps) => ({
	getChanges: getChanges(journal),
	getChange: getChange(journal),
	restoreItem: restoreItem({ ...write('restoreItem'), changes: journal.changes }),
});

/** The handlers of people and machines. */
const accessHandlers = ({ machineDeps, admission, adapters: { stores, log, now } }: EndpointDeps) => ({
	getPeople: getPeople({ log, people: stores.people, ...admission('getPeople') }),
	savePerson: savePerson({ log, people: stores.people, sessionIds, now, ...admission('savePerson') }),
	getMachines: getMachines({ log, machines: stores.machines, ...admission('getMachines') }),
	saveMachine: saveMachine({ ...machineDeps, ...admission('saveMachine') }),
	deleteMachine: deleteMachine({ ...machineDeps, ...admission('deleteMachine') }),
});

/** The handlers of the service itself, its documents and its pages. Pages and documents are built when they are first asked for. */
const serviceHandlers = ({ adapters: { settings, addresses, signer, log } }: EndpointDeps) => {
	// The console offers to sign in to the demo where there is one.
	const demo = settings.DEMO_PLANT === 'on' && settings.hasDemoIdp ? demoCredentials : null;
	return {
		health: health({ log, version: readManifest().version }),
		openapi: openapi({ log, document: async () => (await import('#infra/openapi/document.ts')).apiDocumentText() }),
		docs: docs({ log, files: async () => (await import('#infra/openapi/docs-files.ts')).docsFilesText() }),
		console: operatorConsole({
			log,
			files: async () => (await import('#infra/console/console-files.ts')).consoleFilesText({ demo }),
		}),
		openidConfiguration: openidConfiguration({
			log,
			issuer: addresses.baseUrl,
			serviceUrl: addresses.baseUrl,
			exchangesTokens: settings.openIdProviders.some(({ audiences }) => audiences.length > 0),
		}),
		jwks: jwks({ log, publicKeys: signer }),
	};
};
