import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';
import { awsEnvironment } from './aws.ts';
import { installPython } from './python-packages.ts';

const execute = promisify(execFile);
const version = '1.45.11';
const environmentSchema = v.object({ PATH: v.string() });

/** Installs the AWS CLI from PyPI the first time. Returns the Python that has it. */
export const installAwsCli = (): Promise<string> => installPython(`awscli-${version}`, [`awscli==${version}`]);

/**
 * Runs a shell script whose commands call `aws` on the emulator, up to the first that fails.
 * @returns what it printed
 * @throws Error with what was printed when a command fails
 */
export async function runAwsScript(script: string, region: string): Promise<string> {
	const python = await installAwsCli();
	const aws = `aws() { '${python}' '${join(dirname(python), 'aws')}' "$@"; }`;
	const env = { ...readConfig(environmentSchema), ...awsEnvironment(), AWS_DEFAULT_REGION: region, AWS_REGION: region };
	return (await execute('sh', ['-euc', `${aws}\n${script}`], { env })).stdout;
}
