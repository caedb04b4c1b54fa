import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { buildInfluxd, type InfluxdVersion, influxdVersion } from './influxd-build.ts';
import { freePort, startManagedServer } from './managed-server.ts';

const maxStartMs = 60_000;
const execute = promisify(execFile);

/** The address and the credentials of a running InfluxDB. */
export interface InfluxdAccess {
	readonly url: string;
	readonly org: string;
	readonly orgId: string;
	readonly token: string;
}

/** An InfluxDB that this process started. */
export interface Influxd extends InfluxdAccess {
	stop(): Promise<void>;
}

const org = 'caudal';
const token = 'test-token';
const authorizationSchema = v.pipe(v.string(), v.parseJson(), v.object({ token: v.string() }));
const setupSchema = v.object({ org: v.object({ id: v.string() }) });

/**
 * Starts influxd with an empty store on a free port of this machine. It ends with `stop`, or when this process ends.
 * @returns `unavailable` with the reason when influxd cannot be built
 * @throws Error when influxd is there and does not start
 */
export async function startInfluxd(
	version: InfluxdVersion = influxdVersion,
): Promise<Influxd | { readonly unavailable: string }> {
	let binary: string;
	try {
		binary = await buildInfluxd(version);
	} catch (error) {
		for (const [command, argument] of [
			['go', 'version'],
			['cargo', '--version'],
		] as const)
			try {
				await execute(command, [argument]);
			} catch {
				return { unavailable: `influxd ${version} has to be built, and there is no ${command} on the PATH` };
			}
		return { unavailable: `influxd ${version} cannot be built: ${messageOf(error).slice(0, 2000)}` };
	}
	return start(binary);
}

/** The status of creating a bucket whose name is taken. */
const bucketExists = 422;

/** Creates a bucket, unless it exists. Left out, `retentionMs` is without end. */
export async function createBucket({ url, orgId, token }: InfluxdAccess, name: string, retentionMs?: number): Promise<void> {
	const retentionRules = retentionMs === undefined ? [] : [{ type: 'expire', everySeconds: retentionMs / 1000 }];
	const response = await fetch(`${url}/api/v2/buckets`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: JSON.stringify({ orgID: orgId, name, retentionRules }),
	});
	const text = await response.text();
	if (!response.ok && response.status !== bucketExists) throw new Error(`Bucket ${name}: ${response.status} ${text}`);
}

/** Creates a token that may read the buckets of the organization and nothing else, as `influx auth create --read-buckets` does. */
export async function createReadToken({ url, orgId, token }: InfluxdAccess): Promise<string> {
	const response = await fetch(`${url}/api/v2/authorizations`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: JSON.stringify({ orgID: orgId, permissions: [{ action: 'read', resource: { type: 'buckets', orgID: orgId } }] }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`Token: ${response.status} ${text}`);
	return v.parse(authorizationSchema, text).token;
}

/** Deletes a bucket. Each one keeps some 17 files open, and without files a server loses samples silently. */
export async function deleteBucket({ url, orgId, token }: InfluxdAccess, name: string): Promise<void> {
	const headers = { authorization: `Token ${token}` };
	const found = await fetch(`${url}/api/v2/buckets?${new URLSearchParams({ orgID: orgId, name })}`, { headers });
	const { buckets }: { readonly buckets: readonly { readonly id: string }[] } = JSON.parse(await found.text());
	for (const { id } of buckets) {
		const response = await fetch(`${url}/api/v2/buckets/${id}`, { method: 'DELETE', headers });
		const text = await response.text();
		if (!response.ok) throw new Error(`Deleting ${name}: ${response.status} ${text}`);
	}
}

/** Writes line protocol, in nanoseconds. @throws Error with the server's message when it rejects a line */
export async function writeLines({ url, org: name, token }: InfluxdAccess, bucket: string, lines: string): Promise<void> {
	const query = new URLSearchParams({ org: name, bucket, precision: 'ns' });
	const response = await fetch(`${url}/api/v2/write?${query}`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: lines,
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`Write to ${bucket}: ${response.status} ${text}`);
}

async function start(binary: string): Promise<Influxd> {
	const url = `http://127.0.0.1:${await freePort()}`;
	const folder = mkdtempSync(join(tmpdir(), 'caudal-influxd-'));
	const paths = ['bolt', 'sqlite', 'engine'].flatMap((name) => [`--${name}-path`, join(folder, name)]);
	const quiet = ['--reporting-disabled', '--log-level', 'error'];
	let end: () => Promise<void> = async () => undefined;
	const stop = async (): Promise<void> => {
		await end();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		end = await startManagedServer({
			name: 'influxd',
			command: binary,
			args: ['--http-bind-address', new URL(url).host, ...paths, ...quiet],
			isReady: async () => (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })).ok,
			startMs: maxStartMs,
		});
		return { url, org, orgId: await setUp(url), token, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function setUp(url: string): Promise<string> {
	const body = JSON.stringify({ username: 'test', password: 'test-password', org, bucket: 'first', token });
	const response = await fetch(`${url}/api/v2/setup`, { method: 'POST', body });
	if (!response.ok) throw new Error(`influxd cannot be set up: ${response.status} ${await response.text()}`);
	return v.parse(setupSchema, await response.json()).org.id;
}
