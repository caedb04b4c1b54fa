import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './install-once.ts';

const installMs = 300_000;
const execute = promisify(execFile);

/**
 * Creates a virtual environment with packages from PyPI in the cache folder `name`, unless it exists.
 *
 * @returns the path of its Python. Programs of the packages are beside it, and run as `python program`: their first lines name the
 * folder in which they were installed.
 * @throws Error when the packages cannot be installed
 */
export async function installPython(name: string, requirements: readonly string[]): Promise<string> {
	const folder = await installOnce(name, async (temporary) => {
		await execute('python3', ['-m', 'venv', temporary], { timeout: installMs });
		const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...requirements];
		await execute(join(temporary, 'bin', 'python'), pip, { timeout: installMs });
	});
	return join(folder, 'bin', 'python');
}
