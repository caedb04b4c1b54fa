import { jsonAnswer, type RawAnswer, type RawRequest } from '../gateway/http.ts';
import { demoProductId } from '../wiring/settings.ts';

/** A user, client and schema of the demo identity provider. */
export interface DemoTenant {
	readonly userId: number;
	readonly email: string;
	readonly tokenApps: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly clientId: number;
	readonly schema: string;
	readonly database: string;
}

/** The demo's two tenants (design section 8). */
export const plantA: DemoTenant = {
	userId: 1,
	email: 'operator@plant-a.example',
	tokenApps: 'demo-a',
	firstName: 'Ada',
	lastName: 'Operator',
	clientId: 1,
	schema: 'plant_a',
	database: 'plant_a',
};

export const plantB: DemoTenant = {
	userId: 2,
	email: 'operator@plant-b.example',
	tokenApps: 'demo-b',
	firstName: 'Blas',
	lastName: 'Operator',
	clientId: 2,
	schema: 'plant_b',
	database: 'plant_b',
};

export const demoTenants: readonly DemoTenant[] = [plantA, plantB];

type Operation = (query: URLSearchParams) => RawAnswer;

const productId = demoProductId;

const numberIn = (query: URLSearchParams, name: string): number => Number(query.get(name) ?? Number.NaN);

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
	[
		'getUser',
		(query) => {
			const tenant = demoTenants.find(({ userId }) => userId === numberIn(query, 'id'));
			if (tenant === undefined) return jsonAnswer(404, { message: 'No such user' });
			return jsonAnswer(200, { id: tenant.userId, email: tenant.email, token_apps: tenant.tokenApps });
		},
	],
	[
		'getSchemaProduct',
		(query) => {
			const tenant = demoTenants.find(({ clientId }) => clientId === numberIn(query, 'clientId'));
			if (tenant === undefined || numberIn(query, 'productId') !== productId) return jsonAnswer(200, []);
			const { schema, database, clientId } = tenant;
			return jsonAnswer(200, [{ schema_name: schema, tsdb_name: database, product_id: productId, client_id: clientId }]);
		},
	],
	[
		'listProductxUserxClient',
		(query) => {
			const known = demoTenants.some(
				({ userId, clientId }) => userId === numberIn(query, 'id_user') && clientId === numberIn(query, 'id_client'),
			);
			return jsonAnswer(200, known ? [{ id_product: productId, name: 'Caudal', description: 'Water-treatment monitoring' }] : []);
		},
	],
]);

/**
 * The identity provider of the demo (specification section 4.2), below `/idp`.
 * @param token the bearer token that it asks of its callers
 */
export function createDemoIdp(token: string) {
	return async ({ method, path, query, headers }: RawRequest): Promise<RawAnswer> => {
		const operation = operations.get(path.split('/').at(-1) ?? '');
		if (operation === undefined || method !== 'GET') return jsonAnswer(404, { message: 'Not Found' });
		if (headers.authorization !== `Bearer ${token}`) return jsonAnswer(401, { message: 'Unauthorized' });
		return operation(query);
	};
}
