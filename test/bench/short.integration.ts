import { expect, inject, test, vi } from 'vitest';

// Benchmarks choose their sizes when they are loaded.
vi.stubEnv('BENCH', 'short');
const { benches } = await import('./benches.ts');

/** What a benchmark needs beside npm packages. */
const servers: Readonly<Record<string, unknown>> = {
	influx: inject('influxd'),
	influxql: inject('influxd1'),
	'influx-totals': inject('influxd'),
	'shared-reads': inject('influxd'),
	console: inject('chromium'),
};

// Speed is no matter here: no budget is asserted.
for (const [name, bench] of Object.entries(benches))
	test.skipIf(servers[name] === null)(`the benchmark ${name} runs in its short form, and its rows have numbers`, async () => {
		const rows = await bench();
		expect(rows).not.toEqual([]);
		for (const { name: row, measured, ratio } of rows) {
			expect(measured, row).toMatch(/\d|^live heap/);
			expect(measured, row).not.toMatch(/NaN|Infinity|undefined/);
			expect(Number.isFinite(ratio ?? 0), `${row}: ${ratio}`).toBe(true);
		}
	});
