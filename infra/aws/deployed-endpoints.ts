import { type EndpointName, endpoints } from '#shared/contract.ts';
import type { Endpoint, EndpointSetting } from '#shared/endpoint.ts';
import type { Environment } from './environment.ts';

/** A row of the contract that is an endpoint. */
export type EndpointRow = Endpoint & { readonly name: EndpointName };

const allEndpoints: readonly EndpointRow[] = endpoints;

/** Returns the endpoints that an environment has: those whose setting it has, and those without one. */
export function deployedEndpoints({
	publicDocs,
	authUrl,
	openIdProviders,
}: Pick<Environment, EndpointSetting>): readonly EndpointRow[] {
	const isSet = { publicDocs, authUrl: authUrl !== undefined, openIdProviders: openIdProviders.length > 0 };
	return allEndpoints.filter(({ setting }) => setting === undefined || isSet[setting]);
}
