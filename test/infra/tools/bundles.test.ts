import { expect, test } from 'vitest';
import { runProgram } from '#test/support/process.ts';

const bundles = async (...args: string[]) => {
	const program = runProgram('infra/tools/bundles.ts', args);
	return { code: await program.ended, text: program.output() };
};

test('npm run bundles loads the bundles of functions, and prints their size beside the default', async () => {
	const { text } = await bundles('health', 'multipleDataTsdb', '--runs', '1');
	for (const name of ['health', 'multipleDataTsdb']) expect(text).toMatch(new RegExp(`${name} +│ [\\d.]+ +│`));
	expect(text).not.toContain('saveChart');
	expect(text).toMatch(/multipleDataTsdb: 0\.\d+x bytes/);
}, 300_000);

test('npm run bundles refuses a function that does not exist', async () => {
	const { code, text } = await bundles('health', 'healthy');
	expect([code, text]).toEqual([1, expect.stringContaining('There is no function healthy')]);
});
