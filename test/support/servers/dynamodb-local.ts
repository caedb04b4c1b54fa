import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';
import { freePort, keepServer } from './managed-server.ts';

const version = '2.6.1';
const downloadMs = 300_000;
const startMs = 30_000;
const execute = promisify(execFile);

/** DynamoDB Local, AWS's own emulator, running. */
export interface DynamoDbLocal {
	readonly endpoint: string;
	stop(): Promise<void>;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>caudal</groupId><artifactId>proof</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency>
<groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>${version}</version>
</dependency></dependencies>
</project>
`;

/** The folder with DynamoDB Local and what it needs, from Maven Central at the first time. Whole or not there at all. */
const installed = async (): Promise<string> => {
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
		// Another run may have been faster; either copy does.
		if (!existsSync(folder)) renameSync(fresh, folder);
		return folder;
	} finally {
		rmSync(fresh, { recursive: true, force: true });
	}
};

const start = async (folder: string): Promise<DynamoDbLocal> => {
	const port = await freePort();
	const endpoint = `http://127.0.0.1:${port}`;
	const lib = join(folder, 'lib');
	const java = [`-Djava.library.path=${lib}`, '-cp', [join(lib, '*')].join(delimiter)];
	const runner = ['com.amazonaws.services.dynamodbv2.local.main.ServerRunner', '-inMemory', '-disableTelemetry'];
	const stop = await keepServer({
		name: 'DynamoDB Local',
		command: 'java',
		args: [...java, ...runner, '-port', String(port)],
		// Whatever it says of a request that means nothing, it answers.
		answers: async () => (await fetch(endpoint, { signal: AbortSignal.timeout(1000) })).status > 0,
		startMs,
	});
	return { endpoint, stop };
};

/** Whether a program is there at all. */
const canRun = async (command: string, args: readonly string[]): Promise<boolean> => {
	try {
		await execute(command, [...args], { timeout: startMs });
		return true;
	} catch {
		return false;
	}
};

/**
 * Starts DynamoDB Local in memory on a free port of this machine; it ends with `stop`, or with this process at the latest.
 * `unavailable` says why where Java, Maven or the download cannot be had. Rejects where it is there and does not start.
 */
export const startDynamoDbLocal = async (): Promise<DynamoDbLocal | { readonly unavailable: string }> => {
	if (!(await canRun('java', ['-version']))) return { unavailable: 'there is no java (17 or newer) on the PATH' };
	let folder: string;
	try {
		folder = await installed();
	} catch (error) {
		return { unavailable: `DynamoDB Local ${version} cannot be had from Maven Central: ${reasonOf(error)}` };
	}
	return start(folder);
};
