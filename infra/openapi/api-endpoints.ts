import { endpoints } from '#shared/contract.ts';

/** The endpoints that the OpenAPI document describes: all but pages. */
export const apiEndpoints = endpoints.filter(
	(endpoint): endpoint is Exclude<(typeof endpoints)[number], { filesPath: string }> => !('filesPath' in endpoint),
);

/** The name of an endpoint that the OpenAPI document describes. */
export type ApiEndpointName = (typeof apiEndpoints)[number]['name'];
