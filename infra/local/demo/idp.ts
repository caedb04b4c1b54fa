import { createServer } from 'node:http';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import type { Role } from '#domain/access/role.ts';
import { jsonResponse, listen, parseTarget, type RawRequest, type RawResponse, readBody, send } from '../gateway/http.ts';
import { demoProductId } from '../wiring/settings.ts';

/** The tenant whose plant is simulated (infra/local/README.md#demo). */
export const plantA = createTenant({ id: 1, letter: 'a', firstName: 'Ada' });

/** Every demo tenant. The second one starts empty. */
export const demoTenants = [plantA, createTenant({ id: 2, letter: 'b', firstName: 'Blas' })] as const;

const [, plantB] = demoTenants;

/** A person who may sign in at the demo identity provider. */
interface DemoUser {
	readonly userId: number;
	readonly clientId: number;
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	/** The application token with which the person signs in. */
	readonly tokenApps: string;
	readonly schema: string;
	/** The role that the person is given in the schema; left out: none, so that the first sign-in gives the default role. */
	readonly role?: Role;
}

/** Everybody who may sign in: an administrator of each tenant, a person of plant_a for each lower role, and one without a role. */
export const demoUsers: readonly DemoUser[] = [
	{ ...plantA, role: 'administrator' },
	{ ...plantB, role: 'administrator' },
	{ ...personOf(plantA, { userId: 3, name: 'shift', firstName: 'Sofia' }), role: 'operator' },
	{ ...personOf(plantA, { userId: 4, name: 'viewer', firstName: 'Victor' }), role: 'viewer' },
	personOf(plantB, { userId: 5, name: 'newcomer', firstName: 'Nora' }),
];

/** The body of a sign-in as the operator of plant_a. */
export const demoCredentials = {
	email: plantA.email,
	tokenApp: plantA.tokenApps,
	schemaName: plantA.schema,
	tsdb_name: plantA.database,
} as const;

/** The credentials of the machine of plant_a. As those of the demo's people they protect nothing: the demo runs on one machine. */
export const demoMachine = {
	clientId: 'DemoGrafanaOfPlantA1',
	secret: 'cdl_demo-only-not-a-secret-00000000000000000000KKFASg',
} as const;

/** The operations of the identity provider, by the last segment of their path. */
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
	const anyFreePort = 0;
	const baseUrl = await listen(server, anyFreePort);
	return { url: `${baseUrl}/idp`, close: () => server.close() };
}

/** What tells one demo tenant from another. `id` is that of the client, and of its user. */
interface TenantIdentity {
	readonly id: number;
	readonly letter: string;
	readonly firstName: string;
}

/** Creates a client with one user and one schema: for `a`, the schema `plant_a` and the user operator@plant-a.example. */
function createTenant({ id, letter, firstName }: TenantIdentity) {
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

/** Creates another person of a tenant. `name` is the first part of the e-mail, and the last part of the application token. */
function personOf(
	{ clientId, schema, email: operator, tokenApps }: typeof plantA,
	{ userId, name, firstName }: Pick<DemoUser, 'userId' | 'firstName'> & { readonly name: string },
) {
	const email = operator.replace(/^[^@]*/, name);
	return { userId, clientId, schema, email, firstName, lastName: 'Operator', tokenApps: `${tokenApps}-${name}` };
}

/** Returns a query parameter as a number; NaN if it is absent or not a number. */
type NumberParameter = (name: string) => number;

/** Answers the user with an id. */
function getUser(parameter: NumberParameter): RawResponse {
	const user = demoUsers.find(({ userId }) => userId === parameter('id'));
	if (user === undefined) return jsonResponse(404, { message: 'No such user' });
	return jsonResponse(200, { id: user.userId, email: user.email, token_apps: user.tokenApps });
}

/** Answers the schemas that a client has for a product. */
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

/** Answers the products of a user of a client. */
function listProducts(parameter: NumberParameter): RawResponse {
	const products = demoUsers
		.filter(({ userId, clientId }) => userId === parameter('id_user') && clientId === parameter('id_client'))
		.map(() => ({ id_product: demoProductId, name: 'Caudal', description: 'Water-treatment monitoring' }));
	return jsonResponse(200, products);
}
