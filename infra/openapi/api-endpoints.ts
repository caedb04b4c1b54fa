import { endpoints, localEndpoints } from '#shared/contract.ts';

const allEndpoints = [...endpoints, ...localEndpoints];

/** The endpoints that the OpenAPI document describes, also those of one machine: all but pages, and those that others describe. */
export const apiEndpoints = allEndpoints.filter(
	(endpoint): endpoint is Exclude<(typeof allEndpoints)[number], { filesPath: string } | { describedBy: string }> =>
		!('filesPath' in endpoint || 'describedBy' in endpoint),
);

/** The name of an endpoint that the OpenAPI document describes. */
export type ApiEndpointName = (typeof apiEndpoints)[number]['name'];
