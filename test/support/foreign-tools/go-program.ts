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

/**
 * Builds promtool, Prometheus' tool, unless it exists. It is built as a package of another module, because its own replaces modules.
 *
 * @returns the cache folder, which holds the program
 * @throws Error when it cannot be built
 */
export const installPromtool = (): Promise<string> =>
	installOnce('promtool-0.305.0', async (temporary) => {
		const inModule = (args: readonly string[]) => runOrFail('go', args, { cwd: temporary, timeoutMs: 1_200_000 });
		await inModule(['mod', 'init', 'promtool']);
		await inModule(['get', 'github.com/prometheus/prometheus/cmd/promtool@v0.305.0']);
		await inModule(['build', '-ldflags', '-s -w', '-o', 'promtool', 'github.com/prometheus/prometheus/cmd/promtool']);
	});
