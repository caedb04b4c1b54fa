import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { runProgram } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-samples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const stateOf = (name: string) => join(directory, name);

const write = async ({ baseUrl, settings }: LocalServer, body: string): Promise<readonly [status: number, answer: string]> => {
	const headers = { authorization: `Token ${settings.WRITE_TOKEN}` };
	await fetch(`${baseUrl}/api/v2/buckets`, { method: 'POST', headers, body: '{"name":"plant_a"}' });
	const answer = await fetch(`${baseUrl}/api/v2/write?bucket=plant_a`, { method: 'POST', headers, body });
	return [answer.status, await answer.text()];
};

const exported = async (STATE_DIR: string, ...args: readonly string[]) => {
	const program = runProgram('infra/tools/samples.ts', ['export', '--database', 'plant_a', ...args], { STATE_DIR });
	const code = await program.ended;
	return { code, lines: program.printed().split('\n').filter(Boolean), said: program.output() };
};

const at = BigInt(Date.now() - 60_000) * 1_000_000n + 7n;

/** Lines as an export writes them: in the order of their names, then of their times. */
const lines = [
	`a\\,b\\ c,area=north\\ side,line=1\\=2 flow\\=rate=2.5 ${at}`,
	`a\\,b\\ c,area=north\\ side,line=1\\=2 flow\\=rate=0.25 ${at + 1n}`,
	`bits state=9007199254740991i ${at}`,
	`count total=12u ${at}`,
	`pump running=true ${at}`,
	`pump running=false ${at + 1_000_000_000n}`,
	`tiny value=5e-324 ${at}`,
];

test('what is exported from a running service is the same when another one took it', async () => {
	const first = await startLocal({ STATE_DIR: stateOf('first') });
	const more = [`note text="closed" ${at}`, `big count=9007199254740993i ${at}`];
	expect(await write(first, [...lines.toReversed(), ...more].join('\n'))).toEqual([204, '']);
	const { code, lines: out, said } = await exported(stateOf('first'));
	expect([code, out]).toEqual([0, lines]);
	expect(said).toContain(`${lines.length} samples of plant_a\n2 are left out: texts, and integers beyond 2^53`);
	await first.close();
	const second = await startLocal({ STATE_DIR: stateOf('second') });
	expect(await write(second, out.join('\n'))).toEqual([204, '']);
	await second.close();
	expect((await exported(stateOf('second'))).lines).toEqual(lines);
});

test('a range begins at its start, and ends before its end', async () => {
	const timeOf = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString();
	const [start, stop] = [timeOf(at), timeOf(at + 1_000_000_000n)];
	const early = await exported(stateOf('second'), '--stop', stop);
	expect(early.lines).toEqual(lines.filter((line) => !line.startsWith('pump running=false')));
	const late = await exported(stateOf('second'), '--start', stop);
	expect(late.lines).toEqual(lines.filter((line) => line.startsWith('pump running=false')));
	expect((await exported(stateOf('second'), '--start', start)).lines).toEqual(lines);
});

test('says in one line what is wrong', async () => {
	const absent = await exported(stateOf('absent'));
	expect([absent.code, absent.said]).toEqual([1, expect.stringMatching(/^samples: There are no series in \S+: set STATE_DIR/)]);
	const time = await exported(stateOf('second'), '--start', 'yesterday');
	expect([time.code, time.said]).toEqual([1, expect.stringContaining('2026-11-29T00:00:00Z')]);
	expect(time.said).not.toMatch(/\n\s+at /);
});

test('a reader that stops reading ends it', () => {
	const command = `${process.execPath} --disable-warning=DEP0169 infra/tools/samples.ts export --database plant_a | head -n 1`;
	const { stdout } = spawnSync('sh', ['-c', command], { env: { STATE_DIR: stateOf('second') }, encoding: 'utf8' });
	expect(stdout).toBe(`${lines[0]}\n`);
});
