import { mediaTypes } from '#http/table/table-request.ts';
import type { Endpoint, LocalEndpoint } from '#shared/endpoint.ts';
import { headerNames, type headers } from './headers.ts';
import { schemaPointer } from './json-schema.ts';
import type { ApiOperation, BodyExamples, RequestBody } from './operation.ts';
import { type OtherAnswer, type OtherAnswerName, otherAnswers } from './other-answers.ts';

/**
 * Parameters of a query whose wrong values a GET refuses with 400. One of them gives an endpoint that answer, so the list need not have the
 * others of the same endpoint, such as `After` beside `Limit`.
 */
const checkedParameters: ReadonlySet<string> = new Set([
	'Limit',
	'EventLimit',
	'ChangeLimit',
	'TopicLimit',
	'EntryKind',
	'ReportDate',
	'TableColumns',
]);

/** Returns the answers of an endpoint with other statuses than 200: those that follow from its row in the contract, then its own. */
export function otherAnswersOf(
	{ method, path, auth, uses }: Endpoint | LocalEndpoint,
	operation: ApiOperation,
): Readonly<Record<number, OtherAnswerName>> {
	const isPost = method === 'POST';
	const { parameters = [], request } = operation;
	const hasPathParameter = path.includes('{');
	const checksInput = isPost || parameters.some((name) => checkedParameters.has(name));
	const hasDependency = (uses.timeSeries ?? uses.identityProvider ?? uses.signingKey ?? uses.publicKeys) !== undefined;
	// Of several answers with one status, the last one counts.
	return {
		...(checksInput ? { 400: 'BadRequest' } : {}),
		...(hasPathParameter ? { 400: 'BadPath' } : {}),
		...(auth === 'none' ? {} : { 401: 'Unauthorized', 403: 'Forbidden' }),
		...(uses.idempotency ? { 409: 'Conflict' } : {}),
		...(parameters.includes('IfMatch') ? { 412: 'VersionMismatch' } : {}),
		// The body of a request may be too large, and so may an answer with data of the tenant.
		...(isPost || auth !== 'none' ? { 413: 'TooLarge' } : {}),
		...(isPost && !request?.isForm ? { 415: 'UnsupportedMediaType' } : {}),
		429: 'TooManyRequests',
		500: 'InternalError',
		...(hasDependency ? { 502: 'DependencyFailed', 504: 'DependencySlow' } : {}),
		503: 'Unavailable',
		...operation.others,
	};
}

/** Returns the content of the body of a request. */
export function contentOf({ schema, examples, isForm }: RequestBody) {
	const { 'application/json': media } = jsonContent(schema, examples);
	return isForm ? { 'application/x-www-form-urlencoded': media } : { 'application/json': media };
}

/** Returns the content of a body in JSON. */
function jsonContent(schema: string, examples: BodyExamples) {
	return { 'application/json': { schema: { $ref: `${schemaPointer}/${schema}` }, examples } };
}

/** Returns the answer with status 200. */
export function successResponse({ answer, parameters = [] }: ApiOperation) {
	const { description, schema, examples, isTable = false, headers = [], links = [] } = answer;
	const replayed = parameters.includes('IdempotencyKey') ? (['Replayed'] as const) : [];
	return {
		description,
		headers: headerReferences([...headers, ...replayed, 'RequestId']),
		content: { ...jsonContent(schema, examples), ...(isTable ? tableFiles : {}) },
		...(links.length === 0
			? {}
			: { links: Object.fromEntries(links.map((name) => [name, { $ref: `#/components/links/${name}` }])) }),
	};
}

/** The contents of a table as files. */
const tableFiles = { [mediaTypes.csv]: { schema: { type: 'string' } }, [mediaTypes.xlsx]: {} } as const;

/** Returns an answer with another status than 200. */
export function otherResponse(name: OtherAnswerName) {
	const { description, form, headers = [], example }: OtherAnswer = otherAnswers[name];
	return {
		description,
		headers: headerReferences([...headers, 'RequestId']),
		...(form === undefined ? {} : { content: jsonContent(form, { error: { summary: description, value: example } }) }),
	};
}

/** Refers to the headers of an answer, by the name that each has in it. */
function headerReferences(names: readonly (keyof typeof headers)[]) {
	return Object.fromEntries(names.map((name) => [headerNames[name], { $ref: `#/components/headers/${name}` }]));
}
