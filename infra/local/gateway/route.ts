import { type Endpoint, type EndpointName, endpoints } from '#shared/contract.ts';

/** The route that a request takes, with the values of its path parameters. */
export interface Route {
	readonly endpoint: Endpoint & { readonly name: EndpointName };
	readonly parameters: Readonly<Record<string, string>>;
}

const templates = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }));

/** The route of a method and path, null where there is none. Throws URIError on a badly encoded parameter. */
export function routeOf(method: string, path: string): Route | null {
	const segments = path.split('/');
	for (const template of templates) {
		if (template.endpoint.method !== method) continue;
		const parameters = match(template.segments, segments);
		if (parameters !== null) return { endpoint: template.endpoint, parameters };
	}
	return null;
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
	if (template.length !== segments.length) return null;
	const parameters: Record<string, string> = {};
	for (const [index, expected] of template.entries()) {
		const actual = segments[index] ?? '';
		const parameter = parameterOf(expected);
		if (parameter === undefined ? expected !== actual : actual === '') return null;
		if (parameter !== undefined) parameters[parameter] = decodeURIComponent(actual);
	}
	return parameters;
}

const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];
