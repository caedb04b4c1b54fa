import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '#domain/errors.ts';
import { cacheFolder } from './cache-folder.ts';
import { freePort, startManagedServer } from './managed-server.ts';

const version = '2.6.1';
const downloadMs = 300_000;
const startMs = 30_000;
const execute = promisify(execFile);

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>caudal</groupId><artifactId>tests</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency>
<groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>${version}</version>
</dependency></dependencies>
</project>
`;

/** DynamoDB Local, AWS's own emulator, while it runs. */
export interface DynamoDbLocal {
	readonly endpoint: string;
	stop(): Promise<void>;
}

/**
 * Starts DynamoDB Local in memory on a free port of this machine. It stops with `stop`, or when this process ends.
 *
 * @returns the emulator, or in `unavailable` the reason why this machine cannot install it
 * @throws Error when DynamoDB Local is installed but does not start
 */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal | { readonly unavailable: string }> {
	if (!(await canRun('java', ['-version']))) return { unavailable: 'there is no java (17 or newer) on the PATH' };
	let folder: string;
	try {
		folder = await install();
	} catch (error) {
		return { unavailable: `DynamoDB Local ${version} could not be downloaded from Maven Central: ${messageOf(error).trim()}` };
	}
	return start(folder);
}

/** Whether a program can be run on this machine. */
async function canRun(command: string, args: readonly string[]): Promise<boolean> {
	try {
		await execute(command, [...args], { timeout: startMs });
		return true;
	} catch {
		return false;
	}
}

/** Returns the folder of DynamoDB Local and its dependencies, and downloads them the first time. Never leaves a partial folder. */
async function install(): Promise<string> {
	const folder = cacheFolder(`dynamodb-local-${version}`);
	if (existsSync(folder)) return folder;
	mkdirSync(join(folder, '..'), { recursive: true });
	const fresh = mkdtempSync(`${folder}-`);
	try {
		const file = join(fresh, 'pom.xml');
		writeFileSync(file, pom);
		await execute('mvn', ['-q', '-B', '-f', file, 'dependency:copy-dependencies', `-DoutputDirectory=${join(fresh, 'lib')}`], {
			timeout: downloadMs,
		});
		// A concurrent run may have created it meanwhile. Either copy is fine.
		if (!existsSync(folder)) renameSync(fresh, folder);
		return folder;
	} finally {
		rmSync(fresh, { recursive: true, force: true });
	}
}

async function start(folder: string): Promise<DynamoDbLocal> {
	const port = await freePort();
	const endpoint = `http://127.0.0.1:${port}`;
	const lib = join(folder, 'lib');
	// On two cores, another garbage collector would slow requests down by its threads. The compiler that optimizes stays on: it pays for a run
	// of minutes.
	const java = ['-XX:+UseSerialGC', `-Djava.library.path=${lib}`, '-cp', [join(lib, '*')].join(delimiter)];
	const runner = ['com.amazonaws.services.dynamodbv2.local.main.ServerRunner', '-inMemory', '-disableTelemetry'];
	const stop = await startManagedServer({
		name: 'DynamoDB Local',
		command: 'java',
		args: [...java, ...runner, '-port', String(port)],
		// It responds with an error to a request without an operation. Any response means that it is ready.
		isReady: async () => (await fetch(endpoint, { signal: AbortSignal.timeout(1000) })).status > 0,
		startMs,
	});
	return { endpoint, stop };
}
