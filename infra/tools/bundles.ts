import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import * as v from 'valibot';
import { bundle, byDefault, deployed } from '#infra/aws/bundle.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';

/** What every function's environment could name: made up. */
const environment = {
	ENDPOINT: 'bundles',
	ENVIRONMENT: 'bundles',
	// A function asks for its secret while it loads: nobody answers.
	AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
	AWS_REGION: 'us-east-1',
	AWS_ACCESS_KEY_ID: 'none',
	AWS_SECRET_ACCESS_KEY: 'none',
	TABLE_VARIABLES: 'none',
	TABLE_PANELS: 'none',
	TABLE_BOARDS: 'none',
	TABLE_USERS: 'none',
	TABLE_IDEMPOTENCY: 'none',
	TABLE_SIGN_IN_FAILURES: 'none',
	INFLUX_URL: 'http://127.0.0.1:9',
	INFLUX_ORG: 'none',
	INFLUX_TOKEN_SECRET: 'none',
	AUTH_URL: 'http://127.0.0.1:9',
	IDP_TOKEN_SECRET: 'none',
	IDP_PRODUCT_ID: '1',
	KEY_RING: 'none',
	TOKEN_ISSUER: 'http://127.0.0.1:9',
};

/** What the first request of a cold function waits for, but for Node itself: milliseconds. */
const timed =
	'const t = performance.now(); require(process.argv[1]); process.stdout.write(String(performance.now() - t)); process.exit()';

const importMs = (file: string): number =>
	Number(execFileSync(process.execPath, ['-e', timed, file], { env: environment, encoding: 'utf8' }));

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A way of bundling, as measured for one function. */
interface Measured {
	readonly bytes: number;
	readonly ms: number;
}

const ways = { deployed, byDefault } as const;

type Way = keyof typeof ways;

async function write(folder: string, way: Way): Promise<void> {
	for (const { path, contents } of await bundle(ways[way])) {
		const file = join(folder, way, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, contents);
	}
}

/** Measures both ways of every function in turn, `runs` times each: whatever else the machine does meets all of them alike. */
async function measure(names: readonly EndpointName[], runs: number): Promise<ReadonlyMap<EndpointName, Record<Way, Measured>>> {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-bundles-'));
	try {
		await write(folder, 'deployed');
		await write(folder, 'byDefault');
		const fileOf = (way: Way, name: EndpointName) => join(folder, way, name, 'index.js');
		const times = new Map(names.map((name) => [name, { deployed: [] as number[], byDefault: [] as number[] }]));
		const bar = new SingleBar({ format: 'loading {bar} {value}/{total}', stream: process.stderr });
		bar.start(runs * names.length, 0);
		for (let run = 0; run < runs; run += 1)
			for (const [name, { deployed: ours, byDefault: theirs }] of times) {
				ours.push(importMs(fileOf('deployed', name)));
				theirs.push(importMs(fileOf('byDefault', name)));
				bar.increment();
			}
		bar.stop();
		const size = (way: Way, name: EndpointName) => statSync(fileOf(way, name)).size;
		return new Map(
			[...times].map(([name, { deployed: ours, byDefault: theirs }]) => [
				name,
				{
					deployed: { bytes: size('deployed', name), ms: medianOf(ours) },
					byDefault: { bytes: size('byDefault', name), ms: medianOf(theirs) },
				},
			]),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function runsOf(text: string): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 1 || value > 1000)
		throw new InvalidArgumentError('Expected a whole number from 1 to 1000.');
	return value;
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

const cells = ['function', 'KB', 'of default', 'import ms', 'of default'] as const;

const widths = [22, 8, 12, 11, 12] as const;

const line = (columns: readonly string[]): string =>
	columns.map((text, index) => (index === 0 ? text.padEnd(widths[0]) : text.padStart(widths[index] ?? 0))).join('');

/** The largest share of esbuild's defaults that the hot function may take (design section 10). */
const budget = { name: 'multipleDataTsdb', bytes: 0.45, ms: 0.5 } as const;

const optionsSchema = v.object({ runs: v.number() });

/** `npm run bundles`: what is deployed, against the same source as esbuild bundles it by default. */
async function main(input: unknown): Promise<void> {
	const { runs } = v.parse(optionsSchema, input);
	const measured = await measure(
		endpoints.map(({ name }) => name),
		runs,
	);
	console.log(pc.bold(line(cells)));
	for (const [name, { deployed: ours, byDefault: theirs }] of measured)
		console.log(
			line([
				name,
				kilobytes(ours.bytes),
				`${(ours.bytes / theirs.bytes).toFixed(2)}x`,
				ours.ms.toFixed(1),
				`${(ours.ms / theirs.ms).toFixed(2)}x`,
			]),
		);
	console.log(
		pc.dim(`Import time: the median of ${runs} fresh processes of Node ${process.versions.node} for each way, in turn.`),
	);
	const hot = measured.get(budget.name);
	if (hot === undefined) throw new Error(`${budget.name} was not measured.`);
	const shares = { bytes: hot.deployed.bytes / hot.byDefault.bytes, ms: hot.deployed.ms / hot.byDefault.ms };
	const kept = shares.bytes <= budget.bytes && shares.ms <= budget.ms;
	const verdict = `${budget.name}: ${shares.bytes.toFixed(3)}x bytes (at most ${budget.bytes}x), ${shares.ms.toFixed(3)}x import time (at most ${budget.ms}x)`;
	console.log(`${kept ? pc.green('OK') : pc.red('NO')} ${verdict}`);
	if (!kept) process.exitCode = 1;
}

await new Command('bundles')
	.description('Prints the size of each function’s bundle and how long it takes to load, against esbuild’s defaults.')
	.option('--runs <number>', 'processes for each function and way', runsOf, 11)
	.action(main)
	.parseAsync();
