import { truncateSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '#test/e2e/target.ts';
import {
	openForwarder,
	openPlantService,
	type PlantService,
	plantAlarm,
	plantProgram,
	plantVariable,
} from '#test/support/plant/over-http.ts';
import { runProgram } from '#test/support/process.ts';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const stepEntries = { action: v.picklist(['create', 'change', 'delete']), kind: text, name: text };
/** What `--json` prints for programs: other fields would be promises that nobody made. */
const planJson = {
	file: text,
	schema: text,
	faults: v.array(v.strictObject({ path: text, message: text })),
	steps: v.array(
		v.strictObject({
			...stepEntries,
			was: v.nullable(text),
			version: v.nullable(count),
			fields: v.array(v.looseObject({ path: text })),
			isPartial: v.boolean(),
		}),
	),
	numbers: v.nullable(
		v.strictObject({
			start: v.pipe(text, v.isoTimestamp()),
			end: v.pipe(text, v.isoTimestamp()),
			variables: v.array(
				v.strictObject({
					name: text,
					hours: count,
					changed: count,
					gained: count,
					lost: count,
					largest: v.nullable(v.strictObject({ at: v.pipe(text, v.isoTimestamp()), before: v.number(), after: v.number() })),
					unknown: v.nullable(text),
				}),
			),
			alarms: v.array(
				v.strictObject({
					name: text,
					before: v.nullable(count),
					after: v.nullable(count),
					start: v.pipe(text, v.isoTimestamp()),
					end: v.pipe(text, v.isoTimestamp()),
					unknown: v.nullable(text),
				}),
			),
			notBacktested: v.array(text),
		}),
	),
	left: v.array(text),
};
const printed = {
	pull: v.strictObject({ schema: text, file: text, items: v.record(text, count) }),
	plan: v.strictObject(planJson),
	apply: v.strictObject({
		...planJson,
		results: v.array(
			v.strictObject({
				...stepEntries,
				outcome: v.picklist(['done', 'conflict', 'failed', 'interrupted']),
				message: text,
			}),
		),
	}),
};

/** The tool in a process of its own, against a local service (infra/tools/plant/README.md). */
describe('npm run plant', () => {
	let service: PlantService;
	let url: readonly [string, string];
	beforeAll(async () => {
		service = await openPlantService();
		url = ['--url', service.target.baseUrl];
	});
	afterAll(() => service.close());

	const fileOf = (name: string, schema: string, lists: object): string => service.write(name, { format: 1, schema, ...lists });
	const wells = (topics: readonly string[], more = {}) => ({
		variables: topics.map((topic, index) => plantVariable(`Well ${index + 1}`, topic, index % 2 === 0 ? 'm' : 'm³/h')),
		...more,
	});
	const storedNames = async (token: string): Promise<readonly string[]> => {
		const { body } = await call(service.target, 'GET', '/getVarsTsdb?limit=500', { token });
		return body.data.map(({ name }: { name: string }) => name);
	};

	test('signs in as a machine: what it applies is pulled as it was written, and a second apply does nothing', async () => {
		const { machine, token } = service.a;
		const file = fileOf('first.json', 'plant_a', {
			...wells(['a/1', 'a/2']),
			charts: [{ title: 'Levels', series: [{ variable: 'Well 1' }] }],
			alarms: [plantAlarm('High', 'Well 2')],
		});
		const planned = await service.plant(['plan', file, ...url], machine);
		expect([planned.code, planned.stdout]).toEqual([
			2,
			expect.stringContaining('plant_a: 4 to create, 0 to change, 0 to delete.'),
		]);
		const applied = await service.plant(['apply', file, ...url, '--yes'], machine);
		expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('4 of 4 steps done.')]);
		expect(await service.plant(['apply', file, ...url], machine)).toMatchObject({
			code: 0,
			stdout: 'The plant plant_a is as the file says.\n',
		});
		const pulls = [service.path('pulled.json'), service.path('again.json')];
		for (const pull of pulls) expect((await service.plant(['pull', pull, ...url], machine)).code).toBe(0);
		expect(service.read('again.json')).toBe(service.read('pulled.json'));
		expect(await service.plant(['plan', service.path('pulled.json'), ...url], machine)).toMatchObject({ code: 0 });
		const { body } = await call(service.target, 'GET', '/changes?kind=chart', { token });
		expect(body.data[0].actor).toEqual({ kind: 'machine', id: machine['CAUDAL_CLIENT_ID'], name: 'pipeline engineer' });
		for (const run of [planned, applied]) expect(run.text).not.toContain(machine['CAUDAL_CLIENT_SECRET']);
	});

	test('pulls as a viewer, who may change nothing, and as a person with a token', async () => {
		const viewer = await service.machineOf(service.a.token, 'viewer');
		const pulled = service.path('viewer.json');
		expect(await service.plant(['pull', pulled, ...url], viewer)).toMatchObject({ code: 0 });
		const file = fileOf('forbidden.json', 'plant_a', wells(['a/1', 'a/2', 'a/3']));
		const refused = await service.plant(['apply', file, ...url, '--yes'], viewer);
		expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/failed: variable "Well 3": /)]);
		expect(await storedNames(service.a.token)).not.toContain('Well 3');
		expect(await service.plant(['pull', pulled, ...url], { CAUDAL_TOKEN: service.a.token })).toMatchObject({ code: 0 });
	});

	test.each([
		['no credentials', {}, /^plant: Set CAUDAL_CLIENT_ID and CAUDAL_CLIENT_SECRET/],
		[
			'a wrong secret',
			{ CAUDAL_CLIENT_ID: 'A'.repeat(20), CAUDAL_CLIENT_SECRET: 'cdl_nothing' },
			/^plant: The service does not let this machine in/,
		],
	])('exits with 1 and one line: %s', async (_, environment, expected) => {
		const { code, text: said, stdout } = await service.plant(['pull', service.path('none.json'), ...url], environment);
		expect([code, stdout, said]).toEqual([1, '', expect.stringMatching(expected)]);
		expect(said.trimEnd().split('\n')).toHaveLength(1);
	});

	test.each([
		['that is not there', () => service.path('nowhere.json'), /cannot be read: ENOENT/],
		['that is a folder', () => service.path(''), /cannot be read: EISDIR/],
		[
			'in another encoding',
			() => service.write('latin.json', Buffer.from('{"schema": "caf\xe9"}', 'latin1')),
			/no text in UTF-8/,
		],
		[
			'that is too large',
			() => {
				truncateSync(service.write('large.json', '{}'), 64_000_001);
				return service.path('large.json');
			},
			/has 64,000,001 bytes: a plant’s file has at most 64,000,000 bytes/,
		],
	])('exits with 1 and one line for a file %s', async (_, makeFile, expected) => {
		const { code, text: said, stdout } = await service.plant(['apply', makeFile(), ...url, '--yes'], service.a.machine);
		expect([code, stdout, said]).toEqual([1, '', expect.stringMatching(expected)]);
		expect(said.trimEnd().split('\n')).toHaveLength(1);
	});

	test('prints JSON of one form for programs', async () => {
		const { machine } = service.a;
		const file = fileOf('json.json', 'plant_a', {
			...wells(['a/10', 'a/2', 'a/3']),
			alarms: [plantAlarm('High', 'Well 2'), plantAlarm('New', 'Well 3'), plantAlarm('Second', 'Well 2')],
		});
		const parse = async (command: keyof typeof printed, args: readonly string[], code: number) => {
			const run = await service.plant([command, ...args, ...url, '--json'], machine);
			expect([run.code, run.text]).toEqual([code, run.stdout]);
			return v.parse(printed[command], JSON.parse(run.stdout));
		};
		const planned = v.parse(printed.plan, await parse('plan', [file, '--days', '2'], 2));
		expect(planned.steps.map(({ action, name }) => `${action} ${name}`)).toEqual([
			'change Well 1',
			'create Well 3',
			'create New',
			'create Second',
		]);
		expect(planned.numbers).toMatchObject({
			variables: [{ name: 'Well 1', hours: 48 }],
			// It has no samples, and that is raised once.
			alarms: [{ name: 'Second', before: null, after: 1 }],
			notBacktested: ['New'],
		});
		const applied = v.parse(printed.apply, await parse('apply', [file, '--yes'], 0));
		expect(applied.results.map(({ outcome }) => outcome)).toEqual(applied.steps.map(() => 'done'));
		expect(await parse('plan', [file], 0)).toMatchObject({ steps: [], faults: [] });
		const faulty = fileOf('faulty.json', 'plant_a', { charts: [{ title: 'C', series: [{ variable: 'Nobody' }] }] });
		expect(await parse('plan', [faulty], 1)).toMatchObject({ faults: [{ path: 'charts[0].series[0].variable' }] });
		await parse('pull', [service.path('json.json')], 0);
	});

	test('without a terminal asks nobody and writes nothing, and has no colours even where CI asks for them', async () => {
		const file = fileOf('unasked.json', 'plant_a', wells(['a/1', 'a/2', 'a/3', 'a/4']));
		const environment = { ...service.a.machine, NO_COLOR: '', CI: 'true', TERM: 'xterm' };
		for (const more of [[], ['--json']]) {
			const run = await service.plant(['apply', file, ...url, ...more], environment);
			expect([run.code, run.text]).toEqual([1, expect.stringContaining('Nobody can be asked here: say --yes')]);
			expect(run.text).not.toContain('\u001b');
		}
		expect(await storedNames(service.a.token)).not.toContain('Well 4');
	});

	test('interrupted in the middle says what was done, and does the rest when it is run again', async () => {
		const names = Array.from({ length: 60 }, (_, index) => `Many ${index}`);
		const file = fileOf('many.json', 'plant_b', {
			variables: names.map((name) => plantVariable(name, 'b/1')),
			charts: [{ title: 'After', series: [{ variable: 'Many 59' }] }],
		});
		let saves = 0;
		const forwarder = await openForwarder(service.target.baseUrl, async ({ path }) => {
			if (path.startsWith('/saveVariable') && ++saves === 20) {
				program.child.kill('SIGINT');
				// Its requests are still open when the signal arrives.
				await new Promise((resolve) => setTimeout(resolve, 300));
			}
		});
		const args = ['apply', file, '--url', forwarder.baseUrl, '--yes'];
		const program = runProgram(plantProgram, args, service.b.machine);
		expect(await program.ended).toBe(130);
		await forwarder.close();
		const [, done, left] =
			/(\d+) of 61 steps done, (\d+) not begun, because it was interrupted: run this again to do the rest\./.exec(
				program.output(),
			) ?? [];
		expect(Number(done) + Number(left)).toBe(61);
		expect(Number(left)).toBeGreaterThan(0);
		expect(program.output()).toContain('Interrupted: waiting for the requests that are running.');
		// What it says was done is what is there.
		expect(await storedNames(service.b.token)).toHaveLength(Number(done));
		const rest = await service.plant(['apply', file, ...url, '--yes'], service.b.machine);
		expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining(`${left} of ${left} steps done.`)]);
		expect((await storedNames(service.b.token)).toSorted()).toEqual(names.toSorted());
		expect(await service.plant(['apply', file, ...url, '--yes'], service.b.machine)).toMatchObject({ code: 0 });
	});
});
