import { pathOf } from '#shared/contract.ts';
import { type Endpoint, type LocalEndpoint, scopes, scopesOf } from '#shared/endpoint.ts';
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
import { contentOf, otherAnswersOf, otherResponse, successResponse } from './responses.ts';
import { schemasOfPaths, webhooksOf } from './webhooks.ts';

/**
 * Returns the OpenAPI 3.1 document of the service as JSON (infra/openapi/README.md#the-document). Routes come from the contract, the
 * schemas of requests are those that parse them. It is created when functions are bundled, and on one machine when it is first asked for.
 */
export function apiDocumentText(): string {
	return JSON.stringify(createApiDocument());
}

function createApiDocument() {
	const { version, license } = readManifest();
	const schemas = toComponentSchemas(components);
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
		webhooks: webhooksOf(schemas),
		components: {
			securitySchemes,
			schemas: schemasOfPaths(schemas),
			parameters,
			headers,
			responses: Object.fromEntries(otherAnswerNames.map((name) => [name, otherResponse(name)])),
			links,
		},
	};
}

const introduction = `The backend of a water utility's monitoring dashboard. Sign in, send the token as \`Authorization: Bearer\`, describe variables, and read the values of many of them in one call.

Bodies are JSON in UTF-8, of at most 1 MB, with \`Content-Type: application/json\`. Unknown fields are ignored. Times are ISO 8601 in UTC. Answers are compressed with gzip where the client accepts it. Some rules are not in the schemas: an equation's grammar, references to variables, and rules over several fields. An error names the field and says the rule.`;

const securitySchemes = {
	token: {
		type: 'http',
		scheme: 'bearer',
		bearerFormat: 'JWT',
		description:
			'The `token` of a session. Its scope is `service`, and that of viewers `read`. It names the tenant; no other part of a request does.',
	},
	machine: {
		type: 'oauth2',
		description: 'A machine with a client id and a secret, by the client credentials grant of OAuth 2.0.',
		flows: {
			clientCredentials: {
				tokenUrl: pathOf('token'),
				scopes: { [scopes.service]: 'Reads, and changes what the role of the machine may change.', [scopes.read]: 'Reads.' },
			},
		},
	},
	client: {
		type: 'http',
		scheme: 'basic',
		description: 'Client id and secret of a machine, as name and password.',
	},
} as const;

/** Returns the path items of the document: the routes of the contract with what `operations` says of each. */
function pathItems() {
	const rows: readonly ((Endpoint | LocalEndpoint) & { readonly name: ApiEndpointName })[] = apiEndpoints;
	return Object.fromEntries(
		[...Map.groupBy(rows, ({ path }) => path)].map(([path, methods]) => [
			path,
			Object.fromEntries(
				methods.map((endpoint) => [endpoint.method.toLowerCase(), operationObject(endpoint, operations[endpoint.name])]),
			),
		]),
	);
}

function operationObject(endpoint: Endpoint | LocalEndpoint, operation: ApiOperation) {
	const { id, tag, summary, description, request } = operation;
	const parameters = [...pathParametersOf(endpoint), ...(operation.parameters ?? [])];
	const otherAnswers = Object.entries(otherAnswersOf(endpoint, operation));
	return {
		operationId: id,
		tags: [tag],
		summary,
		description,
		security: securityOf(endpoint),
		...(parameters.length === 0 ? {} : { parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
		...(request === undefined ? {} : { requestBody: { required: request.required, content: contentOf(request) } }),
		responses: {
			200: successResponse(operation),
			...Object.fromEntries(otherAnswers.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
		},
	};
}

/** Returns the alternatives of what a caller must show. */
function securityOf(endpoint: Endpoint | LocalEndpoint) {
	// Machines show their credentials by Basic, or in the form, which for the document is no scheme at all.
	if (endpoint.name === 'token') return [{ client: [] }, {}];
	if (endpoint.auth === 'none') return [];
	// No machine is an administrator.
	const machineScopes = endpoint.role === 'administrator' ? [] : scopesOf(endpoint);
	const byToken = [{ token: [] }, ...machineScopes.map((scope) => ({ machine: [scope] }))];
	return endpoint.auth === 'basic' ? [...byToken, { client: [] }] : byToken;
}

/** Returns the keys in `parameters` of those in a path: `Id` for `/deleteVar/{id}`. */
const pathParametersOf = ({ path }: Pick<Endpoint, 'path'>): readonly string[] =>
	Object.entries(parameters).flatMap(([key, { in: place, name }]) =>
		place === 'path' && path.includes(`{${name}}`) ? [key] : [],
	);
