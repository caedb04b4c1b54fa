import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Copies the project without its packages, which it shares. */
const copyProject = (): string => {
	const copy = mkdtempSync(join(tmpdir(), 'caudal-new-kind-'));
	for (const name of ['functions', 'infra', 'shared', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
		cpSync(join(root, name), join(copy, name), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
};

/** Returns the files that the type check of a program finds fault with. */
const faultyFiles = (folder: string, program: string): Promise<readonly string[]> =>
	new Promise((resolve) => {
		const tsc = join(root, 'node_modules/typescript/bin/tsc');
		execFile(
			process.execPath,
			[tsc, '--noEmit', '--pretty', 'false', '-p', program],
			{ cwd: folder, maxBuffer: 1e8 },
			(_, output) => resolve([...output.matchAll(/^([\w./-]+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)),
		);
	});

const edit = (file: string, from: string, to: string): void => {
	const text = readFileSync(file, 'utf8');
	expect(text).toContain(from);
	writeFileSync(file, text.replace(from, to));
};

/** The probe of .github/CONTRIBUTING.md#adding-a-kind-of-board. */
describe('a new kind of board', () => {
	const copy = copyProject();
	afterAll(() => rmSync(copy, { recursive: true, force: true }));

	test('is asked for by the type check at each place that needs a decision, and at 20 at most', async () => {
		edit(join(copy, 'shared/domain/board/board-kinds.ts'), 'export const boardKinds = [', "export const boardKinds = ['note', ");
		edit(join(copy, 'shared/domain/board/board.ts'), 'interface Contents {', 'interface Contents {\n\treadonly note: Chart;');
		const found = [...(await faultyFiles(copy, '.')), ...(await faultyFiles(copy, 'functions/console/page'))];
		const product = [...new Set(found)].filter((file) => !file.startsWith('test/'));
		expect(product).toEqual(
			expect.arrayContaining([
				'shared/domain/board/board-kinds.ts',
				'shared/domain/board/board.ts',
				'shared/domain/ports/schema-store.ts',
				'infra/tools/schema/import-file.ts',
				'infra/tools/plant/kinds.ts',
				'infra/tools/plant/file-schema.ts',
				'infra/tools/plant/plan.ts',
				'infra/tools/plant/plant-api.ts',
				'functions/console/page/editing/conflict-dialog.tsx',
				'functions/console/page/editing/item-kinds.ts',
			]),
		);
		expect(product.length, product.join()).toBeLessThanOrEqual(20);
	}, 300_000);
});
