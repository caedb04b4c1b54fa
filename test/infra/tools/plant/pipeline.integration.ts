import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { openPlantService, type PlantService, plantAlarm, plantVariable } from '#test/support/plant/over-http.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const workflow = readFileSync(join(root, '.github/plant-pipeline.yml'), 'utf8');
const paths = readConfig(v.object({ PATH: v.string(), HOME: v.string() }));

/** Returns the script of a step, as the workflow has it. */
const scriptOf = (step: string): string => {
	const [, body = ''] = new RegExp(`- name: ${step}\\n([\\s\\S]*?)(?=\\n {6}- |$(?![\\s\\S]))`).exec(workflow) ?? [];
	expect(body).toContain('working-directory: caudal');
	const [, block, line] = /^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.*))/m.exec(body) ?? [];
	return block ?? line ?? '';
};

/** The workflow's own steps with two services: people change the plant of one, and the other one follows its file. */
describe('.github/plant-pipeline.yml', () => {
	let source: PlantService;
	let followed: PlantService;
	let repository: string;
	beforeAll(async () => {
		source = await openPlantService();
		followed = await openPlantService();
		repository = mkdtempSync(join(tmpdir(), 'caudal-'));
		// A clone in which `npm ci` was run.
		mkdirSync(join(repository, 'caudal'));
		for (const name of readdirSync(root)) symlinkSync(join(root, name), join(repository, 'caudal', name));
	});
	afterAll(async () => {
		await source.close();
		await followed.close();
		rmSync(repository, { recursive: true, force: true });
	});

	/** Runs a step as a runner does: a file in `bash -e`, in the folder of the clone, with CI set. */
	const run = async (step: string) => {
		const [script, summary] = [join(repository, 'script.sh'), join(repository, 'summary.md')];
		writeFileSync(script, scriptOf(step));
		writeFileSync(summary, '');
		const service = { CAUDAL_URL: followed.target.baseUrl, ...followed.a.machine };
		const child = spawn('bash', ['-e', script], {
			cwd: join(repository, 'caudal'),
			env: { ...paths, ...service, CI: 'true', GITHUB_STEP_SUMMARY: summary },
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const [shown, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number]>]);
		return { code, shown, summary: readFileSync(summary, 'utf8') };
	};
	const change = async (name: string, lists: object): Promise<void> => {
		const file = source.write(name, { format: 1, schema: 'plant_a', ...lists });
		const url = ['--url', source.target.baseUrl];
		expect(await source.plant(['apply', file, ...url, '--yes'], source.a.machine)).toMatchObject({ code: 0 });
		const pulled = join(repository, 'plant.json');
		expect(await source.plant(['pull', pulled, ...url], source.a.machine)).toMatchObject({ code: 0 });
	};
	const wells = (unit: string) => ({
		variables: [plantVariable('Well', 'well/1', unit), plantVariable('Tank', 'tank/1')],
		alarms: [plantAlarm('High', 'Tank')],
	});

	test('shows the plan on a pull request, and applies what was merged', { timeout: 120_000 }, async () => {
		await change('first.json', wells('m'));
		const planned = await run('Plan');
		expect([planned.code, planned.shown]).toEqual([
			0,
			expect.stringContaining('plant_a: 3 to create, 0 to change, 0 to delete.'),
		]);
		expect(planned.summary).toBe(`\`\`\`\n${planned.shown}\`\`\`\n`);
		expect(planned.summary).not.toContain('\u001b');
		expect(await run('Apply')).toMatchObject({ code: 0, shown: expect.stringContaining('3 of 3 steps done.') });
		expect((await run('Plan')).shown).toBe('The plant plant_a is as the file says.\n');

		await change('second.json', wells('cm'));
		expect((await run('Plan')).summary).toContain('    unit: "m" → "cm"');
		expect(await run('Apply')).toMatchObject({ code: 0, shown: expect.stringContaining('1 of 1 step done.') });
		const copy = followed.path('copy.json');
		await followed.plant(['pull', copy, '--url', followed.target.baseUrl], followed.a.machine);
		expect(readFileSync(copy, 'utf8')).toBe(readFileSync(join(repository, 'plant.json'), 'utf8'));
	});

	test('fails where the file has a fault, and names it', { timeout: 60_000 }, async () => {
		const charts = [{ title: 'C', series: [{ variable: 'Nobody' }] }];
		writeFileSync(join(repository, 'plant.json'), JSON.stringify({ format: 1, schema: 'plant_a', charts }));
		for (const step of ['Plan', 'Apply'])
			expect(await run(step)).toMatchObject({ code: 1, shown: expect.stringContaining('charts[0].series[0].variable') });
	});
});
