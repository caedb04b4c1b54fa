import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoMachine } from '#infra/local/demo/idp.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { installPromtool } from '#test/support/foreign-tools/go-program.ts';
import { run, runOrFail } from '#test/support/foreign-tools/run.ts';
import { type LocalTarget, openLocalTarget } from '#test/support/servers/local.ts';

/** The first run downloads and compiles the programs. */
const timeoutMs = 900_000;
const folder = mkdtempSync(join(tmpdir(), 'caudal-prometheus-'));

describe('the demo plant, read by Prometheus’ own programs,', () => {
	let target: LocalTarget;
	let api: string;
	// A clock that stands still at a whole minute: the values of the plant are the same in each call.
	const now = Math.floor(Date.now() / 60_000) * 60_000;
	beforeAll(async () => {
		target = await openLocalTarget({ DEMO_PLANT: 'on' }, () => now);
		api = `${target.baseUrl}/prometheus`;
	}, 60_000);
	afterAll(async () => {
		await target.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const json = async (path: string, body?: object) => {
		const token = await signIn(target, 'a');
		return (await call(target, body === undefined ? 'GET' : 'POST', path, { token, body })).body;
	};
	const flowOf = async () => {
		const request = { ids: [13], start: now - 3_660_000, end: now, period: { count: 1, unit: 'm' } };
		const { bounds, variables } = (await json('/history', request)).data;
		const { own } = variables[0].values;
		return own.flatMap((value: number | null, index: number) =>
			value === null ? [] : [[bounds[index + 1] / 1000, String(value)]],
		);
	};

	test(
		'has the values of readings and histories for the client in Go',
		async () => {
			copyFileSync(join(import.meta.dirname, 'prometheus-client/main.go'), join(folder, 'main.go'));
			const packages = ['github.com/prometheus/client_golang v1.23.2', 'github.com/prometheus/common v0.67.4'];
			writeFileSync(
				join(folder, 'go.mod'),
				`module client\n\ngo 1.24\n\nrequire (\n${packages.map((each) => `\t${each}\n`).join('')})\n`,
			);
			await runOrFail('go', ['mod', 'tidy'], { cwd: folder, timeoutMs });
			const args = ['run', '.', api, demoMachine.clientId, demoMachine.secret, String(now / 1000)];
			const read = JSON.parse(await runOrFail('go', args, { cwd: folder, timeoutMs }));
			const readings: Readonly<Record<string, unknown>>[] = (await json('/multipleDataTsdb', {})).data;
			const byId = new Map(readings.map((reading) => [String(reading['id']), reading]));
			expect(read.vector.length).toBeGreaterThan(3);
			for (const { metric, value } of read.vector) {
				expect(metric).toMatchObject({ __name__: 'caudal_value', process: 'pumping' });
				expect([metric.name, metric.quality]).toEqual([byId.get(metric.id)?.['name'], byId.get(metric.id)?.['quality']]);
				const { value: reading, series } = Object(byId.get(metric.id));
				expect(Number(value[1])).toBe(series === undefined ? reading : series.at(-1)[1]);
			}
			expect(read.matrix[0].values).toEqual(await flowOf());
			expect(read.scalar[1]).toBe('2');
			expect(read.series.map(({ __name__: name }: { __name__: string }) => name)).toEqual(read.series.map(() => 'caudal_bit'));
			expect(read.names).toEqual(['__name__', 'bit', 'id', 'name', 'process', 'state', 'unit']);
			expect(read.values).toContain('pumping');
			expect(Object.keys(read.metadata)).toEqual(['caudal_bit', 'caudal_value']);
			expect(read.build.version).toMatch(/^2\./);
			expect(read.refused).toMatchObject({ Type: 'bad_data', Msg: expect.stringContaining('only selectors') });
		},
		timeoutMs,
	);

	test(
		'is queried by promtool',
		async () => {
			const promtool = join(await installPromtool(), 'promtool');
			const config = { basic_auth: { username: demoMachine.clientId, password: demoMachine.secret } };
			writeFileSync(join(folder, 'http.yml'), JSON.stringify(config));
			const query = (...args: readonly string[]) => run(promtool, ['query', ...args], { cwd: folder });
			const http = `--http.config.file=${join(folder, 'http.yml')}`;
			const instant = await query('instant', http, '--format=json', `--time=${now / 1000}`, api, 'caudal_value{id="13"}');
			expect(instant.ok).toBe(true);
			expect(JSON.parse(instant.output)).toMatchObject([{ metric: { id: '13', name: 'Distribution flow', unit: 'm³/h' } }]);
			const times = [`--start=${now / 1000 - 3600}`, `--end=${now / 1000}`, '--step=1m'];
			const range = await query('range', http, '--format=json', ...times, api, 'caudal_value{id="13"}');
			expect(JSON.parse(range.output)[0].values).toEqual(await flowOf());
			const series = await query('series', http, '--match=caudal_bit{bit="0"}', api);
			expect(series.output).toContain('bit="0"');
			const labels = await query('labels', http, api, 'process');
			expect(labels.output.split('\n')).toContain('pumping');
			const refused = await query('instant', http, api, 'sum(caudal_value)');
			expect([refused.ok, refused.output]).toEqual([false, expect.stringContaining('only selectors')]);
		},
		timeoutMs,
	);
});
