import type { Endpoint } from '#shared/contract.ts';
import { type ApiEndpointName, apiEndpoints } from './api-endpoints.ts';
import { components } from './components.ts';
import { headers } from './headers.ts';
import { toComponentSchemas } from './json-schema.ts';
import { links } from './links.ts';
import { readManifest } from './manifest.ts';
import { type ApiOperation, tags } from './operation.ts';
import { operations } from './operations.ts';
import { otherAnswerNames } from './other-answers.ts';
import { parameters } from './parameters.ts';
import { jsonContent, otherAnswersOf, otherResponse, successResponse } from './responses.ts';

/**
 * Returns the OpenAPI 3.1 document of the service as JSON (infra/openapi/README.md#the-document). Routes come from the contract, the
 * schemas of requests are those that parse them. It is created when functions are bundled, and on one machine when it is first asked for.
 */
export function apiDocumentText(): string {
	return JSON.stringify(createApiDocument());
}

function createApiDocument() {
	const { version, license } = readManifest();
	return {
		openapi: '3.1.0',
		info: {
			title: 'Caudal',
			version,
			description: introduction,
			license: { name: license, identifier: license },
			contact: { name: 'The operator of this service' },
		},
		servers: [{ url: '/', description: 'The address that this document comes from.' }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths: pathItems(),
		components: {
			securitySchemes: { token },
			schemas: toComponentSchemas(components),
			parameters,
			headers,
			responses: Object.fromEntries(otherAnswerNames.map((name) => [name, otherResponse(name)])),
			links,
		},
	};
}

const introduction = `The backend of a water utility's monitoring dashboard. Sign in, send the token as \`Authorization: Bearer\`, describe variables, and read the values of many of them in one call.

Bodies are JSON in UTF-8, of at most 1 MB, with \`Content-Type: application/json\`. Unknown fields are ignored. Times are ISO 8601 in UTC. Answers are compressed with gzip where the client accepts it. Some rules are not in the schemas: an equation's grammar, references to variables, and rules over several fields. An error names the field and says the rule.`;

const token = {
	type: 'http',
	scheme: 'bearer',
	bearerFormat: 'JWT',
	description:
		'The `token` of a session. Its scope is `service`, and that of viewers `read`. It names the tenant; no other part of a request does.',
} as const;

/** Returns the path items of the document: the routes of the contract with what `operations` says of each. */
function pathItems() {
	const rows: readonly (Endpoint & { readonly name: ApiEndpointName })[] = apiEndpoints;
	return Object.fromEntries(
		[...Map.groupBy(rows, ({ path }) => path)].map(([path, methods]) => [
			path,
			Object.fromEntries(
				methods.map((endpoint) => [endpoint.method.toLowerCase(), operationObject(endpoint, operations[endpoint.name])]),
			),
		]),
	);
}

function operationObject(endpoint: Endpoint, operation: ApiOperation) {
	const { id, tag, summary, description, request } = operation;
	const parameters = [...(endpoint.path.includes('{id}') ? ['Id'] : []), ...(operation.parameters ?? [])];
	const others = Object.entries(otherAnswersOf(endpoint, operation));
	return {
		operationId: id,
		tags: [tag],
		summary,
		description,
		security: endpoint.auth === 'bearer' ? [{ token: [] }] : [],
		...(parameters.length === 0 ? {} : { parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
		...(request === undefined
			? {}
			: { requestBody: { required: request.required, content: jsonContent([request.schema], request.examples) } }),
		responses: {
			200: successResponse(operation),
			...Object.fromEntries(others.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
		},
	};
}
