import { type Endpoint, type EndpointName, endpoints } from '#shared/contract.ts';
import { makeBody, makePanel, makeQuery } from './builders/builders.ts';
import { alarmRule } from './builders/small-schema.ts';

/** Every canary begins with it, and nothing else has it. Short, because some errors quote only a few characters. */
const mark = 'cnry';

/** A text that must not be seen in a log, by where it is put. */
export const canary = (place: string): string => `${mark}-${place}`;

/** The canaries in a text, each with what stands before it. */
export const leaksIn = (printed: string): readonly string[] => [
	...new Set(printed.match(new RegExp(`.{0,60}${mark}[\\w-]*`, 'g')) ?? []),
];

/** Whoever signs in, with what it shows. */
export const credentials = {
	email: `${canary('email')}@plant.example`,
	tokenApp: canary('app'),
	schemaName: canary('schema'),
	tsdb_name: canary('tsdb'),
} as const;

/** Who `credentials` are of, as registered. */
export const registered = { id: 7, email: credentials.email, firstName: canary('first'), lastName: canary('last'), clientId: 9 };

/** What is stored, for requests to name. */
export interface Ids {
	readonly variable: number;
	readonly chart: number;
	readonly diagram: number;
	readonly alarm: number;
}

/** One request to an endpoint. */
export interface Sent {
	readonly endpoint: Endpoint & { readonly name: EndpointName };
	readonly id?: string;
	/** Sent as JSON unless it is text. */
	readonly body?: unknown;
	readonly query: Readonly<Record<string, string>>;
	/** Of names in lower case; beside these, whoever sends it adds the token. */
	readonly headers: Readonly<Record<string, string>>;
}

const variableBody = (id: number) =>
	makeBody({
		id,
		name: canary('name'),
		unit: canary('unit'),
		process: canary('process'),
		varsTsdb: { [canary('name')]: makeQuery({ calc_topic: canary('topic'), calc_field: canary('field') }) },
		[canary('key')]: canary('value'),
	});
const panelBody = (varId: number) =>
	makePanel(varId, { title: canary('title'), pumps: [{ id: 1, name: canary('pump'), varId, type: 'pump' }] });
const chartBody = (id: number, varId: number) => ({ id, title: canary('title'), series: [{ varId, label: canary('label') }] });
const diagramBody = (id: number, varId: number) => ({
	id,
	title: canary('title'),
	items: [{ varId, x: 0, y: 1, label: canary('label') }],
});
const alarmBody = (id: number, varId: number) => ({
	...alarmRule,
	id,
	name: canary('name'),
	message: canary('message'),
	varId,
});

/** The id of nothing: deleting it is done at once. */
const nobody = '999';

type Input = Pick<Sent, 'id' | 'body'>;

/** What each endpoint takes: an endpoint without a row does not compile. */
const inputs: Readonly<Record<EndpointName, (ids: Ids) => Input>> = {
	loginSso: () => ({ body: { ...credentials, [canary('key')]: canary('value') } }),
	getVarsTsdb: () => ({}),
	saveVariable: ({ variable }) => ({ body: variableBody(variable) }),
	deleteVar: () => ({ id: nobody, body: { [canary('key')]: canary('value') } }),
	multipleDataTsdb: ({ variable }) => ({ body: { ids: [variable, 998], [canary('key')]: canary('value') } }),
	getBombs: () => ({}),
	saveBombs: ({ variable }) => ({ body: panelBody(variable) }),
	usages: ({ variable }) => ({ id: String(variable) }),
	getCharts: () => ({}),
	saveChart: ({ chart, variable }) => ({ body: chartBody(chart, variable) }),
	deleteChart: () => ({ id: nobody }),
	getDiagrams: () => ({}),
	saveDiagram: ({ diagram, variable }) => ({ body: diagramBody(diagram, variable) }),
	deleteDiagram: () => ({ id: nobody }),
	getAlarms: () => ({}),
	saveAlarm: ({ alarm, variable }) => ({ body: alarmBody(alarm, variable) }),
	deleteAlarm: () => ({ id: nobody }),
	health: () => ({}),
	openidConfiguration: () => ({}),
	jwks: () => ({}),
};

let sent = 0;

/** Canaries wherever a client may put something of its own. A key is of one request. */
const surroundings = (): Pick<Sent, 'query' | 'headers'> => {
	sent += 1;
	return {
		query: { [canary('query')]: canary('value') },
		headers: {
			cookie: `${canary('cookie')}=${canary('session')}; other=${canary('other')}`,
			'idempotency-key': canary(`key-${sent}`),
			[`x-${canary('header')}`]: canary('value'),
			'user-agent': canary('agent'),
		},
	};
};

/** Puts another body in the place of one, where the method takes any. */
const withBody = (request: Sent, body: unknown): Sent => (request.endpoint.method === 'POST' ? { ...request, body } : request);
const withHeader = (request: Sent, name: string, value: string): Sent => ({
	...request,
	headers: { ...request.headers, [name]: value },
});
const wrongFields = (body: unknown): Record<string, unknown> =>
	Object.fromEntries(Object.keys(body ?? {}).map((name) => [name, { [canary('in')]: canary('wrong') }]));

/** The ways in which an endpoint is asked. */
export const variants = {
	'as it should be': (request) => request,
	'with wrong fields': (request) => withBody(request, wrongFields(request.body)),
	'with text where a number belongs': (request) =>
		withBody(request, { ...Object(request.body), id: canary('id'), ids: [canary('id')] }),
	'with an id that is none': (request) => (request.id === undefined ? request : { ...request, id: canary('id') }),
	'with half a JSON': (request) => withBody(request, `{"name":"${canary('broken')}`),
	'with no JSON': (request) => withBody(request, canary('text')),
	'with another content type': (request) => withHeader(withBody(request, canary('text')), 'content-type', canary('type')),
	'with an If-Match that is none': (request) => withHeader(request, 'if-match', canary('match')),
	'with an If-Match of another version': (request) => withHeader(request, 'if-match', `"${canary('match')}"`),
	'with a dry run misspelt': (request) => ({ ...request, query: { dryRun: canary('dry') } }),
	'with a dry run': (request) => ({ ...request, query: { ...request.query, dryRun: '1' } }),
} as const satisfies Readonly<Record<string, (request: Sent) => Sent>>;
export type Variant = keyof typeof variants;
export const variantNames = Object.keys(variants).filter((name): name is Variant => Object.hasOwn(variants, name));

/** One request to each endpoint, asked in a way. */
export const requestsOf = (variant: Variant, ids: Ids): readonly Sent[] =>
	endpoints.map((endpoint) => variants[variant]({ endpoint, ...surroundings(), ...inputs[endpoint.name](ids) }));

/** What puts into a new schema what `Ids` names; each answers with its id, the panel without. */
export const setup = {
	variable: (): Input => ({ body: variableBody(0) }),
	chart: (variable: number): Input => ({ body: chartBody(0, variable) }),
	diagram: (variable: number): Input => ({ body: diagramBody(0, variable) }),
	alarm: (variable: number): Input => ({ body: alarmBody(0, variable) }),
	panel: (variable: number): Input => ({ body: panelBody(variable) }),
};
