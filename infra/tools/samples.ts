import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { filledText } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { type ExportCounts, exportLines } from '#infra/local/adapters/sqlite-time-series/export-lines.ts';
import { stateFiles } from '#infra/local/wiring/state.ts';
import { ConfigError } from '#shared/config.ts';
import { localStateDirectory } from './stores.ts';

const timeSchema = v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse));

const optionsSchema = v.object({ database: v.string(), start: v.number(), stop: v.number() });

/** Reads a time as epoch milliseconds. @throws InvalidArgumentError when it is none in ISO 8601 with an offset */
function timeOption(text: string): number {
	const time = v.safeParse(timeSchema, text);
	if (!time.success) throw new InvalidArgumentError('It must be a time such as 2026-11-29T00:00:00Z.');
	return time.output;
}

/** `npm run samples`: writes samples of this machine as line protocol (infra/local/OPERATING.md#leaving-for-aws). */
const program = new Command('samples').description('Works on the samples of the service in STATE_DIR, which may be running.');

program
	.command('export')
	.description('Prints the samples of a database as line protocol in nanoseconds, which write APIs of InfluxDB take.')
	.requiredOption('--database <name>', 'the tenant’s database', filledText)
	.option('--start <time>', 'the first time, in ISO 8601', timeOption, Number.MIN_SAFE_INTEGER)
	.option('--stop <time>', 'the time that ends the export', timeOption, Number.MAX_SAFE_INTEGER)
	.action(async (input: unknown) => {
		const { database, ...range } = v.parse(optionsSchema, input);
		const counts: ExportCounts = { lines: 0, skippedSamples: 0, skippedSeries: [] };
		const file = join(localStateDirectory(), stateFiles.databases[1]);
		if (!existsSync(file)) throw new ConfigError(`There are no series in ${file}: set STATE_DIR to the folder of the service.`);
		await pipeline(Readable.from(exportLines(file, database, range, counts)), process.stdout);
		const { lines, skippedSamples, skippedSeries } = counts;
		print(`${lines} samples of ${database}`, process.stderr);
		if (skippedSamples > 0) print(`${skippedSamples} are left out: texts, and integers beyond 2^53`, process.stderr);
		for (const name of skippedSeries) print(`left out, because line protocol has no such name: ${name}`, process.stderr);
	});

await runTool(program);
