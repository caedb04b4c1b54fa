import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { deployOptions, esbuildDefaults, writeBundles } from '#infra/aws/bundle.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { whole } from '#infra/cli/options.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { type FunctionName, functionNames } from '#shared/contract.ts';

const pc = coloursFor(process.stdout);

/** Environment variables that a function reads while it loads, when their values do not matter. */
const variables = `AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY CANARY_DATABASE CANARY_EMAIL CANARY_SCHEMA CANARY_TOKEN_SECRET ENDPOINT
	ENVIRONMENT IDP_TOKEN_SECRET INFLUX_ORG INFLUX_TOKEN_SECRET KEY_RING TABLE_ALARM_EVENTS TABLE_ALARM_STATES TABLE_BOARDS TABLE_CHANGES
	TABLE_EVALUATIONS TABLE_IDEMPOTENCY TABLE_MACHINES TABLE_OWNERS TABLE_PANELS TABLE_PEOPLE TABLE_REPORT_DAYS TABLE_SIGN_IN_FAILURES TABLE_USERS TABLE_VARIABLES`;

/** Addresses at which nothing answers: a function requests its secret while it loads. */
const addresses = 'AUTH_URL AWS_ENDPOINT_URL INFLUX_URL SERVICE_URL TOKEN_ISSUER';

const env = {
	...Object.fromEntries(variables.split(/\s+/).map((name) => [name, 'none'])),
	...Object.fromEntries(addresses.split(' ').map((name) => [name, 'http://127.0.0.1:9'])),
	AWS_REGION: 'us-east-1',
	ALARM_EVENT_DAYS: '400',
	CHANGE_DAYS: '1825',
	ALARM_TOPIC_ARN: 'none',
	AWS_LAMBDA_FUNCTION_NAME: 'none',
	DEFAULT_ROLE: 'engineer',
	IDP_PRODUCT_ID: '1',
	UNOWNED_DATA: 'claim',
	WORKER_FUNCTION: 'none',
};

/** A script for a fresh process: prints how long it takes to load a bundle, in milliseconds. */
const timeImport =
	'const t = performance.now(); require(process.argv[1]); process.stdout.write(String(performance.now() - t)); process.exit()';

/** The largest share of esbuild's defaults that a function may take (test/bench/README.md#budgets). */
const budget = { name: 'multipleDataTsdb', bytes: 0.45, ms: 0.5 } as const;

/** The measurements of one function's bundles. */
type BundleComparison = Awaited<ReturnType<typeof measure>>[number];

/** `npm run bundles`: compares the deployed bundles with bundles of the same source by esbuild's defaults. */
const program = new Command('bundles')
	.description('Prints the size of each function’s bundle and how long it takes to load, against esbuild’s defaults.')
	.option('--runs <number>', 'processes for each bundle', whole(1, 1000), 11)
	.action(async ({ runs }: { runs: number }) => {
		const comparisons = await measure(runs);
		console.table(Object.fromEntries(comparisons.map((comparison) => [comparison.name, rowOf(comparison)])));
		console.log(pc.dim(`Import time: the median of ${runs} fresh processes of Node ${process.versions.node} for each bundle.`));
		checkBudget(comparisons);
	});

await runTool(program);

/** Bundles all functions both ways and loads each bundle `runs` times, in turn, so that other load on the machine affects all alike. */
async function measure(runs: number) {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-bundles-'));
	const [deployed, byDefault] = [join(folder, 'deployed'), join(folder, 'default')];
	try {
		await writeBundles(deployed, deployOptions);
		await writeBundles(byDefault, esbuildDefaults);
		const comparisons = functionNames.map((name) => ({
			name,
			deployed: bundleIn(deployed, name),
			byDefault: bundleIn(byDefault, name),
		}));
		const bar = new SingleBar({ format: 'loading {bar} {value}/{total}', stream: process.stderr });
		bar.start(runs * comparisons.length, 0);
		for (let run = 0; run < runs; run += 1)
			for (const comparison of comparisons) {
				for (const { file, importMs } of [comparison.deployed, comparison.byDefault])
					importMs.push(
						Number(
							execFileSync(process.execPath, ['-e', timeImport, file], {
								env: { ...env, ENDPOINT: comparison.name },
								encoding: 'utf8',
							}),
						),
					);
				bar.increment();
			}
		bar.stop();
		return comparisons;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A bundle, without measured import times yet. */
function bundleIn(folder: string, name: FunctionName) {
	const file = join(folder, name, 'index.js');
	const importMs: number[] = [];
	return { file, bytes: statSync(file).size, importMs };
}

/** The size and the import time of a deployed bundle as shares of the default bundle's. */
function shareOf({ deployed, byDefault }: BundleComparison) {
	const ms = medianOf(deployed.importMs) / medianOf(byDefault.importMs);
	return { bytes: deployed.bytes / byDefault.bytes, ms };
}

function medianOf(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The measurements as they are printed. */
function rowOf(comparison: BundleComparison) {
	const { bytes, importMs } = comparison.deployed;
	const share = shareOf(comparison);
	const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
	const [size, time] = [rounded(bytes / 1000, 1), rounded(medianOf(importMs), 1)];
	return { KB: size, 'of default KB': rounded(share.bytes, 2), 'import ms': time, 'of default ms': rounded(share.ms, 2) };
}

/** Prints whether the budget is kept, and sets the exit code. */
function checkBudget(comparisons: readonly BundleComparison[]): void {
	const measured = comparisons.find(({ name }) => name === budget.name);
	if (measured === undefined) throw new Error(`${budget.name} was not measured.`);
	const { bytes, ms } = shareOf(measured);
	const isKept = bytes <= budget.bytes && ms <= budget.ms;
	const shares = `${bytes.toFixed(3)}x bytes (at most ${budget.bytes}x), ${ms.toFixed(3)}x import time (at most ${budget.ms}x)`;
	console.log(`${isKept ? pc.green('OK') : pc.red('NO')} ${budget.name}: ${shares}`);
	if (!isKept) process.exitCode = 1;
}
