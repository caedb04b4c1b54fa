import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonResponse, type RawRequest, type RawResponse } from '../gateway/http.ts';
import { isAuthorized, refuse, withFaults } from './refusals.ts';

/** The path at which InfluxDB's clients create buckets. */
export const bucketsPath = '/api/v2/buckets';

/** The path at which InfluxDB's clients look up the id of an organisation before they create a bucket. */
export const orgsPath = '/api/v2/orgs';

/** Dependencies of the buckets API. */
export interface BucketsApiDeps {
	/** Creates an empty bucket. Returns false when a bucket of that name exists. @throws DomainError when it cannot be stored */
	readonly createBucket: (name: string) => Promise<boolean>;
	/** The token that requests have to carry. */
	readonly token: string;
}

/** Largest body of a request for a new bucket. */
const maxBodyBytes = 65_536;

/** The longest name of a bucket, in UTF-16 units: the same as for a time-series database in a token. */
const maxNameLength = 200;

const bucketSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(maxNameLength)) }),
);

/**
 * Creates InfluxDB's endpoint for new buckets (docs.influxdata.com/influxdb/v2/api/v2, POST /api/v2/buckets). Only `name` is read: every
 * organisation is accepted, and RETENTION_DAYS decides how long samples stay.
 */
export function createBucketsApi({ createBucket, token }: BucketsApiDeps) {
	return withFaults('the bucket could not be created', async ({ method, path, headers, readBody }) => {
		if (path !== bucketsPath) return refuse('not found', 'path not found');
		if (method !== 'POST') return refuse('method not allowed', `${method} is not allowed: use POST`);
		if (!isAuthorized(headers.authorization, token)) return refuse('unauthorized', 'unauthorized access');
		const body = v.safeParse(bucketSchema, (await readBody(maxBodyBytes)).toString('utf8'));
		if (!body.success) return refuse('invalid', `send {"name": "…"} with a name of at most ${maxNameLength} characters`);
		const { name } = body.output;
		if (!(await createBucket(name))) return refuse('conflict', `bucket with name ${name} already exists`);
		return jsonResponse(201, { id: idOf(name), type: 'user', name, retentionRules: [] });
	});
}

/** Creates the endpoint that returns the organisation in `?org=` with an id (GET /api/v2/orgs). Every name is accepted. */
export function createOrgsApi({ token }: Pick<BucketsApiDeps, 'token'>) {
	return async ({ method, path, query, headers }: RawRequest): Promise<RawResponse> => {
		if (path !== orgsPath) return refuse('not found', 'path not found');
		if (method !== 'GET') return refuse('method not allowed', `${method} is not allowed: use GET`);
		if (!isAuthorized(headers.authorization, token)) return refuse('unauthorized', 'unauthorized access');
		// Without `?org=`, a client lists its organisations: there is one, of any name.
		const name = query.get('org') ?? 'caudal';
		return jsonResponse(200, { orgs: [{ id: idOf(name), name }] });
	};
}

/** Returns an id in InfluxDB's form, 16 hexadecimal digits, that is always the same for a name. */
const idOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);
