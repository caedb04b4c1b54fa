import { type EndpointName, endpoints } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import type { Environment } from './environment.ts';

/** A row of the contract that is an endpoint. */
export type EndpointRow = Endpoint & { readonly name: EndpointName };

const allEndpoints: readonly EndpointRow[] = endpoints;

/** Returns the endpoints that an environment has: all of them, or without `publicDocs` all but the API's description and its page. */
export function deployedEndpoints({ publicDocs }: Pick<Environment, 'publicDocs'>): readonly EndpointRow[] {
	return allEndpoints.filter(({ setting }) => publicDocs || setting !== 'publicDocs');
}
