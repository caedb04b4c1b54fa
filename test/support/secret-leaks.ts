import { type EndpointName, endpoints } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { makeBody, makePanel, makeQuery } from './builders/builders.ts';
import { alarmRule } from './builders/small-schema.ts';

/** Starts every marker and occurs nowhere else. It is short because some errors quote only a few characters. */
const prefix = 'cnry';

/** Makes a text that must not appear in a log. `place` says where the test puts it. */
export const secretMarker = (place: string): string => `${prefix}-${place}`;

/** Returns the markers in a text, each with up to 60 characters before it. */
export const leaksIn = (printed: string): readonly string[] => [
	...new Set(printed.match(new RegExp(`.{0,60}${prefix}[\\w-]*`, 'g')) ?? []),
];

/** The credentials of the user who signs in. */
export const credentials = {
	email: `${secretMarker('email')}@plant.example`,
	tokenApp: secretMarker('app'),
	schemaName: secretMarker('schema'),
	tsdb_name: secretMarker('tsdb'),
} as const;

/** The user of `credentials`. */
export const registeredUser = {
	id: 7,
	email: credentials.email,
	firstName: secretMarker('first'),
	lastName: secretMarker('last'),
	clientId: 9,
};

/** The ids that requests refer to. */
export interface StoredIds {
	readonly variable: number;
	readonly chart: number;
	readonly diagram: number;
	readonly alarm: number;
	readonly report: number;
	/** A chart that was saved and deleted. */
	readonly deletedChart: number;
}

/** The ids of nothing. */
export const noIds: StoredIds = { variable: 0, chart: 0, diagram: 0, alarm: 0, report: 0, deletedChart: 0 };

/** One request to an endpoint. */
export interface RequestToSend {
	readonly endpoint: Endpoint & { readonly name: EndpointName };
	readonly id?: string;
	/** Sent as JSON unless it is text. */
	readonly body?: unknown;
	readonly query: Readonly<Record<string, string>>;
	/** By lower-case names. The sender adds the token. */
	readonly headers: Readonly<Record<string, string>>;
}

const variableBody = (id: number) =>
	makeBody({
		id,
		name: secretMarker('name'),
		unit: secretMarker('unit'),
		process: secretMarker('process'),
		varsTsdb: { [secretMarker('name')]: makeQuery({ calc_topic: secretMarker('topic'), calc_field: secretMarker('field') }) },
		[secretMarker('key')]: secretMarker('value'),
	});
const panelBody = (varId: number) =>
	makePanel(varId, { title: secretMarker('title'), pumps: [{ id: 1, name: secretMarker('pump'), varId, type: 'pump' }] });
const chartBody = (id: number, varId: number) => ({
	id,
	title: secretMarker('title'),
	series: [{ varId, label: secretMarker('label') }],
});
const diagramBody = (id: number, varId: number) => ({
	id,
	title: secretMarker('title'),
	items: [{ varId, x: 0, y: 1, label: secretMarker('label') }],
});
const reportBody = (id: number, varId: number) => ({
	id,
	title: secretMarker('report'),
	lines: [
		{ key: secretMarker('line'), name: secretMarker('name'), unit: '', varId, function: 'mean', holdSeconds: 60 },
		{ key: secretMarker('entered'), name: secretMarker('name'), unit: '', function: 'entered' },
	],
	[secretMarker('key')]: secretMarker('value'),
});
const alarmBody = (id: number, varId: number) => ({
	...alarmRule,
	id,
	name: secretMarker('name'),
	message: secretMarker('message'),
	varId,
});

/** An id without a row: deleting it changes nothing. */
const unknownId = '999';

type Input = Pick<RequestToSend, 'id' | 'body'> & Partial<Pick<RequestToSend, 'query' | 'headers'>>;

/** A valid input for each endpoint. An endpoint without a row does not compile. */
const inputs: Readonly<Record<EndpointName, (ids: StoredIds) => Input>> = {
	loginSso: () => ({ body: { ...credentials, [secretMarker('key')]: secretMarker('value') } }),
	renewToken: () => ({}),
	openIdProviders: () => ({}),
	openIdProvider: () => ({ query: { name: secretMarker('provider') } }),
	signInOpenId: () => ({
		body: {
			// No provider has this name: with one that is there, the provider is asked.
			provider: secretMarker('provider'),
			code: secretMarker('code'),
			codeVerifier: secretMarker('verifier').padEnd(43, 'x'),
			nonce: secretMarker('nonce').padEnd(43, 'x').slice(0, 43),
		},
	}),
	renewOpenId: () => ({ body: { schemaName: secretMarker('schema') } }),
	signOut: () => ({}),
	backchannelLogout: () => ({
		body: new URLSearchParams({ logout_token: secretMarker('logout') }).toString(),
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
	}),
	token: () => ({
		body: new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: secretMarker('client'),
			client_secret: secretMarker('secret'),
			scope: secretMarker('scope'),
		}).toString(),
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
	}),
	getVarsTsdb: () => ({}),
	saveVariable: ({ variable }) => ({ body: variableBody(variable) }),
	deleteVar: () => ({ id: unknownId, body: { [secretMarker('key')]: secretMarker('value') } }),
	getTopics: () => ({ query: { search: secretMarker('search') } }),
	describeTopics: () => ({
		body: {
			topics: [{ topic: secretMarker('topic'), field: secretMarker('field') }],
			[secretMarker('key')]: secretMarker('value'),
		},
	}),
	multipleDataTsdb: ({ variable }) => ({ body: { ids: [variable, 998], [secretMarker('key')]: secretMarker('value') } }),
	history: ({ variable }) => ({
		body: { ids: [variable, 998], start: Date.now() - 3_600_000, [secretMarker('key')]: secretMarker('value') },
	}),
	totals: ({ variable }) => ({
		body: {
			lines: [
				{
					key: secretMarker('line'),
					varId: variable,
					function: 'mean',
					holdSeconds: 60,
					[secretMarker('key')]: secretMarker('value'),
				},
			],
			start: Date.now() - 3_600_000,
		},
	}),
	getCorrections: () => ({}),
	saveCorrection: ({ variable }) => ({
		body: {
			id: 0,
			varId: variable,
			type: 'exclude',
			from: Date.now() - 60_000,
			to: Date.now(),
			reason: secretMarker('reason'),
			[secretMarker('key')]: secretMarker('value'),
		},
	}),
	deleteCorrection: () => ({ id: unknownId }),
	getReports: () => ({}),
	saveReport: ({ report, variable }) => ({ body: reportBody(report, variable) }),
	deleteReport: () => ({ id: unknownId }),
	getEntries: ({ report }) => ({ query: { reportId: String(report) } }),
	saveEntry: ({ report }) => ({
		body: {
			id: 0,
			reportId: report,
			key: secretMarker('entered'),
			from: '2026-10-01',
			to: '2026-10-31',
			value: 1,
			reason: secretMarker('reason'),
			[secretMarker('name')]: secretMarker('value'),
		},
	}),
	deleteEntry: () => ({ id: unknownId }),
	readReport: ({ report }) => ({
		body: { id: report, start: Date.now() - 3_600_000, period: 'day', [secretMarker('key')]: secretMarker('value') },
	}),
	getReportDay: ({ report }) => ({ query: { id: String(report), date: '2026-11-20' } }),
	sealReportDays: ({ report }) => ({
		body: { id: report, from: '2026-11-20', to: '2026-11-20', reason: secretMarker('reason') },
	}),
	tableReport: ({ report }) => ({ id: String(report), query: { date: '2026-11-20' } }),
	tableTotals: ({ variable }) => ({ query: { ids: String(variable), function: 'mean', holdSeconds: '60' } }),
	tableHistory: ({ variable }) => ({ query: { ids: String(variable), aggregates: 'own' } }),
	tableReadings: () => ({ query: { columns: 'all' } }),
	prometheus: () => ({ id: 'query', query: { query: 'caudal_value' } }),
	getBombs: () => ({}),
	saveBombs: ({ variable }) => ({ body: panelBody(variable) }),
	usages: ({ variable }) => ({ id: String(variable) }),
	getCharts: () => ({}),
	saveChart: ({ chart, variable }) => ({ body: chartBody(chart, variable) }),
	deleteChart: () => ({ id: unknownId }),
	getDiagrams: () => ({}),
	saveDiagram: ({ diagram, variable }) => ({ body: diagramBody(diagram, variable) }),
	deleteDiagram: () => ({ id: unknownId }),
	getAlarms: () => ({}),
	saveAlarm: ({ alarm, variable }) => ({ body: alarmBody(alarm, variable) }),
	deleteAlarm: () => ({ id: unknownId }),
	ackAlarms: ({ alarm }) => ({
		body: {
			alarms: [{ id: alarm, occurrence: 1 }],
			comment: secretMarker('comment'),
			[secretMarker('key')]: secretMarker('value'),
		},
	}),
	shelveAlarm: ({ alarm }) => ({ id: String(alarm), body: { minutes: 1, reason: secretMarker('reason') } }),
	unshelveAlarm: ({ alarm }) => ({ id: String(alarm) }),
	alarmEvents: () => ({}),
	getChanges: () => ({}),
	getChange: ({ variable }) => ({ query: { kind: 'variable', itemId: String(variable), rowVersion: '1' } }),
	restoreItem: ({ deletedChart }) => ({
		body: { kind: 'chart', itemId: deletedChart, rowVersion: 2, [secretMarker('key')]: secretMarker('value') },
	}),
	getPeople: () => ({}),
	savePerson: () => ({ body: { email: `${secretMarker('person')}@plant.example`, role: 'viewer' } }),
	getMachines: () => ({}),
	saveMachine: () => ({ body: { name: secretMarker('machine'), role: 'viewer', [secretMarker('key')]: secretMarker('value') } }),
	deleteMachine: () => ({ id: unknownId }),
	health: () => ({}),
	openapi: () => ({}),
	docs: () => ({}),
	console: () => ({}),
	openidConfiguration: () => ({}),
	jwks: () => ({}),
};

let requestCount = 0;

/** Puts markers into the query, the cookies and the headers. Each request has its own idempotency key. */
const markedQueryAndHeaders = (): Pick<RequestToSend, 'query' | 'headers'> => {
	requestCount += 1;
	return {
		query: { [secretMarker('query')]: secretMarker('value') },
		headers: {
			cookie: `${secretMarker('cookie')}=${secretMarker('session')}; other=${secretMarker('other')}`,
			'idempotency-key': secretMarker(`key-${requestCount}`),
			[`x-${secretMarker('header')}`]: secretMarker('value'),
			'user-agent': secretMarker('agent'),
		},
	};
};

/** Replaces the body of a POST request. */
const withBody = (request: RequestToSend, body: unknown): RequestToSend =>
	request.endpoint.method === 'POST' ? { ...request, body } : request;
const withHeader = (request: RequestToSend, name: string, value: string): RequestToSend => ({
	...request,
	headers: { ...request.headers, [name]: value },
});
const wrongFields = (body: unknown): Record<string, unknown> =>
	Object.fromEntries(Object.keys(body ?? {}).map((name) => [name, { [secretMarker('in')]: secretMarker('wrong') }]));

/** How a request differs from a valid one. */
export const variants = {
	valid: (request) => request,
	'with wrong fields': (request) => withBody(request, wrongFields(request.body)),
	'with text where a number belongs': (request) =>
		withBody(request, { ...Object(request.body), id: secretMarker('id'), ids: [secretMarker('id')] }),
	'with an invalid id': (request) => (request.id === undefined ? request : { ...request, id: secretMarker('id') }),
	'with incomplete JSON': (request) => withBody(request, `{"name":"${secretMarker('broken')}`),
	'with a body that is not JSON': (request) => withBody(request, secretMarker('text')),
	'with another content type': (request) =>
		withHeader(withBody(request, secretMarker('text')), 'content-type', secretMarker('type')),
	'with a malformed If-Match': (request) => withHeader(request, 'if-match', secretMarker('match')),
	'with an If-Match of another version': (request) => withHeader(request, 'if-match', `"${secretMarker('match')}"`),
	'with an invalid dryRun': (request) => ({ ...request, query: { dryRun: secretMarker('dry') } }),
	'with a dry run': (request) => ({ ...request, query: { ...request.query, dryRun: '1' } }),
} as const satisfies Readonly<Record<string, (request: RequestToSend) => RequestToSend>>;
export type Variant = keyof typeof variants;
export const variantNames = Object.keys(variants).filter((name): name is Variant => Object.hasOwn(variants, name));

/** Makes one request of a variant for each endpoint. */
export const requestsOf = (variant: Variant, ids: StoredIds): readonly RequestToSend[] =>
	endpoints.map((endpoint) => {
		const [marked, input] = [markedQueryAndHeaders(), inputs[endpoint.name](ids)];
		const { 'idempotency-key': key, ...headers } = { ...marked.headers, ...input.headers };
		// saveMachine takes no key: its answer holds a secret.
		const keyed = key === undefined || endpoint.name === 'saveMachine' ? headers : { ...headers, 'idempotency-key': key };
		return variants[variant]({ endpoint, ...marked, ...input, headers: keyed });
	});

/** A token as a provider would sign it, with markers in every part. No key verifies it. */
const foreignToken = (issuer: string, claims: Readonly<Record<string, unknown>>): string => {
	const seconds = Math.floor(Date.now() / 1000);
	const payload = { iss: issuer, sub: secretMarker('sub'), iat: seconds, exp: seconds + 600, ...claims };
	const header = { alg: 'RS256', kid: secretMarker('kid') };
	const [head, body] = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
	return `${head}.${body}.${Buffer.from(secretMarker('signature')).toString('base64url')}`;
};

/** Makes the requests for which the OpenID provider `entra` is asked, whose client is `caudal`, and which gives tokens for `urn:caudal`. */
export const requestsToProvider = (issuer: string): readonly RequestToSend[] => {
	const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
	const form = (fields: Readonly<Record<string, string>>) => ({
		body: new URLSearchParams(fields).toString(),
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
	});
	const changed: Readonly<Partial<Record<EndpointName, Partial<Input>>>> = {
		openIdProvider: { query: { name: 'entra' } },
		signInOpenId: { body: { ...Object(inputs.signInOpenId(noIds).body), provider: 'entra' } },
		backchannelLogout: form({ logout_token: foreignToken(issuer, { aud: 'caudal', events, jti: secretMarker('jti') }) }),
		token: form({
			grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
			subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
			subject_token: foreignToken(issuer, { aud: 'urn:caudal', groups: [secretMarker('group')] }),
		}),
	};
	return requestsOf('valid', noIds).flatMap((request) => {
		const input = changed[request.endpoint.name];
		return input === undefined ? [] : [{ ...request, ...input }];
	});
};

/** The id with which what is not stored is saved. */
const newId = 0;

/** Inputs that create the rows of `StoredIds` in an empty schema, and a panel. */
export const inputsToCreate = {
	variable: (): Input => ({ body: variableBody(newId) }),
	chart: (variable: number): Input => ({ body: chartBody(newId, variable) }),
	diagram: (variable: number): Input => ({ body: diagramBody(newId, variable) }),
	alarm: (variable: number): Input => ({ body: alarmBody(newId, variable) }),
	report: (variable: number): Input => ({ body: reportBody(newId, variable) }),
	panel: (variable: number): Input => ({ body: panelBody(variable) }),
};
