import { createServer } from 'node:http';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { jsonResponse, listen, parseTarget, type RawRequest, type RawResponse, readBody, send } from '../gateway/http.ts';
import { demoProductId } from '../wiring/settings.ts';

/** The tenant whose plant is simulated (infra/local/README.md#demo). */
export const plantA = createTenant(1, 'a', 'Ada');

/** Every demo tenant. The second one starts empty. */
export const demoTenants = [plantA, createTenant(2, 'b', 'Blas')] as const;

/** The body of a sign-in as the operator of plant_a. */
export const demoCredentials = {
	email: plantA.email,
	tokenApp: plantA.tokenApps,
	schemaName: plantA.schema,
	tsdb_name: plantA.database,
} as const;

const operations = new Map([
	['getUser', getUser],
	['getSchemaProduct', getSchemaProduct],
	['listProductxUserxClient', listProducts],
]);

/**
 * Creates the demo identity provider (shared/domain/use-cases/README.md#sign-in). The last segment of the path names the operation.
 * @param token the bearer token that callers must send
 */
export function createDemoIdp(token: string) {
	return async ({ method, path, query, headers }: RawRequest): Promise<RawResponse> => {
		const operation = operations.get(path.split('/').at(-1) ?? '');
		if (operation === undefined || method !== 'GET') return jsonResponse(404, { message: 'Not Found' });
		if (!constantTimeEqual(headers.authorization ?? '', `Bearer ${token}`)) return jsonResponse(401, { message: 'Unauthorized' });
		return operation((parameter) => Number(query.get(parameter) ?? Number.NaN));
	};
}

/** Starts the demo identity provider on a free port, for callers that run without the local server. */
export async function startDemoIdp(token: string): Promise<{ readonly url: string; readonly close: () => void }> {
	const respond = createDemoIdp(token);
	const server = createServer(async (request, response) => {
		const { path, query } = parseTarget(request);
		const { method = 'GET', headers } = request;
		send(response, await respond({ method, path, query, headers, readBody: (limitBytes) => readBody(request, limitBytes) }));
	});
	const baseUrl = await listen(server, 0);
	return { url: `${baseUrl}/idp`, close: () => server.close() };
}

/** Creates a client with one user and one schema: for `a`, the schema `plant_a` and the user operator@plant-a.example. */
function createTenant(id: number, letter: string, firstName: string) {
	const schema = `plant_${letter}`;
	const email = `operator@plant-${letter}.example`;
	return {
		userId: id,
		clientId: id,
		email,
		firstName,
		lastName: 'Operator',
		tokenApps: `demo-${letter}`,
		schema,
		database: schema,
	};
}

/** Returns a query parameter as a number; NaN if it is absent or not a number. */
type NumberParameter = (name: string) => number;

function getUser(parameter: NumberParameter): RawResponse {
	const tenant = demoTenants.find(({ userId }) => userId === parameter('id'));
	if (tenant === undefined) return jsonResponse(404, { message: 'No such user' });
	return jsonResponse(200, { id: tenant.userId, email: tenant.email, token_apps: tenant.tokenApps });
}

function getSchemaProduct(parameter: NumberParameter): RawResponse {
	const schemas = demoTenants
		.filter(({ clientId }) => clientId === parameter('clientId') && demoProductId === parameter('productId'))
		.map(({ schema, database, clientId }) => ({
			schema_name: schema,
			tsdb_name: database,
			product_id: demoProductId,
			client_id: clientId,
		}));
	return jsonResponse(200, schemas);
}

function listProducts(parameter: NumberParameter): RawResponse {
	const products = demoTenants
		.filter(({ userId, clientId }) => userId === parameter('id_user') && clientId === parameter('id_client'))
		.map(() => ({ id_product: demoProductId, name: 'Caudal', description: 'Water-treatment monitoring' }));
	return jsonResponse(200, products);
}
