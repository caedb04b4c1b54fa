import { installOnce } from '#test/support/servers/install-once.ts';
import { runOrFail } from './run.ts';

/**
 * Installs packages from npm in the cache folder `name`, unless it exists. No script of a package runs.
 *
 * @returns the cache folder; programs are in its node_modules/.bin
 * @throws Error when the packages cannot be installed
 */
export const installNodePackages = (name: string, packages: readonly string[]): Promise<string> =>
	installOnce(name, async (temporary) => {
		const options = ['--prefix', temporary, '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress'];
		await runOrFail('npm', ['install', ...options, ...packages], { cwd: temporary });
	});
