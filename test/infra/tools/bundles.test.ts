import { expect, test } from 'vitest';
import { functionNames } from '#shared/contract.ts';
import { runProgram } from '#test/support/process.ts';

test('npm run bundles loads every function, and prints its size beside the default', async () => {
	const program = runProgram('infra/tools/bundles.ts', ['--runs', '1'], {});
	await program.ended;
	const text = program.output();
	for (const name of functionNames) expect(text).toMatch(new RegExp(`${name} +│ [\\d.]+ +│`));
	expect(text).toMatch(/multipleDataTsdb: 0\.\d+x bytes/);
}, 300_000);
