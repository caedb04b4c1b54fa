/**
 * The route table: one row per endpoint. The local gateway, the events under `events/`, the stacks and each function's permissions are
 * derived from it. No other code contains a path. Functions without a route are in tasks.ts.
 */
import {
	administrator,
	type Endpoint,
	engineer,
	issuer,
	type LocalEndpoint,
	open,
	operator,
	viewer,
	viewerOrMachine,
} from './endpoint.ts';
import { type TaskName, tasks } from './tasks.ts';
import {
	changeShelf,
	checksCredentials,
	checksRole,
	countsTotals,
	deleteBoard,
	issuesSessionTokens,
	listBoards,
	listRows,
	readsDefinitions,
	saveBoard,
	tellsSessions,
	writesChanges,
	writesEvents,
} from './uses.ts';

/** The path of the address without a path. It redirects to the console. */
export const rootPath = '/';

/** The forms of tables (shared/http/table/table-request.ts). */
const tableExtensions = ['json', 'csv', 'xlsx'] as const;

/** Every endpoint, in the order in which a client uses them: sign in, configure, read. */
export const endpoints = [
	{
		name: 'loginSso',
		method: 'POST',
		path: '/loginSso',
		...open,
		setting: 'authUrl',
		uses: {
			variables: ['get'],
			users: ['get'],
			people: ['get', 'check', 'update'],
			...tellsSessions,
			owners: ['get', 'put'],
			signInFailures: ['get', 'put', 'count'],
			identityProvider: ['read'],
			signingKey: ['sign'],
			proxySecret: ['read'],
		},
	},
	{
		name: 'renewToken',
		method: 'POST',
		path: '/renewToken',
		...viewer,
		setting: 'authUrl',
		uses: { users: ['get'], people: ['get'], owners: ['get'], identityProvider: ['read'], signingKey: ['sign'] },
	},
	{
		name: 'openIdProviders',
		method: 'GET',
		path: '/openIdProviders',
		...open,
		uses: { openIdProviders: ['list'] },
	},
	{
		name: 'openIdProvider',
		method: 'GET',
		path: '/openIdProvider',
		...open,
		setting: 'openIdProviders',
		uses: { openIdProviders: ['read'] },
	},
	{
		name: 'signInOpenId',
		method: 'POST',
		path: '/signInOpenId',
		...open,
		setting: 'openIdProviders',
		uses: {
			...issuesSessionTokens,
			// A logout that the provider told meanwhile is read.
			sessions: ['get', 'put'],
			sessionTokens: ['put'],
			...tellsSessions,
			people: ['get', 'check', 'update'],
			signInFailures: ['count'],
			openIdProviders: ['ask'],
			proxySecret: ['read'],
		},
	},
	{
		name: 'renewOpenId',
		method: 'POST',
		path: '/renewOpenId',
		...viewer,
		setting: 'openIdProviders',
		uses: {
			...issuesSessionTokens,
			sessions: ['get', 'delete', 'update'],
			sessionTokens: ['get', 'put', 'delete'],
			openIdProviders: ['ask'],
		},
	},
	{
		name: 'signOut',
		method: 'POST',
		path: '/signOut',
		...viewer,
		setting: 'openIdProviders',
		uses: { sessions: ['get', 'delete'], sessionTokens: ['get', 'delete'], openIdProviders: ['ask'] },
	},
	{
		name: 'backchannelLogout',
		method: 'POST',
		path: '/backchannelLogout',
		...open,
		setting: 'openIdProviders',
		uses: { sessions: ['getMany', 'listIndex', 'delete', 'update'], sessionTokens: ['delete'], openIdProviders: ['read'] },
	},
	{
		name: 'token',
		method: 'POST',
		path: '/token',
		...open,
		uses: {
			machines: ['get', 'update'],
			...issuesSessionTokens,
			sessions: ['get', 'put'],
			...tellsSessions,
			openIdProviders: ['read'],
			proxySecret: ['read'],
		},
	},
	{ name: 'getVarsTsdb', method: 'GET', path: '/getVarsTsdb', ...viewer, uses: { variables: listRows } },
	{
		name: 'saveVariable',
		method: 'POST',
		path: '/saveVariable',
		...engineer,
		uses: {
			...checksRole,
			...writesChanges,
			variables: ['get', 'put', 'advance'],
			panels: ['get', 'getMany', 'check'],
			boards: ['getMany', 'check'],
			idempotency: ['claim'],
			timeSeries: ['read'],
		},
	},
	{
		name: 'deleteVar',
		method: 'POST',
		path: '/deleteVar/{id}',
		...engineer,
		uses: {
			...checksRole,
			...writesChanges,
			variables: ['get', 'check', 'put', 'delete', 'advance'],
			panels: ['get'],
			// Boards are listed only where the stored variable cannot be read.
			boards: ['get', 'getMany', 'list', 'check', 'put', 'delete'],
			...writesEvents,
			idempotency: ['claim'],
		},
	},
	{
		name: 'getTopics',
		method: 'GET',
		path: '/topics',
		...engineer,
		uses: { ...checksRole, variables: [...readsDefinitions, 'list'], timeSeries: ['read'] },
	},
	{
		name: 'describeTopics',
		method: 'POST',
		path: '/topics',
		...engineer,
		uses: { ...checksRole, variables: [...readsDefinitions, 'list'], timeSeries: ['read'] },
	},
	{
		name: 'multipleDataTsdb',
		method: 'POST',
		path: '/multipleDataTsdb',
		...viewer,
		uses: { variables: [...readsDefinitions, 'list'], timeSeries: ['read'] },
	},
	{ name: 'history', method: 'POST', path: '/history', ...viewer, uses: { variables: readsDefinitions, timeSeries: ['read'] } },
	{ name: 'totals', method: 'POST', path: '/totals', ...viewer, uses: countsTotals },
	{ name: 'getCorrections', method: 'GET', path: '/getCorrections', ...viewer, uses: { variables: ['get'], boards: listRows } },
	{
		name: 'saveCorrection',
		method: 'POST',
		path: '/saveCorrection',
		...engineer,
		uses: { ...saveBoard, boards: ['get', 'getMany', 'list', 'put'], timeSeries: ['read'] },
	},
	// A correction refers to one variable, read alone (GetItem), so no getMany.
	{
		name: 'deleteCorrection',
		method: 'POST',
		path: '/deleteCorrection/{id}',
		...engineer,
		uses: { ...deleteBoard, variables: ['get', 'list', 'check', 'put', 'advance'] },
	},
	{ name: 'getReports', method: 'GET', path: '/getReports', ...viewer, uses: listBoards },
	{
		name: 'saveReport',
		method: 'POST',
		path: '/saveReport',
		...engineer,
		uses: { ...countsTotals, ...saveBoard, boards: ['get', 'getMany', 'list', 'put'], reportDays: ['list'] },
	},
	{ name: 'deleteReport', method: 'POST', path: '/deleteReport/{id}', ...engineer, uses: deleteBoard },
	// All reports are read: entries of a deleted one are not listed.
	{ name: 'getEntries', method: 'GET', path: '/getEntries', ...viewer, uses: listBoards },
	{ name: 'saveEntry', method: 'POST', path: '/saveEntry', ...engineer, uses: { ...saveBoard, variables: ['get', 'advance'] } },
	{
		name: 'deleteEntry',
		method: 'POST',
		path: '/deleteEntry/{id}',
		...engineer,
		uses: { ...deleteBoard, variables: ['advance'] },
	},
	{
		name: 'readReport',
		method: 'POST',
		path: '/readReport',
		...viewer,
		uses: { ...countsTotals, boards: listRows, reportDays: ['list'] },
	},
	{ name: 'getReportDay', method: 'GET', path: '/reportDay', ...viewer, uses: { boards: ['get'], reportDays: ['list'] } },
	{
		name: 'sealReportDays',
		method: 'POST',
		path: '/sealReportDays',
		...engineer,
		uses: { ...checksRole, ...countsTotals, boards: listRows, reportDays: ['list', 'put'] },
	},
	{
		name: 'tableReport',
		method: 'GET',
		path: '/table/report/{id}',
		extensions: tableExtensions,
		...viewerOrMachine,
		uses: { ...checksCredentials, ...countsTotals, boards: listRows, reportDays: ['list'] },
	},
	{
		name: 'tableTotals',
		method: 'GET',
		path: '/table/totals',
		extensions: tableExtensions,
		...viewerOrMachine,
		// It counts no alarms.
		uses: { ...checksCredentials, variables: readsDefinitions, boards: ['get', 'getMany'], timeSeries: ['read'] },
	},
	{
		name: 'tableHistory',
		method: 'GET',
		path: '/table/history',
		extensions: tableExtensions,
		...viewerOrMachine,
		uses: { ...checksCredentials, variables: readsDefinitions, timeSeries: ['read'] },
	},
	{
		name: 'tableReadings',
		method: 'GET',
		path: '/table/readings',
		extensions: tableExtensions,
		...viewerOrMachine,
		uses: { ...checksCredentials, variables: [...readsDefinitions, 'list'], timeSeries: ['read'] },
	},
	{
		name: 'prometheus',
		method: 'GET',
		byForm: true,
		path: '/prometheus/api/v1/{request+}',
		describedBy: 'Prometheus',
		...viewerOrMachine,
		uses: { ...checksCredentials, variables: [...readsDefinitions, 'list'], timeSeries: ['read'] },
	},
	{
		name: 'getBombs',
		method: 'GET',
		path: '/bombs',
		...viewer,
		uses: { variables: readsDefinitions, panels: ['get'], timeSeries: ['read'] },
	},
	{
		name: 'saveBombs',
		method: 'POST',
		path: '/bombs',
		...engineer,
		uses: {
			...checksRole,
			...writesChanges,
			variables: ['getMany', 'check', 'advance'],
			panels: ['getMany', 'put'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'usages',
		method: 'GET',
		path: '/usages/{id}',
		...viewer,
		uses: { variables: ['get'], panels: ['get'], boards: listRows },
	},
	{ name: 'getCharts', method: 'GET', path: '/getCharts', ...viewer, uses: listBoards },
	{ name: 'saveChart', method: 'POST', path: '/saveChart', ...operator, uses: saveBoard },
	{ name: 'deleteChart', method: 'POST', path: '/deleteChart/{id}', ...operator, uses: deleteBoard },
	{ name: 'getDiagrams', method: 'GET', path: '/getDiagrams', ...viewer, uses: listBoards },
	{ name: 'saveDiagram', method: 'POST', path: '/saveDiagram', ...engineer, uses: saveBoard },
	{ name: 'deleteDiagram', method: 'POST', path: '/deleteDiagram/{id}', ...engineer, uses: deleteBoard },
	{
		name: 'getAlarms',
		method: 'GET',
		path: '/getAlarms',
		...viewer,
		uses: {
			boards: listRows,
			variables: readsDefinitions,
			evaluations: ['get'],
			alarmStates: ['getMany', 'list'],
			timeSeries: ['read'],
		},
	},
	{
		name: 'saveAlarm',
		method: 'POST',
		path: '/saveAlarm',
		...engineer,
		uses: { ...saveBoard, evaluations: ['put'], ...writesEvents, timeSeries: ['read'] },
	},
	{
		name: 'deleteAlarm',
		method: 'POST',
		path: '/deleteAlarm/{id}',
		...engineer,
		// An alarm refers to one variable, read alone (GetItem), so no getMany.
		uses: { ...deleteBoard, variables: ['get', 'list', 'check', 'put', 'advance'], ...writesEvents },
	},
	{
		name: 'ackAlarms',
		method: 'POST',
		path: '/ackAlarms',
		...operator,
		uses: { ...checksRole, boards: ['get', 'getMany', 'check'], alarmStates: ['getMany', 'put'], ...writesEvents },
	},
	{ name: 'shelveAlarm', method: 'POST', path: '/shelveAlarm/{id}', ...operator, uses: changeShelf },
	{
		name: 'unshelveAlarm',
		method: 'POST',
		path: '/unshelveAlarm/{id}',
		...operator,
		// The state decides whether the end of a shelf is reported.
		uses: { ...changeShelf, alarmStates: ['getMany', 'check', 'put'] },
	},
	{ name: 'alarmEvents', method: 'GET', path: '/alarmEvents', ...viewer, uses: { alarmEvents: ['list'] } },
	// The role decides whether changes of people, machines and sessions are read.
	{ name: 'getChanges', method: 'GET', path: '/changes', ...viewer, uses: { ...checksRole, changes: ['listIndex'] } },
	{
		name: 'getChange',
		method: 'GET',
		path: '/change',
		...viewer,
		uses: { ...checksRole, changes: ['list'], variables: ['get'], boards: ['get'], panels: ['get'], grants: ['get'] },
	},
	{
		name: 'restoreItem',
		method: 'POST',
		path: '/restore',
		...engineer,
		uses: { ...saveBoard, variables: ['get', 'getMany', 'put', 'advance'], changes: ['list', 'put'] },
	},
	{ name: 'getPeople', method: 'GET', path: '/getPeople', ...administrator, uses: { ...checksRole, people: ['get', 'list'] } },
	{
		name: 'savePerson',
		method: 'POST',
		path: '/savePerson',
		...administrator,
		uses: { ...checksRole, people: ['get', 'check', 'update'], sessions: ['get', 'check'], ...writesChanges },
	},
	{
		name: 'getMachines',
		method: 'GET',
		path: '/getMachines',
		...administrator,
		uses: { ...checksRole, machines: ['get', 'listIndex'] },
	},
	{
		name: 'saveMachine',
		method: 'POST',
		path: '/saveMachine',
		...administrator,
		uses: { ...checksRole, machines: ['get', 'update'], ...writesChanges },
	},
	{
		name: 'deleteMachine',
		method: 'POST',
		path: '/deleteMachine/{clientId}',
		...administrator,
		uses: { ...checksRole, machines: ['get', 'delete'], ...writesChanges },
	},
	{ name: 'health', method: 'GET', path: '/health', ...open, uses: {} },
	{ name: 'openapi', method: 'GET', path: '/openapi.json', ...open, setting: 'publicDocs', uses: {} },
	{ name: 'docs', method: 'GET', path: '/docs', filesPath: '/docs/{file}', ...open, setting: 'publicDocs', uses: {} },
	{ name: 'console', method: 'GET', path: '/console', filesPath: '/console/{file}', redirectPath: rootPath, ...open, uses: {} },
	{ name: 'openidConfiguration', method: 'GET', path: '/.well-known/openid-configuration', ...issuer, uses: {} },
	{ name: 'jwks', method: 'GET', path: '/.well-known/jwks.json', ...issuer, uses: { publicKeys: ['read'] } },
] as const satisfies readonly Endpoint[];

/** The endpoints that only the service on one machine has. They have no event under `events/`, and nothing of them is deployed. */
export const localEndpoints = [
	{ name: 'signInPassword', method: 'POST', path: '/signInPassword', ...open, setting: 'accounts', uses: {} },
	{ name: 'setSecondFactor', method: 'POST', path: '/setSecondFactor', ...open, setting: 'accounts', uses: {} },
	{ name: 'setPassword', method: 'POST', path: '/setPassword', ...open, setting: 'accounts', uses: {} },
] as const satisfies readonly LocalEndpoint[];

/** The name of an endpoint of one machine. */
export type LocalEndpointName = (typeof localEndpoints)[number]['name'];

/** The name of an endpoint: `'loginSso' | 'getVarsTsdb' | …`. */
export type EndpointName = (typeof endpoints)[number]['name'];

/** The name of a function: of an endpoint or a task. */
export type FunctionName = EndpointName | TaskName;

/** The name of every function, endpoints first. */
export const functionNames: readonly FunctionName[] = [...endpoints, ...tasks].map(({ name }) => name);

/** Returns the path template of an endpoint, such as `/deleteVar/{id}`. Code that needs a path calls this instead of repeating it. */
export function pathOf(name: EndpointName): string {
	return endpointNamed(name).path;
}

/** Returns an endpoint by its name. @throws RangeError when there is none with that name */
export function endpointNamed(name: string): Endpoint {
	const endpoint = endpoints.find((each) => each.name === name);
	if (endpoint === undefined) throw new RangeError(`There is no endpoint ${name}.`);
	return endpoint;
}
