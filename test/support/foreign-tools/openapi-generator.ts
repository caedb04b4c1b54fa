import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '#test/support/servers/install-once.ts';
import { run, runOrFail } from './run.ts';

const version = '7.23.0';
const sha256 = 'cb087e40001e31eb08ef6140dd5de10938dbeb89016a1fe0481eaa25cd569026';
const address = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`;
const downloadMs = 300_000;

/** Parts of a generated client that the tests do not use. */
const parts = 'models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false';

/** A client to generate. */
export interface GeneratedClient {
	/** The name of the generator, such as `go`. */
	readonly generator: string;
	/** The file of the OpenAPI document. */
	readonly document: string;
	/** Where the client is written. */
	readonly folder: string;
	/** Options of the generator. */
	readonly options: Readonly<Record<string, string>>;
	/** Other arguments. */
	readonly args?: readonly string[];
}

/**
 * Generates a client with openapi-generator. Its jar is downloaded from Maven Central the first time.
 * @throws Error when there is no Java, when the jar cannot be downloaded, and with the generator's output when it fails
 */
export const generateClient = async ({
	generator,
	document,
	folder,
	options,
	args: others = [],
}: GeneratedClient): Promise<void> => {
	const java = await run('java', ['-version'], { cwd: import.meta.dirname });
	if (!java.ok) throw new Error('openapi-generator lacks Java: there is no java (11 or newer) on the PATH');
	const installed = await installOnce(`openapi-generator-${version}`, async (temporary) => {
		writeFileSync(join(temporary, 'cli.jar'), await download());
	});
	const properties = Object.entries(options).map(([name, value]) => `${name}=${value}`);
	const args = ['generate', '-g', generator, '-i', document, '-o', folder, '--global-property', parts, ...others];
	await runOrFail('java', ['-jar', join(installed, 'cli.jar'), ...args, '--additional-properties', properties.join()], {
		cwd: installed,
	});
};

const download = async (): Promise<Buffer> => {
	const response = await fetch(address, { signal: AbortSignal.timeout(downloadMs) });
	if (!response.ok) throw new Error(`Maven Central answered ${response.status} for ${address}`);
	const jar = Buffer.from(await response.arrayBuffer());
	const found = createHash('sha256').update(jar).digest('hex');
	if (found !== sha256) throw new Error(`${address} has the SHA-256 ${found}, not ${sha256}`);
	return jar;
};
