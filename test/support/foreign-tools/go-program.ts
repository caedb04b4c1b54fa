import { installOnce } from '#test/support/servers/install-once.ts';
import { runOrFail } from './run.ts';

/**
 * Builds a Go program from the Go module proxy in the cache folder `name`, unless it exists.
 *
 * @returns the cache folder, which holds the program
 * @throws Error when the program cannot be built
 */
export const installGoProgram = (name: string, module: string): Promise<string> =>
	installOnce(name, async (temporary) => {
		await runOrFail('go', ['install', module], { cwd: temporary, environment: { GOBIN: temporary, GOFLAGS: '-mod=readonly' } });
	});
