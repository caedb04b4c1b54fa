import { type EndpointName, endpoints, type LocalEndpointName, localEndpoints } from '#shared/contract.ts';
import { type Endpoint, type LocalEndpoint, methodsOf, routePathsOf } from '#shared/endpoint.ts';

/** The endpoint that a request matches, with the decoded path parameters. */
export interface MatchedRoute {
	readonly endpoint: (Endpoint | LocalEndpoint) & { readonly name: EndpointName | LocalEndpointName };
	/** The path template of the route. */
	readonly path: string;
	readonly parameters: Readonly<Record<string, string>>;
}

const allEndpoints: readonly MatchedRoute['endpoint'][] = [...endpoints, ...localEndpoints];

const routes = allEndpoints.flatMap((endpoint) =>
	routePathsOf(endpoint).map((path) => ({ endpoint, path, pattern: patternOf(path) })),
);

/**
 * Finds the route for a method and path. Returns null when there is none.
 * @throws URIError when a path parameter is badly encoded
 */
export function routeOf(method: string, path: string): MatchedRoute | null {
	for (const { endpoint, path: template, pattern } of routes) {
		const match = methodsOf(endpoint).some((each) => each === method) ? pattern.exec(path) : null;
		if (match === null) continue;
		const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
		return { endpoint, path: template, parameters: Object.fromEntries(parameters) };
	}
	return null;
}

/**
 * Returns a pattern with a named group for each path parameter: `/deleteVar/{id}` becomes `^/deleteVar/(?<id>[^/]+)$`, and `{rest+}`
 * `(?<rest>.+)`.
 */
function patternOf(path: string): RegExp {
	const pattern = path
		.replaceAll('.', '\\.')
		.replaceAll(/\{(\w+)(\+?)\}/g, (_, name, greedy) => `(?<${name}>${greedy ? '.' : '[^/]'}+)`);
	return new RegExp(`^${pattern}$`);
}
