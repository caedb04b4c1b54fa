import type { Endpoint } from '#shared/contract.ts';
import { type ApiEndpointName, apiEndpoints } from './api-endpoints.ts';
import type { ApiOperation } from './operation.ts';
import { operations } from './operations.ts';
import { jsonContent, otherAnswersOf, successResponse } from './responses.ts';

/** Returns the path items of the document: the routes of the contract with what `operations` says of each. */
export function pathItems() {
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
