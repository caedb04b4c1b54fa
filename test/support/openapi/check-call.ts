import { apiDocument, faultOf, type OperationObject, requestOf, responseOf } from './api-description.ts';

/** A call that was made, and its answer. */
export interface ObservedCall {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	/** As it was sent; undefined where it was no JSON. */
	readonly requestBody: unknown;
	readonly status: number;
	readonly headers: Headers;
	/** Undefined where the answer has no body. */
	readonly body: unknown;
}

/** Headers that an answer must document where it has them. Others belong to HTTP itself, or to CORS. */
const documentedHeaders = ['etag', 'retry-after', 'apigw-requestid', 'www-authenticate'];

const routes = Object.entries(apiDocument.paths).map(([template, item]) => ({
	item,
	pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Returns the operation that a path and a method belong to; undefined for what is no route. */
const operationAt = (method: string, path: string): OperationObject | undefined =>
	routes.find(({ pattern }) => pattern.test(path.replace(/\?.*/, '')))?.item[method.toLowerCase()];

/**
 * Holds a call to the document (infra/openapi/README.md#how-it-is-held-to-the-service): its status is documented, its body matches the
 * schema and has no other fields, its headers are documented; and a request that was answered 200 matches the schema of requests.
 * @throws Error that says what the document does not allow
 */
export const checkCall = ({ method, path, requestBody, status, headers, body }: ObservedCall): void => {
	const operation = operationAt(method, path);
	if (operation === undefined) return;
	const fail = (reason: string): never => {
		throw new Error(`${method} ${path} answered ${status}, and the OpenAPI document does not allow it: ${reason}`);
	};
	const response = responseOf(operation, status) ?? fail('this status is not documented.');
	const names = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
	for (const name of documentedHeaders) if (headers.has(name) && !names.includes(name)) fail(`header ${name}.`);
	if (headers.get('cache-control')?.startsWith('public') && !names.includes('cache-control')) fail('header cache-control.');
	const schema = response.content?.['application/json'].schema;
	if (schema === undefined) {
		if (body !== undefined) fail('it has a body.');
		return;
	}
	const fault = faultOf('answer', schema, body);
	if (fault !== null) fail(`${fault} in ${JSON.stringify(body).slice(0, 500)}`);
	const request = requestOf(operation)?.schema;
	if (status !== 200 || requestBody === undefined || request === undefined) return;
	const requestFault = faultOf('request', request, requestBody);
	if (requestFault !== null) fail(`its request was accepted: ${requestFault} in ${JSON.stringify(requestBody).slice(0, 500)}`);
};
