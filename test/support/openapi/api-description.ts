import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { apiDocumentText } from '#infra/openapi/document.ts';

/** The parts of an OpenAPI document that the tests read. */
export interface ApiDocument {
	readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
	readonly components: Readonly<
		Record<'schemas' | 'parameters' | 'headers' | 'responses' | 'links', Readonly<Record<string, object>>>
	>;
	readonly tags: readonly { readonly name: string }[];
	/** What the service posts. */
	readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: { readonly content: JsonContent } } }>>;
}

/** An operation of the document. */
export interface OperationObject {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	readonly security: readonly object[];
	readonly parameters?: readonly { readonly $ref: string }[];
	readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, MediaType>> };
	readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

/** The answer of an operation with one status. */
export interface ResponseObject {
	readonly description: string;
	readonly headers?: Readonly<Record<string, object>>;
	readonly content?: JsonContent;
}

interface MediaType {
	readonly schema: object;
	readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

type JsonContent = { readonly 'application/json': MediaType };

/** The document of this commit. */
export const apiDocument = JSON.parse(apiDocumentText()) as ApiDocument;

/** Returns the operation of a route of the contract. */
export const operationOf = (method: string, template: string): OperationObject => {
	const operation = apiDocument.paths[template]?.[method.toLowerCase()];
	if (operation === undefined) throw new Error(`The document has no ${method} ${template}.`);
	return operation;
};

/** Returns what an operation says of the body of its request, whatever its type; undefined: it has none. */
export const requestOf = ({ requestBody }: OperationObject): MediaType | undefined =>
	Object.values(requestBody?.content ?? {})[0];

/** Returns the answer of an operation with a status, with its reference followed; undefined where that status is not documented. */
export const responseOf = ({ responses }: OperationObject, status: number | string): ResponseObject | undefined => {
	const response = responses[status];
	if (response === undefined || !('$ref' in response)) return response;
	return apiDocument.components.responses[response.$ref.split('/').at(-1) ?? ''] as ResponseObject;
};

/** Forbids every field that a schema does not name, so that an answer with a field that is not documented is found. */
const closed = (schema: unknown): unknown => {
	if (typeof schema !== 'object' || schema === null) return schema;
	if (Array.isArray(schema)) return schema.map(closed);
	const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
	return 'properties' in schema && !('additionalProperties' in schema) ? { ...inner, additionalProperties: false } : inner;
};

const ajvWith = (schemas: unknown): Ajv2020 => {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
	ajv.addFormat('uri', (text) => URL.canParse(text));
	// `true`: these formats of OpenAPI are known, and every number has them.
	for (const name of ['int64', 'double']) ajv.addFormat(name, true);
	return ajv.addSchema({ $id: 'api:document', components: { schemas } });
};

const validators = new Map<string, ValidateFunction>();
const ajvs = { request: ajvWith(apiDocument.components.schemas), answer: ajvWith(closed(apiDocument.components.schemas)) };

/**
 * Returns what is wrong with a body by a schema of the document, or null. Requests may have more fields than the schema names,
 * answers may not.
 */
export const faultOf = (kind: keyof typeof ajvs, schema: object, body: unknown): string | null => {
	const text = `${kind} ${JSON.stringify(schema)}`;
	const compiled =
		validators.get(text) ?? ajvs[kind].compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api:document#/')));
	validators.set(text, compiled);
	return compiled(body) ? null : JSON.stringify(compiled.errors?.slice(0, 5));
};
