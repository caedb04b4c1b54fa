import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { deployOptions, esbuildDefaults, writeBundles } from '#infra/aws/bundle.ts';
import { providersFile } from '#infra/aws/openid-providers.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { whole } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError } from '#shared/config.ts';
import { type FunctionName, functionNames } from '#shared/contract.ts';

const pc = coloursFor(process.stdout);

/** The largest share of esbuild's defaults that a function may take (test/bench/README.md#budgets). */
const budget = { name: 'multipleDataTsdb', bytesShare: 0.46, msShare: 0.55 } as const;

/** Processes that load each bundle. The number is odd, so that one of the times is the median. */
const defaultRuns = 11;

interface MeasuredBundle {
	readonly file: string;
	readonly bytes: number;
	/** One import time for each process that has loaded the bundle. */
	readonly importMs: number[];
}

/** The measurements of one function: of the bundle that is deployed, and of one of the same source by esbuild's defaults. */
interface BundleComparison {
	readonly name: FunctionName;
	readonly deployed: MeasuredBundle;
	readonly byDefault: MeasuredBundle;
}

/** `npm run bundles`: compares the deployed bundles with bundles of the same source by esbuild's defaults. */
const program = new Command('bundles')
	.description('Prints the size of each function’s bundle and how long it takes to load, against esbuild’s defaults.')
	.argument('[names...]', 'functions; by default all')
	.option('--runs <number>', 'processes for each bundle', whole(1, 1000), defaultRuns)
	.action(async (given: readonly string[], { runs }: { runs: number }) => {
		const comparisons = await measure(namesFrom(given), runs);
		console.table(Object.fromEntries(comparisons.map((comparison) => [comparison.name, rowOf(comparison)])));
		print(pc.dim(`Import time: the median of ${runs} fresh processes of Node ${process.versions.node} for each bundle.`));
		checkBudget(comparisons);
	});

await runTool(program);

/** Returns the functions with these names; all where none is given. @throws ConfigError when there is no such function */
function namesFrom(given: readonly string[]): readonly FunctionName[] {
	const unknown = given.filter((name) => !functionNames.some((each) => each === name));
	if (unknown.length > 0) throw new ConfigError(`There is no function ${unknown.join(', ')}: npm run bundles prints all names.`);
	return given.length === 0 ? functionNames : functionNames.filter((name) => given.includes(name));
}

/** Bundles functions both ways and loads each bundle `runs` times, in turn, so that other load on the machine affects all alike. */
async function measure(names: readonly FunctionName[], runs: number): Promise<readonly BundleComparison[]> {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-bundles-'));
	const [deployed, byDefault] = [join(folder, 'deployed'), join(folder, 'default')];
	try {
		await writeBundles(deployed, deployOptions, names);
		await writeBundles(byDefault, esbuildDefaults, names);
		const comparisons = names.map((name) => ({
			name,
			deployed: bundleIn(deployed, name),
			byDefault: bundleIn(byDefault, name),
		}));
		const bar = new SingleBar({ format: 'loading {bar} {value}/{total}', stream: process.stderr });
		bar.start(runs * comparisons.length, 0);
		for (let run = 0; run < runs; run += 1)
			for (const comparison of comparisons) {
				for (const { file, importMs } of [comparison.deployed, comparison.byDefault])
					importMs.push(importTimeOf(file, comparison.name));
				bar.increment();
			}
		bar.stop();
		return comparisons;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A bundle, without measured import times yet. */
function bundleIn(folder: string, name: FunctionName): MeasuredBundle {
	const file = join(folder, name, 'index.js');
	return { file, bytes: statSync(file).size, importMs: [] };
}

/** Loads a bundle in a process of its own. Returns the time that this took, in milliseconds. */
function importTimeOf(file: string, name: FunctionName): number {
	const script =
		'const startMs = performance.now(); require(process.argv[1]); process.stdout.write(String(performance.now() - startMs)); process.exit()';
	const folder = dirname(file);
	// The CDK writes the list of OpenID providers there.
	writeFileSync(join(folder, providersFile), '[]');
	const options = { env: environmentOf(name, folder), encoding: 'utf8' } as const;
	return Number(execFileSync(process.execPath, ['-e', script, file], options));
}

/** Returns every environment variable that functions read while they load. */
function environmentOf(name: FunctionName, folder: string): Readonly<Record<string, string>> {
	const ofAnyValue = `ALARM_TOPIC_ARN AWS_ACCESS_KEY_ID AWS_LAMBDA_FUNCTION_NAME AWS_SECRET_ACCESS_KEY CANARY_DATABASE CANARY_EMAIL
		CANARY_SCHEMA CANARY_TOKEN_SECRET ENVIRONMENT IDP_TOKEN_SECRET INFLUX_ORG INFLUX_TOKEN_SECRET KEY_RING TABLE_ALARM_EVENTS
		TABLE_ALARM_STATES TABLE_BOARDS TABLE_CHANGES TABLE_EVALUATIONS TABLE_IDEMPOTENCY TABLE_MACHINES TABLE_OWNERS TABLE_PANELS
		TABLE_PEOPLE TABLE_REPORT_DAYS TABLE_SIGN_IN_FAILURES TABLE_USERS TABLE_VARIABLES WORKER_FUNCTION TABLE_GRANTS TABLE_SESSIONS
		TABLE_SESSION_TOKENS OPENID_SECRET_PREFIX`;
	const addresses = 'AUTH_URL AWS_ENDPOINT_URL INFLUX_URL SERVICE_URL TOKEN_ISSUER';
	// Nothing answers there: a function requests its secret while it loads, and must not wait for it.
	const unusedAddress = 'http://127.0.0.1:9';
	return {
		...Object.fromEntries(ofAnyValue.split(/\s+/).map((variable) => [variable, 'none'])),
		...Object.fromEntries(addresses.split(' ').map((variable) => [variable, unusedAddress])),
		ENDPOINT: name,
		AWS_REGION: 'us-east-1',
		ALARM_EVENT_DAYS: '400',
		CHANGE_DAYS: '1825',
		DEFAULT_ROLE: 'engineer',
		IDP_PRODUCT_ID: '1',
		UNOWNED_DATA: 'claim',
		OPENID_EXCHANGE: 'off',
		OPENID_HTTP: 'off',
		LOGIN_SSO: 'on',
		LAMBDA_TASK_ROOT: folder,
		OPENID_PROVIDERS: providersFile,
	};
}

/** Returns the size and the import time of a deployed bundle as shares of the default bundle's. */
function sharesOf({ deployed, byDefault }: BundleComparison) {
	const msShare = medianOf(deployed.importMs) / medianOf(byDefault.importMs);
	return { bytesShare: deployed.bytes / byDefault.bytes, msShare };
}

function medianOf(values: readonly number[]): number {
	// There is at least one value; the type of an element cannot say so.
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The measurements as they are printed. */
function rowOf(comparison: BundleComparison) {
	const { bytes, importMs } = comparison.deployed;
	const { bytesShare, msShare } = sharesOf(comparison);
	return {
		KB: Number((bytes / 1000).toFixed(1)),
		'of default KB': Number(bytesShare.toFixed(2)),
		'import ms': Number(medianOf(importMs).toFixed(1)),
		'of default ms': Number(msShare.toFixed(2)),
	};
}

/** Prints whether the budget is kept, and sets the exit code. Does nothing where its function was not measured. */
function checkBudget(comparisons: readonly BundleComparison[]): void {
	const measured = comparisons.find(({ name }) => name === budget.name);
	if (measured === undefined) return;
	const { bytesShare, msShare } = sharesOf(measured);
	const isKept = bytesShare <= budget.bytesShare && msShare <= budget.msShare;
	const shares = `${bytesShare.toFixed(3)}x bytes (at most ${budget.bytesShare}x), ${msShare.toFixed(3)}x import time (at most ${budget.msShare}x)`;
	print(`${isKept ? pc.green('OK') : pc.red('NO')} ${budget.name}: ${shares}`);
	if (!isKept) process.exitCode = 1;
}
