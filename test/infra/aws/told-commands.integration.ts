import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { installAwsCli } from '#test/support/servers/aws-cli.ts';
import manifest from '../../../package.json' with { type: 'json' };

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'caudal-told-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documents = ['infra/aws/RUNBOOK.md', 'infra/aws/DEPLOYING.md', 'infra/tools/schema/README.md'];

/** What stands for a name that the reader knows. */
const placeholders = new Map([
	['NAME', 'first'],
	['E-MAIL', 'ada@utility.example'],
	['CLIENT', '12'],
]);

/**
 * The commands of a script, as their words. Bash runs it without any program: each command is recorded instead, with the values of variables and
 * loops. A variable that was not set is an error.
 */
function commandsOf(script: string): readonly (readonly string[])[] {
	const log = join(folder, 'log');
	writeFileSync(log, '');
	// In one write: the commands of a pipe run at the same time.
	const record =
		'command_not_found_handle() { printf -v words "%s\\037" "$@"; printf "%s\\036" "$words" >> "$LOG"; echo printed; }';
	// No program is found below this path.
	execFileSync('/bin/bash', ['--norc', '-euc', `${record}\n${script}`], { cwd: folder, env: { LOG: log, PATH: '/none' } });
	return readFileSync(log, 'utf8')
		.split('\x1e')
		.slice(0, -1)
		.map((words) => words.split('\x1f').slice(0, -1));
}

/** Each different command of the documents, from blocks of shell and from the text. */
const commands = documents.flatMap((document) => {
	const text = readFileSync(document, 'utf8');
	const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
	const inText = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`((?:aws|npm run|npx cdk) [^`]+)`/g)];
	// One after the other: a block has the variables of those before it.
	return commandsOf([...blocks, ...inText.map(([, each = '']) => each.replaceAll(/\n\s*/g, ' '))].join('\n'));
});
const told = (...start: readonly string[]) =>
	[
		...new Set(
			commands.filter((words) => start.every((word, index) => words[index] === word)).map((words) => words.join('\x1f')),
		),
	].map((words) => words.split('\x1f').slice(start.length));

describe('the commands of the documents', () => {
	test('of AWS’s CLI have operations and parameters that it knows', async () => {
		const all = told('aws');
		expect(all.length).toBeGreaterThan(25);
		// What earlier commands write, and what the reader has.
		symlinkSync(resolve('infra'), join(folder, 'infra'));
		const target = { Arn: 'a', RoleArn: 'r' };
		const schedule = { Name: 'n', ScheduleExpression: 'rate(1 minute)', FlexibleTimeWindow: { Mode: 'OFF' }, Target: target };
		const attributes = { schema: { DataType: 'String', StringValue: 'plant_a' } };
		for (const words of all)
			for (const [index, word] of words.entries())
				if (/^fileb?:/.test(word) || words[index - 1] === '--body') {
					const content = words[index - 1] === '--cli-input-json' ? schedule : attributes;
					writeFileSync(join(folder, word.replace(/^fileb?:../, '')), JSON.stringify(content));
				}
		const python = await installAwsCli();
		const env = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_MAX_ATTEMPTS: '1', AWS_REGION: 'eu-west-1' };
		const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'a', AWS_DEFAULT_REGION: 'eu-west-1' };
		// The CLI's own program, once for all: it checks each command before it connects.
		const program = `
import contextlib, io, json, sys
from awscli.clidriver import create_clidriver
for words in json.load(sys.stdin):
    isNamed = words[-1] == '--generate-cli-skeleton'
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        try: code = create_clidriver().main(words)
        except SystemExit as exit: code = exit.code
    if code != 0 if isNamed else 'Could not connect to the endpoint URL' not in errors.getvalue(): print(words, errors.getvalue()[-300:])
`;
		// An operation alone is a name in a sentence.
		const named = all.map((words) => (words.length === 2 ? [...words, '--generate-cli-skeleton'] : words));
		const run = execute(python, ['-c', program], { cwd: folder, env: { ...env, ...keys } });
		run.child.stdin?.end(JSON.stringify(named));
		expect((await run).stdout).toBe('');
	}, 180_000);

	const scripts: Readonly<Record<string, string>> = manifest.scripts;
	const npm = [...told('npm', 'run', '-s'), ...told('npm', 'run').filter(([script]) => script !== '-s')];
	test.each(npm.map((words) => [words.join(' '), words] as const))('npm run %s: is parsed by its tool', async (_, words) => {
		const [script = '', ...sent] = words.filter((word) => word !== '--').map((word) => placeholders.get(word) ?? word);
		expect(Object.keys(scripts)).toContain(script);
		const [tool] = /infra\/tools\/\S+\.ts/.exec(scripts[script] ?? '') ?? [];
		if (tool === undefined) return;
		const run = (...args: readonly string[]) =>
			execute(process.execPath, ['--import', resolve('test/support/only-parse.ts'), tool, ...args]);
		const parsed = run(...sent);
		if (sent.length > 1) await parsed;
		// A command alone is a name in a sentence.
		else
			await parsed.catch(async () =>
				expect((await run(...sent, '--help')).stdout).toContain(`Usage: ${[script, ...sent].join(' ')} `),
			);
	});

	test('of CDK have options that it knows', async () => {
		const all = told('npx', 'cdk');
		for (const command of new Set(all.map(([name = '']) => name))) {
			const { stdout } = await execute(process.execPath, ['node_modules/aws-cdk/bin/cdk', command, '--help']);
			const options = all.filter(([name]) => name === command).flatMap((words) => words.filter((word) => word.startsWith('-')));
			for (const option of options) expect(stdout, command).toMatch(new RegExp(`\\s${option}\\b`));
		}
	}, 120_000);
});
