import { delimiter, join } from 'node:path';
import { messageOf } from '#domain/errors.ts';
import { installOnce } from './install-once.ts';
import { freePort, startManagedServer } from './managed-server.ts';
import { downloadArtifact, hasJava } from './maven.ts';

const version = '2.6.1';
const artifact = { groupId: 'com.amazonaws', artifactId: 'DynamoDBLocal', version, type: 'jar' } as const;
const startMs = 30_000;

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
	if (!(await hasJava())) return { unavailable: 'there is no java (17 or newer) on the PATH' };
	let folder: string;
	try {
		folder = await installOnce(`dynamodb-local-${version}`, (temporary) => downloadArtifact(artifact, temporary));
	} catch (error) {
		return { unavailable: `DynamoDB Local ${version} could not be downloaded from Maven Central: ${messageOf(error).trim()}` };
	}
	return start(folder);
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
