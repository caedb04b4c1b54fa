import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { recordedBits } from '#test/support/formula-bits.ts';

describe.skipIf(inject('chromium') === null)('exp, logarithms and powers of formulas, in Chromium', () => {
	test('give the bits that they give in Node', async () => {
		const bundle = await build({
			entryPoints: [join(import.meta.dirname, '../../support/formula-bits.ts')],
			bundle: true,
			write: false,
			format: 'iife',
			globalName: 'formulaBits',
		});
		const browser = await chromium.launch({ executablePath: inject('chromium') ?? '' });
		try {
			const page = await browser.newPage();
			await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
			expect(await page.evaluate('formulaBits.checksumOfBits()')).toBe(recordedBits);
		} finally {
			await browser.close();
		}
	});
});
