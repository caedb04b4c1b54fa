import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { call } from '#test/e2e/target.ts';
import {
	openForwarder,
	openPlantService,
	type PlantService,
	plantProgram,
	plantVariable,
} from '#test/support/plant/over-http.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const paths = readConfig(v.object({ PATH: v.string(), HOME: v.string() }));
const green = '\u001b[32m';
const [interrupt, endOfInput] = ['\u0003', '\u0004'];

/** The tool at a terminal, which `script` of util-linux makes: it has one in every Debian and Ubuntu (infra/tools/plant/README.md#applying). */
describe('npm run plant, at a terminal', () => {
	let service: PlantService;
	let url: string;
	let number = 0;
	beforeAll(async () => {
		service = await openPlantService();
		url = service.target.baseUrl;
	});
	afterAll(() => service.close());

	/** Runs a command at a terminal, and types keys when what is shown matches. */
	const atTerminal = async (command: readonly string[], keys: readonly (readonly [pattern: RegExp, key: string])[]) => {
		const quoted = command.map((word) => `'${word}'`).join(' ');
		const environment = { ...paths, ...service.a.machine, TERM: 'xterm' };
		const child = spawn('script', ['-qec', quoted, '/dev/null'], {
			cwd: root,
			env: environment,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		const left = [...keys];
		let shown = '';
		child.stdout.on('data', (chunk: Buffer) => {
			shown += chunk.toString();
			const [next] = left;
			if (next === undefined || !next[0].test(shown)) return;
			left.shift();
			child.stdin.write(next[1]);
		});
		const [code] = (await once(child, 'close')) as [number];
		return { code, shown };
	};
	const apply = (file: string, address = url) => [process.execPath, plantProgram, 'apply', file, '--url', address];
	const newFile = (count = 1) => {
		number += 1;
		const variables = Array.from({ length: count }, (_, index) => plantVariable(`T${number}.${index}`, 'a/1'));
		return service.write(`terminal${number}.json`, { format: 1, schema: 'plant_a', variables });
	};
	const stored = async (): Promise<number> => {
		const { body } = await call(service.target, 'GET', '/getVarsTsdb?limit=500', { token: service.a.token });
		return body.data.filter(({ name }: { name: string }) => name.startsWith(`T${number}.`)).length;
	};

	test.each([
		['y', 'y\r', 0, 1],
		['yes', 'YES\r', 0, 1],
		['no', 'n\r', 2, 0],
		['anything else', 'yep\r', 2, 0],
		['an empty line', '\r', 2, 0],
		['the end of input', endOfInput, 2, 0],
		['Ctrl+C', interrupt, 130, 0],
	])('asks before it applies: %s', async (_, keys, expected, created) => {
		const { code, shown } = await atTerminal(apply(newFile()), [[/\[y\/N\] /, keys]]);
		expect([code, await stored()], shown).toEqual([expected, created]);
		expect(shown).toContain('Apply this? [y/N] ');
		expect(shown).not.toMatch(/AbortError|node:internal/);
		expect(shown.includes('1 of 1 step done.')).toBe(created === 1);
	});

	test('has colours there, and none where they are not wanted', async () => {
		const plan = [process.execPath, plantProgram, 'plan', newFile(), '--url', url];
		const coloured = await atTerminal(plan, []);
		expect([coloured.code, coloured.shown]).toEqual([2, expect.stringContaining(`${green}+ variable`)]);
		const plain = await atTerminal(['env', 'NO_COLOR=1', ...plan], []);
		expect([plain.code, plain.shown]).toEqual([2, expect.not.stringContaining(green)]);
	});

	test('Ctrl+C in the middle of npx caudal-plant says what was done, and leaves the rest to the next run', async () => {
		const file = newFile(40);
		let saves = 0;
		const forwarder = await openForwarder(url, async ({ path }) => {
			// Long enough for the key to be typed, which a shown bar asks for.
			if (path.startsWith('/saveVariable') && ++saves > 8) await new Promise((resolve) => setTimeout(resolve, 500));
		});
		const command = ['npx', 'caudal-plant', 'apply', file, '--url', forwarder.baseUrl, '--yes'];
		const { code, shown } = await atTerminal(command, [[/Applying .* [1-9]\d*\/40/, interrupt]]);
		await forwarder.close();
		const [, done, left] = /(\d+) of 40 steps done, (\d+) not begun, because it was interrupted/.exec(shown) ?? [];
		expect([code, Number(done) + Number(left)], shown).toEqual([130, 40]);
		expect(await stored()).toBe(Number(done));
		const rest = await atTerminal(apply(file), [[/\[y\/N\] /, 'y\r']]);
		expect([rest.code, await stored()]).toEqual([0, 40]);
	});
});
