import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '#test/e2e/target.ts';
import { type ProgramResult, run } from '#test/support/foreign-tools/run.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { installPython } from '#test/support/servers/python-packages.ts';

/** The parts of schemathesis' JSON report that this test reads. */
interface RunReport {
	readonly complete: boolean;
	readonly operations: { readonly total: number; readonly tested: number; readonly errored: number };
	readonly phases: Readonly<Record<'examples' | 'coverage' | 'fuzzing' | 'stateful', { readonly status: string }>>;
	readonly test_cases: { readonly generated: number; readonly errored: number };
	readonly failures: readonly object[];
	readonly errors: readonly object[];
}

/** A scenario in schemathesis' report of events. */
interface Scenario {
	readonly recorder: {
		readonly cases?: Readonly<
			Record<string, { readonly transition?: { readonly id: string }; readonly is_transition_applied: boolean }>
		>;
		readonly interactions?: Readonly<Record<string, { readonly response: { readonly status_code: number } | null }>>;
	};
}

/** The first run installs schemathesis; a run takes about 3 minutes. */
const timeoutMs = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'caudal-schemathesis-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Which links a run follows is chance. So the phase that follows them is repeated with these seeds, until all of `links` were followed. */
const moreSeeds = [1, 2, 3, 4, 5, 6];

/** Links from a saved variable, which must lead to an answer. */
const links = [
	'ReadVariable -> POST /multipleDataTsdb',
	'ListUsages -> GET /usages/{id}',
	'DeleteVariable -> POST /deleteVar/{id}',
].map((link) => `POST /saveVariable -> [200] ${link}`);

/** Returns the links that a run followed with a value of the answer, and that led to status 200. `events`: the name of its report. */
const workingLinks = (events: string): readonly string[] =>
	read(events)
		.trim()
		.split('\n')
		.map((line) => (JSON.parse(line) as { readonly ScenarioFinished?: Scenario }).ScenarioFinished?.recorder)
		.flatMap((recorder) =>
			Object.entries(recorder?.cases ?? {}).flatMap(([id, { transition, is_transition_applied }]) => {
				const works = is_transition_applied && recorder?.interactions?.[id]?.response?.status_code === 200;
				return transition !== undefined && works ? [transition.id] : [];
			}),
		);

describe('schemathesis, with a token, on the running service,', () => {
	let result: ProgramResult;
	let report: RunReport;
	const more: ProgramResult[] = [];
	const working = new Set<string>();

	beforeAll(async () => {
		const python = await installPython('schemathesis-4.32.5', ['schemathesis==4.32.5']);
		cpSync(import.meta.dirname, folder, { recursive: true });
		// Endpoints that exist with a provider only. Nobody names this one, so nobody asks it.
		const provider = { name: 'plant', label: 'Plant', issuer: 'http://127.0.0.1:9', clientId: 'caudal' };
		writeFileSync(join(folder, 'providers.json'), JSON.stringify([provider]));
		const target = await openLocalTarget({
			DEMO_PLANT: 'on',
			DEMO_IDP: 'on',
			ACCOUNTS: 'on',
			OPENID_PROVIDERS: join(folder, 'providers.json'),
		});
		try {
			const token = await signIn(target, 'a');
			const program = [join(dirname(python), 'schemathesis'), '--config-file', 'schemathesis.toml'];
			const where = ['run', `${target.baseUrl}/openapi.json`, '--header', `Authorization: Bearer ${token}`];
			const reports = ['--report', 'json,ndjson', '--report-json-path', 'run.json', '--report-ndjson-path', 'events.ndjson'];
			result = await run(python, [...program, ...where, ...reports], { cwd: folder, timeoutMs });
			report = JSON.parse(read('run.json'));
			for (const link of workingLinks('events.ndjson')) working.add(link);
			for (const seed of moreSeeds) {
				if (links.every((link) => working.has(link))) break;
				const events = `${seed}.ndjson`;
				const options = ['--phases', 'stateful', '--seed', `${seed}`, '--report', 'ndjson', '--report-ndjson-path', events];
				more.push(await run(python, [...program, ...where, ...options], { cwd: folder, timeoutMs }));
				for (const link of workingLinks(events)) working.add(link);
			}
		} finally {
			await target.close();
		}
	}, timeoutMs);

	test('finds no server error, and no answer that the document does not allow', () => {
		expect({ failures: report.failures, errors: report.errors, ok: result.ok }, result.output).toEqual({
			failures: [],
			errors: [],
			ok: true,
		});
		expect(more.filter(({ ok }) => !ok)).toEqual([]);
	});

	test('tries every operation in every phase, with at least 5,000 cases', () => {
		expect(report.complete).toBe(true);
		expect(report.operations.tested).toBe(report.operations.total);
		expect(Object.values(report.phases).map(({ status }) => status)).toEqual(Array(4).fill('success'));
		expect(report.test_cases.generated).toBeGreaterThanOrEqual(5000);
	});

	test('follows the links from a saved variable to its reading, its usages and its deletion', () => {
		expect([...working]).toEqual(expect.arrayContaining(links));
	});
});
