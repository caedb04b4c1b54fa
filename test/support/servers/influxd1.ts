import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { nonEmpty } from '#shared/config.ts';
import { installOnce } from './install-once.ts';
import { freePort, startManagedServer } from './managed-server.ts';

/** The newest InfluxDB 1, which is built from its Go module, and the oldest one of the contract suites, which is a package of Debian. */
export const influxd1Versions = ['1.13.2', '1.6.7'] as const;

/** A version of InfluxDB 1 that tests can run. */
export type Influxd1Version = (typeof influxd1Versions)[number];

/** The address of an InfluxDB that speaks InfluxQL, and the name and password of a user who may do everything. */
export interface InfluxqlAccess {
	readonly url: string;
	readonly user: string;
	readonly password: string;
}

const maxStartMs = 60_000;
const installMs = 1_800_000;
const execute = promisify(execFile);
const moduleSchema = v.pipe(v.string(), v.parseJson(), v.object({ Dir: nonEmpty }));

/** How each version comes into a folder, as `influxd`. */
const installs: Readonly<Record<Influxd1Version, (folder: string) => Promise<unknown>>> = {
	'1.13.2': async (folder) => {
		const work = mkdtempSync(join(folder, 'work-'));
		writeFileSync(join(work, 'go.mod'), 'module test\n\ngo 1.22\n');
		const download = ['mod', 'download', '-json', 'github.com/influxdata/influxdb@v1.13.2'];
		const { stdout } = await execute('go', download, { cwd: work, timeout: installMs });
		rmSync(work, { recursive: true });
		await execute(
			'nice',
			['-n', '10', 'go', 'build', '-buildvcs=false', '-mod=readonly', '-o', join(folder, 'influxd'), './cmd/influxd'],
			{
				cwd: v.parse(moduleSchema, stdout).Dir,
				timeout: installMs,
				maxBuffer: 100_000_000,
			},
		);
	},
	'1.6.7': async (folder) => {
		// The package is unpacked and not installed, so that nothing starts with the machine.
		const download = () => execute('apt-get', ['download', '-q', 'influxdb'], { cwd: folder, timeout: installMs });
		await download().catch(() => execute('apt-get', ['update', '-q'], { timeout: installMs }).then(download));
		const [file = ''] = readdirSync(folder);
		if (!file.includes('_1.6.7~')) throw new Error(`Debian has ${file || 'no influxdb'}, and not 1.6.7.`);
		await execute('dpkg', ['-x', file, 'package'], { cwd: folder, timeout: installMs });
		renameSync(join(folder, 'package/usr/bin/influxd'), join(folder, 'influxd'));
		rmSync(join(folder, 'package'), { recursive: true });
		rmSync(join(folder, file));
	},
};

/** Returns the path of an influxd 1. The first call builds or downloads it. @throws Error when that fails */
export async function installInfluxd1(version: Influxd1Version): Promise<string> {
	return join(await installOnce(`influxd-${version}`, installs[version]), 'influxd');
}

/**
 * Starts an influxd 1 with an empty store, in which only a user may read, on a free port of this machine.
 * @returns `unavailable` with the reason when it cannot be installed
 * @throws Error when it is there and does not start
 */
export async function startInfluxd1(
	version: Influxd1Version,
): Promise<(InfluxqlAccess & { stop(): Promise<void> }) | { readonly unavailable: string }> {
	let binary: string;
	try {
		binary = await installInfluxd1(version);
	} catch (error) {
		return { unavailable: `influxd ${version} cannot be installed: ${messageOf(error).slice(0, 2000)}` };
	}
	const folder = mkdtempSync(join(tmpdir(), 'caudal-influxd1-'));
	const address = `127.0.0.1:${await freePort()}`;
	const access = { url: `http://${address}`, user: 'caudal', password: 'test-token' };
	const configuration = join(folder, 'influxdb.conf');
	mkdirSync(join(folder, 'data'));
	writeFileSync(configuration, configurationOf(folder, address));
	const end = await startManagedServer({
		name: `influxd ${version}`,
		command: binary,
		args: ['-config', configuration],
		isReady: async () => (await fetch(`${access.url}/ping`, { signal: AbortSignal.timeout(1000) })).ok,
		startMs: maxStartMs,
	});
	await runInfluxql(access, `CREATE USER ${access.user} WITH PASSWORD '${access.password}' WITH ALL PRIVILEGES`);
	return {
		...access,
		stop: async () => {
			await end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const configurationOf = (folder: string, address: string): string => `reporting-disabled = true
bind-address = "127.0.0.1:0"
[meta]
dir = "${folder}/meta"
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
query-log-enabled = false
[monitor]
store-enabled = false
[http]
bind-address = "${address}"
log-enabled = false
auth-enabled = true
`;

/** Runs a statement that changes something. @throws Error with the server's message */
export async function runInfluxql({ url, user, password }: InfluxqlAccess, statement: string): Promise<void> {
	const response = await fetch(`${url}/query`, {
		method: 'POST',
		headers: { authorization: basic(user, password) },
		body: new URLSearchParams({ q: statement }),
	});
	const text = await response.text();
	if (!response.ok || text.includes('"error"')) throw new Error(`${statement}: ${response.status} ${text}`);
}

/** An unsigned integer of line protocol. InfluxDB 1 is released without them. */
const unsigned = /=(\d+)u(?= -?\d+$)/gm;

/** Writes line protocol, in nanoseconds, to a database of InfluxDB 1: unsigned integers as signed ones. @throws Error with the server's message when it rejects a line */
export async function writeLines1(
	{ url, user, password }: InfluxqlAccess,
	database: string,
	lines: string,
	policy = 'autogen',
): Promise<void> {
	const response = await fetch(`${url}/write?${new URLSearchParams({ db: database, rp: policy, precision: 'ns' })}`, {
		method: 'POST',
		headers: { authorization: basic(user, password) },
		body: lines.replace(unsigned, (_, digits: string) => `=${BigInt(digits) < 2n ** 63n ? digits : 2n ** 63n - 1n}i`),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`Write to ${database}: ${response.status} ${text}`);
}

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
