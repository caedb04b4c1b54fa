import * as v from 'valibot';
import { boardSchema } from '#domain/board/board.ts';
import { panelSchema } from '#domain/panel/panel.ts';
import { sentFields } from '#domain/variable/sent-variable.ts';
import type { Schemas } from '#infra/openapi/api.ts';
import { ConfigError } from '#shared/config.ts';
import { nameOfContent, type StoredItem, type StoredPlant } from './items.ts';
import { canonicalText, type JsonObject, objectOf } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import type { Answer, ApiError, Session } from './session.ts';

/** Returns a schema that gives a checked body the type of the API. */
const bodyOf = <Body>(schema: v.GenericSchema) => v.custom<Body>((input) => v.is(schema, input), 'Is no body of this request.');

const bodies = {
	// A variable has the fields of its kind only, so none is required here.
	variable: bodyOf<Schemas['VariableInput']>(v.partial(sentFields)),
	chart: bodyOf<Schemas['ChartInput']>(boardSchema('chart')),
	diagram: bodyOf<Schemas['DiagramInput']>(boardSchema('diagram')),
	report: bodyOf<Schemas['ReportInput']>(boardSchema('report')),
	alarm: bodyOf<Schemas['AlarmInput']>(boardSchema('alarm')),
	panel: bodyOf<Schemas['PanelInput']>(panelSchema),
};

/** The headers of a change. */
export interface ChangeHeaders {
	/** The stored version that the change is based on; null: the item is new. */
	readonly version: number | null;
	/** The idempotency key. */
	readonly key: string;
}

/** Items that are read by one request. */
const pageSize = 500;

/** Most reasons of a refusal that one message names. */
const maxReasons = 5;

/** The requests of one kind of items. The panel has others, because there is only one. */
interface KindRequests {
	readonly page: (session: Session, query: PageQuery) => Promise<Answer<Listed>>;
	readonly save: (session: Session, body: JsonObject, headers: WireHeaders) => Promise<Answer<{ readonly data: object }>>;
	readonly remove: (session: Session, id: number, headers: WireHeaders) => Promise<Answer<unknown>>;
}

type PageQuery = { readonly limit: number; readonly after: number } | { readonly ids: number[] };

interface Listed {
	readonly data: readonly object[];
	readonly next?: number | null | undefined;
}

/** The headers of a change as they are sent. */
type WireHeaders = { readonly 'If-Match'?: string; readonly 'Idempotency-Key': string };

const requests: Readonly<Record<Exclude<PlantKind, 'panel'>, KindRequests>> = {
	variable: {
		page: ({ api, send }, query) => send(() => api.GET('/getVarsTsdb', { params: { query } })),
		save: ({ api, send }, body, header) =>
			send(() => api.POST('/saveVariable', { params: { header }, body: v.parse(bodies.variable, body) })),
		remove: ({ api, send }, id, header) => send(() => api.POST('/deleteVar/{id}', { params: { path: { id }, header } })),
	},
	chart: {
		page: ({ api, send }, query) => send(() => api.GET('/getCharts', { params: { query } })),
		save: ({ api, send }, body, header) =>
			send(() => api.POST('/saveChart', { params: { header }, body: v.parse(bodies.chart, body) })),
		remove: ({ api, send }, id, header) => send(() => api.POST('/deleteChart/{id}', { params: { path: { id }, header } })),
	},
	diagram: {
		page: ({ api, send }, query) => send(() => api.GET('/getDiagrams', { params: { query } })),
		save: ({ api, send }, body, header) =>
			send(() => api.POST('/saveDiagram', { params: { header }, body: v.parse(bodies.diagram, body) })),
		remove: ({ api, send }, id, header) => send(() => api.POST('/deleteDiagram/{id}', { params: { path: { id }, header } })),
	},
	report: {
		page: ({ api, send }, query) => send(() => api.GET('/getReports', { params: { query } })),
		save: ({ api, send }, body, header) =>
			send(() => api.POST('/saveReport', { params: { header }, body: v.parse(bodies.report, body) })),
		remove: ({ api, send }, id, header) => send(() => api.POST('/deleteReport/{id}', { params: { path: { id }, header } })),
	},
	alarm: {
		page: ({ api, send }, query) => send(() => api.GET('/getAlarms', { params: { query } })),
		save: ({ api, send }, body, header) =>
			send(() => api.POST('/saveAlarm', { params: { header }, body: v.parse(bodies.alarm, body) })),
		remove: ({ api, send }, id, header) => send(() => api.POST('/deleteAlarm/{id}', { params: { path: { id }, header } })),
	},
};

/** Reads all items of the plant, page by page. */
export async function readPlant(session: Session): Promise<StoredPlant> {
	const lists = await Promise.all(plantKinds.map((kind) => (kind === 'panel' ? readPanel(session) : readAll(session, kind))));
	return { schema: await session.schema(), items: lists.flat() };
}

/** Returns the panel as the only item; an empty list when the plant has no panel. */
export async function readPanel(session: Session): Promise<readonly StoredItem[]> {
	const answer = await session.send(() => session.api.GET('/bombs'));
	if (!answer.ok) {
		if (answer.status === 404) return [];
		throw refusalError('The panel cannot be read', answer);
	}
	return [storedItem('panel', { ...answer.data.data, id: 0 })];
}

async function readAll(session: Session, kind: Exclude<PlantKind, 'panel'>): Promise<readonly StoredItem[]> {
	const items: StoredItem[] = [];
	for (let after: number | null = 0; after !== null; ) {
		const answer: Answer<Listed> = await requests[kind].page(session, { limit: pageSize, after });
		if (!answer.ok) throw refusalError(`The ${kinds[kind].list} cannot be read`, answer);
		items.push(...answer.data.data.map((row) => storedItem(kind, row)));
		after = answer.data.next ?? null;
	}
	return items;
}

/** Returns an item by its id; null where the plant does not have it. */
export async function readItem(session: Session, kind: Exclude<PlantKind, 'panel'>, id: number): Promise<StoredItem | null> {
	const answer = await requests[kind].page(session, { ids: [id] });
	if (!answer.ok) throw refusalError(`The ${kinds[kind].list} cannot be read`, answer);
	const [row] = answer.data.data;
	return row === undefined ? null : storedItem(kind, row);
}

/** Saves an item. The answer holds its id. */
export async function saveItem(
	session: Session,
	kind: PlantKind,
	body: JsonObject,
	headers: ChangeHeaders,
): Promise<Answer<{ readonly data: object }>> {
	if (kind !== 'panel') return requests[kind].save(session, body, wireHeaders(headers));
	const header = wireHeaders(headers);
	return session.send(() => session.api.POST('/bombs', { params: { header }, body: v.parse(bodies.panel, body) }));
}

/** Deletes an item. */
export async function removeItem(
	session: Session,
	kind: Exclude<PlantKind, 'panel'>,
	id: number,
	headers: ChangeHeaders,
): Promise<Answer<unknown>> {
	return requests[kind].remove(session, id, wireHeaders(headers));
}

/** Returns the items that refer to a variable, as `chart "Flows"`. Corrections are left out, because they are deleted with the variable. */
export async function referrersOf(
	session: Session,
	id: number,
): Promise<readonly { readonly kind: string; readonly label: string }[]> {
	const answer = await session.send(() => session.api.GET('/usages/{id}', { params: { path: { id } } }));
	if (!answer.ok) throw refusalError('What refers to a variable cannot be read', answer);
	return answer.data.data
		.filter(({ kind }) => kind !== 'correction')
		.map(({ kind, name }) => ({ kind, label: kind === 'panel' ? 'the panel' : `${kind} ${JSON.stringify(name)}` }));
}

/** Evaluates a variable over a range, as it is stored and as it is sent. Saves nothing. */
export async function tryVariable(session: Session, body: JsonObject, query: { start: string; end: string; period: string }) {
	return session.send(() =>
		session.api.POST('/saveVariable', { params: { query: { dryRun: '1', ...query } }, body: v.parse(bodies.variable, body) }),
	);
}

/** Back-tests an alarm over a range. Saves nothing. */
export async function tryAlarm(session: Session, body: JsonObject, query: { start: string; end: string }) {
	return session.send(() =>
		session.api.POST('/saveAlarm', { params: { query: { dryRun: '1', ...query } }, body: v.parse(bodies.alarm, body) }),
	);
}

/** A request that the service refused. */
export interface Refusal {
	readonly status: number;
	readonly errors: readonly ApiError[];
}

/** Returns the reasons for which the service refused a request, in one line. */
export function refusalText({ status, errors }: Refusal): string {
	if (errors.length === 0) return `status ${status}`;
	return errors
		.slice(0, maxReasons)
		.map(({ field, message }) => (field === 'request' ? message : `${field}: ${message}`))
		.join(' ');
}

const refusalError = (problem: string, refusal: Refusal): ConfigError => new ConfigError(`${problem}: ${refusalText(refusal)}`);

const wireHeaders = ({ version, key }: ChangeHeaders): WireHeaders => ({
	...(version === null ? {} : { 'If-Match': `"${version}"` }),
	'Idempotency-Key': key,
});

const rowSchema = v.object({ id: v.number(), version: v.number(), fault: v.optional(v.object({})) });

function storedItem(kind: PlantKind, row: object): StoredItem {
	const { id, version, fault } = v.parse(rowSchema, row);
	if (fault !== undefined)
		throw new ConfigError(`The stored ${kind} ${id} cannot be read: save it anew, or delete it, then try again.`);
	const { id: _id, version: _version, ...sent } = objectOf(row);
	const content = kinds[kind].parse(sent);
	// Fields that this release does not know would be lost with the next save. Where the service lists state beside the content, such fields
	// cannot be told from the state, so nothing is compared.
	if (!kinds[kind].hasState && canonicalText(content) !== canonicalText(sent))
		throw new ConfigError(
			`The service answers fields of the ${kind} ${id} that this release does not know: use the release of the service.`,
		);
	return { kind, id, version, name: nameOfContent(kind, content), content };
}
