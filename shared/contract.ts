/**
 * The route table: one row per endpoint. The local gateway, the events under `events/`, the stacks and each function's
 * permissions are derived from it. No other code contains a path. Below it are the tasks: functions that run by the clock and have
 * no route. Imports nothing but the names of roles and of tables.
 */
import type { Role } from './domain/access/role.ts';
import type { Access, TableName } from './tables.ts';

/** The tables and dependencies that an endpoint or a task uses. Each key names a table or a port of the domain. */
interface Uses extends Readonly<Partial<Record<TableName, readonly Access[]>>> {
	readonly timeSeries?: readonly ['read'];
	readonly identityProvider?: readonly ['read'];
	readonly signingKey?: readonly ['sign'];
	readonly publicKeys?: readonly ['read'];
	/** The application token of the canary's own user. */
	readonly canaryToken?: readonly ['read'];
	/** The secret of the proxy in front of the service, where there is one. */
	readonly proxySecret?: readonly ['read'];
	readonly notifier?: readonly ['send'];
	/** Other invocations of the same function. */
	readonly evaluationWorkers?: readonly ['start'];
}

/**
 * Who may call an endpoint (shared/domain/access/README.md#roles). `bearer`: whoever has a token and at least this role. What the role viewer
 * may call only reads. `none`: everybody.
 */
type Admitted = { readonly auth: 'bearer'; readonly role: Role } | { readonly auth: 'none'; readonly role?: never };

/** One endpoint of the service (shared/http/README.md#endpoints). */
export type Endpoint = Admitted & EndpointBase;

interface EndpointBase {
	/** The name of its folder under `functions/` and of its event under `events/`. */
	readonly name: string;
	readonly method: 'GET' | 'POST';
	/** Path template in API Gateway's form: `{id}` is a path parameter. */
	readonly path: string;
	/** The path template of the files of a page, with the parameter `{file}`. Pages are for people: the OpenAPI document has no endpoint with it. */
	readonly filesPath?: string;
	/** A path that redirects to `path`. */
	readonly redirectPath?: string;
	/** Whether HEAD answers as GET does, without the body: for checks that ask whether the service is up. */
	readonly head?: true;
	/** The HTTP API that serves it. The issuer's documents have an API of their own (infra/aws/README.md#issuer-and-authorizer). */
	readonly api: 'service' | 'issuer';
	/** The setting that takes the endpoint away (infra/openapi/README.md#switching-both-off). */
	readonly setting?: 'publicDocs';
	readonly uses: Uses;
}

/** The CORS rules for the configured origins (shared/http/README.md#headers). */
export const cors = {
	methods: ['GET', 'POST', 'OPTIONS'],
	headers: ['authorization', 'content-type', 'accept', 'if-match', 'idempotency-key', 'cache-control'],
	exposedHeaders: ['etag', 'retry-after', 'idempotent-replayed', 'apigw-requestid'],
	/** How long a browser may cache the answer to a preflight request. Chrome keeps it for at most two hours. */
	maxAgeSeconds: 7200,
} as const;

/** The path of the address without a path. It redirects to the console. */
export const rootPath = '/';

/** The scopes of tokens: `read` is that of viewers, `service` of all others. */
export const scopes = { read: 'read', service: 'service' } as const;

const [viewer, operator, engineer, administrator] = [
	{ auth: 'bearer', api: 'service', role: 'viewer' },
	{ auth: 'bearer', api: 'service', role: 'operator' },
	{ auth: 'bearer', api: 'service', role: 'engineer' },
	{ auth: 'bearer', api: 'service', role: 'administrator' },
] as const;

const open = { auth: 'none', api: 'service' } as const;

const issuer = { auth: 'none', api: 'issuer' } as const;

/** The caller's row, of a person or a machine, for the role: of whoever may do more than read. */
const checksRole = { people: ['get'], machines: ['get'] } as const;

/** Rows are listed, or read by key: one (GetItem) or several. */
const listRows = ['get', 'getMany', 'list'] as const;

const listBoards = { boards: listRows } as const;

/** Adds an entry to the journal of changes, in the commit that it tells of. */
const writesChanges = { changes: ['put'] } as const;

/** Adds sign-ins and refusals to the journal of changes, each once. */
const tellsSessions = { changes: ['list', 'put'] } as const;

const saveBoard = {
	...checksRole,
	...writesChanges,
	// Lists the boards where they have no count yet.
	boards: ['get', 'list', 'put'],
	variables: ['get', 'getMany', 'check', 'put', 'advance'],
	idempotency: ['claim'],
} as const;

const deleteBoard = { ...saveBoard, boards: ['get', 'check', 'delete'] } as const;

/** Adds an event to the journal of alarms, in the commit that it tells of. */
const writesEvents = { alarmEvents: ['put'] } as const;

/** Counts lines of totals: from samples, and from the journal of alarms. */
const countsTotals = {
	variables: ['get', 'getMany'],
	boards: ['get', 'getMany'],
	evaluations: ['get'],
	alarmEvents: ['list'],
	timeSeries: ['read'],
} as const;

/** Changes the shelf of an alarm, and answers with its value. */
const changeShelf = {
	...checksRole,
	boards: ['get', 'check'],
	variables: ['get'],
	alarmStates: ['getMany', 'put'],
	...writesEvents,
	idempotency: ['claim'],
	timeSeries: ['read'],
} as const;

/** Every endpoint, in the order in which a client uses them: sign in, configure, read. */
export const endpoints = [
	{
		name: 'loginSso',
		method: 'POST',
		path: '/loginSso',
		...open,
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
		uses: { users: ['get'], people: ['get'], owners: ['get'], identityProvider: ['read'], signingKey: ['sign'] },
	},
	{
		name: 'token',
		method: 'POST',
		path: '/token',
		...open,
		uses: { machines: ['get', 'update'], owners: ['get'], ...tellsSessions, signingKey: ['sign'], proxySecret: ['read'] },
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
			boards: ['get', 'getMany', 'check', 'put', 'delete'],
			...writesEvents,
			idempotency: ['claim'],
		},
	},
	{
		name: 'getTopics',
		method: 'GET',
		path: '/topics',
		...engineer,
		uses: { ...checksRole, variables: ['get', 'list'], timeSeries: ['read'] },
	},
	{
		name: 'describeTopics',
		method: 'POST',
		path: '/topics',
		...engineer,
		uses: { ...checksRole, variables: ['get', 'list'], timeSeries: ['read'] },
	},
	{
		name: 'multipleDataTsdb',
		method: 'POST',
		path: '/multipleDataTsdb',
		...viewer,
		uses: { variables: ['get', 'list'], timeSeries: ['read'] },
	},
	{
		name: 'history',
		method: 'POST',
		path: '/history',
		...viewer,
		uses: { variables: ['get'], timeSeries: ['read'] },
	},
	{
		name: 'totals',
		method: 'POST',
		path: '/totals',
		...viewer,
		uses: countsTotals,
	},
	{
		name: 'getCorrections',
		method: 'GET',
		path: '/getCorrections',
		...viewer,
		uses: { variables: ['get'], boards: listRows },
	},
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
		uses: { ...deleteBoard, variables: ['get', 'check', 'put', 'advance'] },
	},
	{ name: 'getReports', method: 'GET', path: '/getReports', ...viewer, uses: listBoards },
	{
		name: 'saveReport',
		method: 'POST',
		path: '/saveReport',
		...engineer,
		uses: { ...countsTotals, ...saveBoard, boards: ['get', 'getMany', 'list', 'put'] },
	},
	{ name: 'deleteReport', method: 'POST', path: '/deleteReport/{id}', ...engineer, uses: deleteBoard },
	{ name: 'readReport', method: 'POST', path: '/readReport', ...viewer, uses: { ...countsTotals, reportDays: ['list'] } },
	{
		name: 'getReportDay',
		method: 'GET',
		path: '/reportDay',
		...viewer,
		uses: { boards: ['get'], reportDays: ['list'] },
	},
	{
		name: 'sealReportDays',
		method: 'POST',
		path: '/sealReportDays',
		...engineer,
		uses: { ...checksRole, ...countsTotals, reportDays: ['list', 'put'] },
	},
	{
		name: 'getBombs',
		method: 'GET',
		path: '/bombs',
		...viewer,
		uses: { variables: ['get'], panels: ['get'], timeSeries: ['read'] },
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
		uses: { variables: ['get'], panels: ['get'], boards: ['get', 'getMany'] },
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
		uses: { boards: listRows, variables: ['get'], evaluations: ['get'], alarmStates: ['getMany', 'list'], timeSeries: ['read'] },
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
		uses: { ...deleteBoard, variables: ['get', 'check', 'put', 'advance'], ...writesEvents },
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
		// Whether the end of a shelf is told depends on the state.
		uses: { ...changeShelf, alarmStates: ['getMany', 'check', 'put'] },
	},
	{ name: 'alarmEvents', method: 'GET', path: '/alarmEvents', ...viewer, uses: { alarmEvents: ['list'] } },
	{
		name: 'getChanges',
		method: 'GET',
		path: '/changes',
		...viewer,
		uses: { ...checksRole, changes: ['listIndex'] },
	},
	{
		name: 'getChange',
		method: 'GET',
		path: '/change',
		...viewer,
		uses: { ...checksRole, changes: ['list'], variables: ['get'], boards: ['get'], panels: ['get'] },
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
		uses: { ...checksRole, people: ['get', 'check', 'update'], ...writesChanges },
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
	{ name: 'health', method: 'GET', path: '/health', head: true, ...open, uses: {} },
	{ name: 'openapi', method: 'GET', path: '/openapi.json', ...open, setting: 'publicDocs', uses: {} },
	{ name: 'docs', method: 'GET', path: '/docs', filesPath: '/docs/{file}', head: true, ...open, setting: 'publicDocs', uses: {} },
	{
		name: 'console',
		method: 'GET',
		path: '/console',
		filesPath: '/console/{file}',
		redirectPath: rootPath,
		head: true,
		...open,
		uses: {},
	},
	{ name: 'openidConfiguration', method: 'GET', path: '/.well-known/openid-configuration', ...issuer, uses: {} },
	{ name: 'jwks', method: 'GET', path: '/.well-known/jwks.json', ...issuer, uses: { publicKeys: ['read'] } },
] as const satisfies readonly Endpoint[];

/** The name of an endpoint: `'loginSso' | 'getVarsTsdb' | …`. */
export type EndpointName = (typeof endpoints)[number]['name'];

/**
 * What runs a task on AWS. `rule`: a rule of EventBridge, and Lambda repeats a run that crashed. `scheduler`: EventBridge Scheduler; a run is
 * never repeated and never late by more than a minute, because the next one does its work.
 */
export interface TaskClock {
	readonly by: 'rule' | 'scheduler';
	readonly everyMinutes: number;
}

/** A function that runs by the clock and has no route (infra/aws/README.md#tasks). */
export interface Task {
	/** The name of its folder under `functions/` and of its event under `events/`. */
	readonly name: string;
	/** What it does, in a few words. */
	readonly description: string;
	/** When it runs; null: another task starts it. Its runs are never repeated, and never late by more than a minute. */
	readonly clock: TaskClock | null;
	/** How long a run may take; that of endpoints where it is left out. */
	readonly timeoutSeconds?: number;
	/** The setting that an environment must have for the task to be deployed there. Without one, it is deployed everywhere. */
	readonly setting?: 'canary';
	readonly uses: Uses;
}

/** Every task. */
export const tasks = [
	{
		name: 'canary',
		description: 'Signs in and reads, as a client does',
		clock: { by: 'rule', everyMinutes: 5 },
		setting: 'canary',
		uses: { canaryToken: ['read'] },
	},
	{
		name: 'dispatchAlarms',
		description: 'Starts the evaluation of alarms, and measures it',
		clock: { by: 'scheduler', everyMinutes: 1 },
		uses: { evaluations: ['scan'], evaluationWorkers: ['start'] },
	},
	{
		name: 'evaluateAlarms',
		description: 'Evaluates the alarms of some schemas, and tells of them',
		clock: null,
		timeoutSeconds: 58,
		uses: {
			variables: ['get', 'check'],
			boards: ['get', 'list', 'check'],
			evaluations: ['lease'],
			alarmStates: ['getMany', 'list', 'check', 'put', 'delete'],
			alarmEvents: ['put'],
			timeSeries: ['read'],
			notifier: ['send'],
		},
	},
	{
		name: 'closeReportDays',
		description: 'Stores, seals and sends the days of reports',
		clock: { by: 'scheduler', everyMinutes: 15 },
		timeoutSeconds: 300,
		uses: {
			...countsTotals,
			boards: ['get', 'getMany', 'list'],
			reportDays: ['list', 'put'],
			owners: ['scan'],
			notifier: ['send'],
		},
	},
] as const satisfies readonly Task[];

/** The name of a task: `'canary' | 'dispatchAlarms' | …`. */
export type TaskName = (typeof tasks)[number]['name'];

/** The name of a function: of an endpoint or a task. */
export type FunctionName = EndpointName | TaskName;

/** The name of every function, endpoints first. */
export const functionNames: readonly FunctionName[] = [...endpoints, ...tasks].map(({ name }) => name);

/** The `User-Agent` of the canary's requests. Requests with it are not counted as traffic of clients. */
export const canaryUserAgent = 'caudal-canary';

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

/** Returns the scopes of tokens that an endpoint takes, any of them: an endpoint that only reads takes those of viewers, too. */
export function scopesOf({ role }: Pick<Endpoint, 'role'>): readonly string[] {
	return role === 'viewer' ? [scopes.service, scopes.read] : [scopes.service];
}

/** Returns the methods of an endpoint's routes. */
export function methodsOf({ method, head }: Endpoint): readonly (Endpoint['method'] | 'HEAD')[] {
	return head ? [method, 'HEAD'] : [method];
}

/** Returns the path templates of an endpoint's routes: its own, that of its files, and the one that redirects to it. */
export function routePathsOf({ path, filesPath, redirectPath }: Endpoint): readonly string[] {
	return [path, filesPath, redirectPath].filter((each) => each !== undefined);
}
