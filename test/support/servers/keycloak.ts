import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { installOnce } from './install-once.ts';
import { freePort, startManagedServer } from './managed-server.ts';
import { downloadArtifact, hasJava } from './maven.ts';

const version = '26.7.3';
const artifact = { groupId: 'org.keycloak', artifactId: 'keycloak-quarkus-dist', version, type: 'zip' } as const;
const buildMs = 600_000;
const startMs = 240_000;
const administrator = { username: 'admin', password: 'admin' };
const execute = promisify(execFile);

const tokenSchema = v.object({ access_token: v.string() });

/** Keycloak, while it runs. */
export interface Keycloak {
	/** Creates a realm with what its JSON holds, such as clients and users, and returns its issuer. */
	createRealm(realm: { readonly realm: string } & Readonly<Record<string, unknown>>): Promise<string>;
	/** Calls the administrators' API below `/admin/realms`, and returns its JSON; null: the answer has none. */
	administer(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>;
}

/** Returns the folder of Keycloak, and downloads and prepares it the first time. @throws Error when it cannot be installed */
export async function installKeycloak(): Promise<string> {
	const folder = await installOnce(`keycloak-${version}`, async (temporary) => {
		await downloadArtifact(artifact, temporary);
		// Without this, each start takes minutes.
		await execute('sh', [join(homeOf(temporary), 'bin', 'kc.sh'), 'build', '--db=dev-mem', '--cache=local'], {
			timeout: buildMs,
		});
	});
	return homeOf(folder);
}

const homeOf = (folder: string): string => join(folder, 'lib', `keycloak-${version}`);

/**
 * Starts Keycloak in memory on a free port of this machine, which takes half a minute. It stops with `stop`, or when this process ends.
 *
 * @returns the server, or in `unavailable` the reason why this machine cannot install it
 * @throws Error when Keycloak is installed but does not start
 */
export async function startKeycloak(): Promise<
	{ readonly url: string; stop(): Promise<void> } | { readonly unavailable: string }
> {
	if (!(await hasJava())) return { unavailable: 'there is no java (17 or newer) on the PATH' };
	let home: string;
	try {
		home = await installKeycloak();
	} catch (error) {
		return { unavailable: `Keycloak ${version} could not be installed from Maven Central: ${messageOf(error).trim()}` };
	}
	return start(home);
}

/** Runs Java itself: the script would leave it behind when it is stopped. */
async function start(home: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const threads = 'io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory';
	const opened = ['java.util', 'java.util.concurrent', 'java.security', 'java.lang'].map(
		(name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
	);
	const java = ['-Xmx600m', '-XX:+UseSerialGC', ...opened, `-Dkc.home.dir=${home}`];
	const factory = `-Djava.util.concurrent.ForkJoinPool.common.threadFactory=${threads}`;
	const main = ['-cp', join(home, 'lib', 'quarkus-run.jar'), 'io.quarkus.bootstrap.runner.QuarkusEntryPoint'];
	const options = ['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${url}`];
	const stop = await startManagedServer({
		name: 'Keycloak',
		command: 'java',
		args: [...java, factory, ...main, 'start', '--optimized', ...options],
		environment: {
			KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
			KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
		},
		isReady: async () => (await fetch(`${url}/realms/master`, { signal: AbortSignal.timeout(5000) })).ok,
		startMs,
	});
	return { url, stop };
}

/** Returns the Keycloak that runs at an address. */
export function keycloakAt(url: string): Keycloak {
	const administer: Keycloak['administer'] = async (method, path, body) => {
		const headers = { authorization: `Bearer ${await administratorToken(url)}`, 'content-type': 'application/json' };
		const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
		const response = await fetch(`${url}/admin/realms${path}`, request);
		const text = await response.text();
		if (!response.ok) throw new Error(`Keycloak ${method} ${path}: ${response.status} ${text}`);
		return text === '' ? null : JSON.parse(text);
	};
	return {
		administer,
		createRealm: async (realm) => {
			await administer('POST', '', { enabled: true, ...realm });
			return `${url}/realms/${realm.realm}`;
		},
	};
}

async function administratorToken(url: string): Promise<string> {
	const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...administrator });
	const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
	return v.parse(tokenSchema, await response.json()).access_token;
}
