/** An endpoint: a row of the route table, its scopes, methods and paths, and the CORS rules of all endpoints. */
import type { Role } from './domain/access/role.ts';
import type { Uses } from './uses.ts';

/**
 * Who may call an endpoint (shared/domain/access/README.md#roles). `bearer`: everybody with a token and at least this role. Endpoints for
 * the role viewer only read. `basic`: the same, or a machine with its client id and secret; the function checks both itself. `none`: everybody.
 */
type Admitted =
	| { readonly auth: 'bearer'; readonly role: Role }
	| { readonly auth: 'basic'; readonly role: 'viewer' }
	| { readonly auth: 'none'; readonly role?: never };

/**
 * A setting without which an endpoint does not exist: `publicDocs` must be on (infra/openapi/README.md#switching-both-off), `authUrl` and
 * `openIdProviders` must be set (shared/domain/identity/README.md#settings).
 */
export type EndpointSetting = 'publicDocs' | 'authUrl' | 'openIdProviders';

/** A setting of the service on one machine, without which an endpoint does not exist that no other service has: ACCOUNTS must be on. */
export type LocalSetting = 'accounts';

/** One endpoint of the service (shared/http/README.md#endpoints). */
export type Endpoint = Admitted & EndpointBase<EndpointSetting>;

/** An endpoint of the service on one machine. AWS has no function for it, so it names nothing that it uses there. */
export type LocalEndpoint = Admitted & EndpointBase<LocalSetting>;

interface EndpointBase<Setting> {
	/** The name of its folder under `functions/` and of its event under `events/`. */
	readonly name: string;
	readonly method: 'GET' | 'POST';
	/** Path template in API Gateway's form: `{id}` is a path parameter, `{rest+}` the rest of the path. */
	readonly path: string;
	/** The path template of the files of a page, with the parameter `{file}`. Pages are for people: the OpenAPI document has no endpoint with it. */
	readonly filesPath?: string;
	/** The extensions of `path` by which clients choose the form of the answer. A path that ends with a parameter holds them in its value. */
	readonly extensions?: readonly string[];
	/** Of a GET: that POST takes the parameters of the query in a form, too. */
	readonly byForm?: true;
	/** Whose description an endpoint has that is not in the OpenAPI document. */
	readonly describedBy?: string;
	/** A path that redirects to `path`. */
	readonly redirectPath?: string;
	/** The HTTP API that serves it. The issuer's documents have an API of their own (infra/aws/README.md#issuer-and-authorizer). */
	readonly api: 'service' | 'issuer';
	/** The setting without which the endpoint does not exist. */
	readonly setting?: Setting;
	readonly uses: Uses;
}

/** The first fields of a row: the role that may call the endpoint, and its HTTP API. */
export const viewer = { auth: 'bearer', api: 'service', role: 'viewer' } as const;
export const viewerOrMachine = { auth: 'basic', api: 'service', role: 'viewer' } as const;
export const operator = { auth: 'bearer', api: 'service', role: 'operator' } as const;
export const engineer = { auth: 'bearer', api: 'service', role: 'engineer' } as const;
export const administrator = { auth: 'bearer', api: 'service', role: 'administrator' } as const;

/** The first fields of the rows of public endpoints. */
export const open = { auth: 'none', api: 'service' } as const;
export const issuer = { auth: 'none', api: 'issuer' } as const;

/** The CORS rules for the configured origins (shared/http/README.md#headers). */
export const cors = {
	methods: ['GET', 'POST', 'OPTIONS'],
	headers: ['authorization', 'content-type', 'accept', 'if-match', 'idempotency-key', 'cache-control'],
	exposedHeaders: ['etag', 'retry-after', 'idempotent-replayed', 'apigw-requestid'],
	/** How long a browser may cache the answer to a preflight request. Chrome keeps it for at most two hours. */
	maxAgeSeconds: 7200,
} as const;

/** The scopes of tokens: `read` is that of viewers, `service` of all others. */
export const scopes = { read: 'read', service: 'service' } as const;

/** Returns the scopes of tokens that an endpoint takes, any of them: an endpoint that only reads takes those of viewers, too. */
export function scopesOf({ role }: Pick<Endpoint, 'role'>): readonly string[] {
	return role === 'viewer' ? [scopes.service, scopes.read] : [scopes.service];
}

/** Returns the methods of an endpoint's routes. HEAD answers as GET does, without the body (RFC 9110, section 9.3.2). */
export function methodsOf({ method, byForm }: Pick<Endpoint, 'method' | 'byForm'>): readonly (Endpoint['method'] | 'HEAD')[] {
	if (method === 'POST') return [method];
	return byForm ? [method, 'HEAD', 'POST'] : [method, 'HEAD'];
}

/** Returns the path templates of an endpoint's routes: its own with its extensions, that of its files, and the one that redirects to it. */
export function routePathsOf({ path, extensions = [], filesPath, redirectPath }: Endpoint | LocalEndpoint): readonly string[] {
	const extended = path.endsWith('}') ? [] : extensions.map((extension) => `${path}.${extension}`);
	return [path, ...extended, filesPath, redirectPath].filter((each) => each !== undefined);
}
