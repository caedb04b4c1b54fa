import { statSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText, httpAddress, positiveNumber, whole } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { ConfigError } from '#shared/config.ts';
import { decimalSigns } from './cell-numbers.ts';
import { checkFile } from './check-file.ts';
import { openCsv } from './csv-file.ts';
import { type DataPoint, planColumns } from './csv-samples.ts';
import { createProgress } from './progress.ts';
import { sendRows } from './send-rows.ts';
import { createBucket, sendBatch } from './sender.ts';
import { newTotals, summaryLines } from './summary.ts';
import { createCellTimeReader } from './time.ts';

const pc = coloursFor(process.stdout);

/** What to do with rows whose series and time occurred before. */
const repeatedChoices = ['refuse', 'keep'] as const;

const optionsSchema = v.object({
	bucket: v.string(),
	topic: v.string(),
	field: v.string(),
	timeColumn: v.string(),
	seriesColumn: v.optional(v.string()),
	valueColumn: v.optional(v.string()),
	qualityColumn: v.optional(v.string()),
	good: v.array(v.string()),
	delimiter: v.optional(v.string()),
	decimal: v.optional(v.picklist(decimalSigns)),
	encoding: v.optional(v.string()),
	repeated: v.picklist(repeatedChoices),
	timeFormat: v.optional(v.string()),
	timeZone: v.optional(v.string()),
	url: v.instance(URL),
	token: v.string(),
	org: v.string(),
	create: v.boolean(),
	shiftToNow: v.boolean(),
	rate: v.optional(v.number()),
	retries: v.number(),
});

const defaultRetries = 5;

type ReplayOptions = v.InferOutput<typeof optionsSchema>;

/** `npm run replay -- FILE`: sends a CSV file to a time-series database. */
const program = new Command('replay')
	.description('Sends every numeric column of a CSV as a series to an InfluxDB 2.x write API.')
	.argument('<file>', 'CSV with a first row of column names')
	.requiredOption('--bucket <name>', 'the bucket (database) to write to', filledText)
	.requiredOption('--topic <pattern>', 'topic of each series, {column} being the name of its column or series', filledText)
	.requiredOption('--field <name>', 'field of each series', filledText)
	.requiredOption('--time-column <name>', 'the column that holds the time', filledText)
	.option(
		'--time-format <format>',
		'format of the time, such as "DD/MM/YY HH", excel, X or x for epoch seconds or milliseconds (default: ISO 8601 or an epoch number)',
		filledText,
	)
	.option('--time-zone <name>', 'IANA zone of times without an offset, such as Europe/Madrid (default: UTC)', filledText)
	.option('--series-column <name>', 'the column that names the series, in a file of one row a value', filledText)
	.option('--value-column <name>', 'the column that holds the value, with --series-column', filledText)
	.option('--quality-column <name>', 'the column that says which rows are good; others are skipped', filledText)
	.option('--good <words...>', 'what the quality column says of good rows', ['good'])
	.option('--delimiter <character>', 'what separates cells, such as ";" or tab (default: as the header shows)', delimiter)
	.addOption(new Option('--decimal <sign>', 'decimal sign of numbers (default: as they show)').choices(decimalSigns))
	.option('--encoding <name>', 'encoding of the file, such as windows-1252 (default: UTF-8, or as its mark says)', encoding)
	.addOption(
		new Option('--repeated <what>', 'rows with the series and time of an earlier row: send none of the file, or the last of them')
			.choices(repeatedChoices)
			.default('refuse'),
	)
	.option('--url <address>', 'address of the server', httpAddress, new URL(`http://127.0.0.1:${readLocalSettings().PORT}`))
	.option('--token <token>', 'token that may write', 'demo-write-token')
	.option('--org <name>', 'organization', 'caudal')
	.option('--create', 'create the bucket where there is none', false)
	.option('--shift-to-now', 'move all times so that the newest row is now', false)
	.option('--rate <number>', 'play at this multiple of real speed (default: as fast as possible)', positiveNumber)
	.option('--retries <number>', 'how often a failed request is sent again', whole(0, 999), defaultRetries)
	.action(async (file: string, options: unknown) => {
		process.exitCode = await replay(file, v.parse(optionsSchema, options));
	});

await runTool(program);

/** Parses a delimiter: one character, or `tab`. */
function delimiter(text: string): string {
	const character = ['tab', '\\t'].includes(text) ? '\t' : text;
	if (/^[^"\r\n]$/.test(character)) return character;
	throw new InvalidArgumentError('It must be one character, or tab.');
}

/** Parses the name of an encoding that TextDecoder knows. */
function encoding(text: string): string {
	try {
		return new TextDecoder(text).encoding;
	} catch {
		throw new InvalidArgumentError('It must be an encoding, such as windows-1252 or utf-16le.');
	}
}

/** Returns the exit code: 0 when the server took points, 1 when it took none, 130 when interrupted. */
async function replay(file: string, options: ReplayOptions): Promise<number> {
	const nowMs = Date.now();
	const reading = { ...options, nowMs, readTime: createCellTimeReader({ ...options, nowMs }) };
	const checked = await checkFile(file, reading);
	const csv = await openCsv(file, { ...reading, delimiter: checked.delimiter });
	const plan = planColumns(csv.header, reading);
	const shiftMs = options.shiftToNow ? Date.now() - checked.newestMs : 0;
	const interruption = new AbortController();
	process.once('SIGINT', () => interruption.abort());
	const { signal } = interruption;

	if (options.create && (await createBucket(options))) print(`Created bucket ${options.bucket}.`);
	for (const note of checked.notes) print(note);
	print(`Sending ${file} to bucket ${options.bucket} at ${options.url.origin}.`);
	const progress = createProgress(process.stderr, statSync(file).size);
	const onRetry = (reason: string) => progress.note(coloursFor(process.stderr).yellow(`Trying again: ${reason}`));
	const send = (points: readonly DataPoint[]) => sendBatch(options, points, onRetry);
	const totals = newTotals();
	try {
		await sendRows({ csv, plan, reading, checked, shiftMs, rate: options.rate, send, progress, totals, now: Date.now, signal });
	} catch (error) {
		if (!(error instanceof ConfigError) || totals.points === 0) throw error;
		throw new ConfigError(`${error.message} (${pluralize(totals.points, 'point')} had been sent before)`);
	} finally {
		progress.stop();
	}
	const [sentLine = '', ...skippedLines] = summaryLines(plan, totals);
	print(totals.points > 0 ? pc.green(sentLine) : pc.red(sentLine));
	for (const line of skippedLines) print(line);
	if (!signal.aborted) return totals.points > 0 ? 0 : 1;
	print(pc.yellow('Interrupted.'));
	return 130;
}
