import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { builtInfluxd, influxdVersion } from './influxd-build.ts';
import { freePort, keepServer } from './managed-server.ts';

const startMs = 60_000;
const execute = promisify(execFile);

/** What a client has to know of a running InfluxDB. */
export interface InfluxdAccess {
	readonly url: string;
	readonly org: string;
	readonly orgId: string;
	readonly token: string;
}

/** An InfluxDB of this process. */
export interface Influxd extends InfluxdAccess {
	stop(): Promise<void>;
}

const org = 'caudal';
const token = 'proof-token';
const setupSchema = v.object({ org: v.object({ id: v.string() }) });

const setUp = async (url: string): Promise<string> => {
	const body = JSON.stringify({ username: 'proof', password: 'proof-password', org, bucket: 'first', token });
	const response = await fetch(`${url}/api/v2/setup`, { method: 'POST', body });
	if (!response.ok) throw new Error(`influxd cannot be set up: ${response.status} ${await response.text()}`);
	return v.parse(setupSchema, await response.json()).org.id;
};

const start = async (binary: string): Promise<Influxd> => {
	const url = `http://127.0.0.1:${await freePort()}`;
	const folder = mkdtempSync(join(tmpdir(), 'caudal-influxd-'));
	const paths = [
		'--bolt-path',
		join(folder, 'bolt'),
		'--sqlite-path',
		join(folder, 'sqlite'),
		'--engine-path',
		join(folder, 'engine'),
	];
	const quiet = ['--reporting-disabled', '--log-level', 'error'];
	let end: () => Promise<void> = async () => undefined;
	const stop = async (): Promise<void> => {
		await end();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		end = await keepServer({
			name: 'influxd',
			command: binary,
			args: ['--http-bind-address', new URL(url).host, ...paths, ...quiet],
			answers: async () => (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })).ok,
			startMs,
		});
		return { url, org, orgId: await setUp(url), token, stop };
	} catch (error) {
		await stop();
		throw error;
	}
};

/**
 * Starts influxd with an empty store on a free port of this machine; it ends with `stop`, or with this process at the latest.
 * `unavailable` says why where it cannot be built. Rejects where it is there and does not start.
 */
export const startInfluxd = async (): Promise<Influxd | { readonly unavailable: string }> => {
	let binary: string;
	try {
		binary = await builtInfluxd();
	} catch (error) {
		for (const [command, argument] of [
			['go', 'version'],
			['cargo', '--version'],
		] as const)
			try {
				await execute(command, [argument]);
			} catch {
				return { unavailable: `influxd ${influxdVersion} has to be built, and there is no ${command} on the PATH` };
			}
		const message = error instanceof Error ? error.message : String(error);
		return { unavailable: `influxd ${influxdVersion} cannot be built: ${message.slice(0, 2000)}` };
	}
	return start(binary);
};

/** Makes a bucket; one that is there already stays. */
export const createBucket = async ({ url, orgId, token }: InfluxdAccess, name: string): Promise<void> => {
	const response = await fetch(`${url}/api/v2/buckets`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: JSON.stringify({ orgID: orgId, name, retentionRules: [] }),
	});
	const text = await response.text();
	if (!response.ok && response.status !== 422) throw new Error(`Bucket ${name}: ${response.status} ${text}`);
};

/** Writes line protocol, in nanoseconds. Rejects with what the server says of a line that it does not take. */
export const writeLines = async ({ url, org: name, token }: InfluxdAccess, bucket: string, lines: string): Promise<void> => {
	const query = new URLSearchParams({ org: name, bucket, precision: 'ns' });
	const response = await fetch(`${url}/api/v2/write?${query}`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: lines,
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`Write to ${bucket}: ${response.status} ${text}`);
};
