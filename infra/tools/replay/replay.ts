import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import * as v from 'valibot';
import { dayMs } from '#domain/milliseconds.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText, httpAddress, positiveNumber, whole } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { ConfigError } from '#shared/config.ts';
import { type CsvFile, openCsv } from './csv-file.ts';
import { type ColumnMapping, type ColumnPlan, type DataPoint, planColumns, pointsOf, timeOf } from './csv-samples.ts';
import { formatsOf } from './known-formats.ts';
import { createProgress, type ReplayProgress } from './progress.ts';
import { createBucket, maxBatchPoints, type RefusedPoints, sendBatch } from './sender.ts';
import { newTotals, quoted, type ReplayTotals, summaryLines } from './summary.ts';
import { createCellTimeReader } from './time.ts';

const pc = coloursFor(process.stdout);

const optionsSchema = v.object({
	bucket: v.string(),
	topic: v.string(),
	field: v.string(),
	timeColumn: v.string(),
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

/** The longest wait of one timer: a day. Timers overflow at 2^31 ms. */
const maxWaitMs = dayMs;

const defaultRetries = 5;

/** A time on the clock that has always passed. */
const immediately = 0;

type ReplayOptions = v.InferOutput<typeof optionsSchema>;

/** `npm run replay -- FILE`: sends a CSV file to a time-series database. */
const program = new Command('replay')
	.description('Sends every numeric column of a CSV as a series to an InfluxDB 2.x write API.')
	.argument('<file>', 'CSV with a first row of column names')
	.requiredOption('--bucket <name>', 'the bucket (database) to write to', filledText)
	.requiredOption('--topic <pattern>', 'topic of each series, {column} being the name of its column', filledText)
	.requiredOption('--field <name>', 'field of each series', filledText)
	.requiredOption('--time-column <name>', 'the column that holds the time', filledText)
	.option(
		'--time-format <format>',
		'format of the time, such as "DD/MM/YY HH" (default: ISO 8601 or an epoch number)',
		filledText,
	)
	.option('--time-zone <name>', 'IANA zone of times without an offset, such as Europe/Madrid (default: UTC)', filledText)
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

/** Returns the exit code: 0 when the server took points, 1 when it took none, 130 when interrupted. */
async function replay(file: string, options: ReplayOptions): Promise<number> {
	const mapping = { ...options, readTime: createCellTimeReader(options) };
	const csv = await openCsv(file);
	const plan = planColumns(csv.header, mapping);
	const shiftMs = options.shiftToNow ? Date.now() - (await newestTime(file, mapping)) : 0;
	const interruption = new AbortController();
	process.once('SIGINT', () => interruption.abort());
	const { signal } = interruption;

	if (options.create && (await createBucket(options))) print(`Created bucket ${options.bucket}.`);
	print(`Sending ${file} to bucket ${options.bucket} at ${options.url.origin}.`);
	const progress = createProgress(process.stderr, statSync(file).size);
	const onRetry = (reason: string) => progress.note(coloursFor(process.stderr).yellow(`Trying again: ${reason}`));
	const send = (points: readonly DataPoint[]) => sendBatch(options, points, onRetry);
	const totals = newTotals();
	try {
		await sendRows({ csv, plan, shiftMs, rate: options.rate, send, progress, totals, now: Date.now, signal });
	} catch (error) {
		if (!(error instanceof ConfigError) || totals.points === 0) throw error;
		throw new ConfigError(`${error.message} (${pluralize(totals.points, 'point')} had been sent before)`);
	} finally {
		progress.stop();
	}
	const hasTimedRows = totals.rows + totals.numberlessRows > 0;
	if (!hasTimedRows && !signal.aborted)
		throw totals.untimedRows > 0
			? noTimes(file, options, totals.untimedExample)
			: new ConfigError(`${file} has no rows below its header.`);
	const [sentLine = '', ...skippedLines] = summaryLines(plan, totals);
	print(totals.points > 0 ? pc.green(sentLine) : pc.red(sentLine));
	for (const line of skippedLines) print(line);
	if (!signal.aborted) return totals.points > 0 ? 0 : 1;
	print(pc.yellow('Interrupted.'));
	return 130;
}

/** Reads a whole file for its newest time, epoch milliseconds. */
async function newestTime(file: string, mapping: ColumnMapping): Promise<number> {
	const { header, rows } = await openCsv(file);
	const plan = planColumns(header, mapping);
	let newestMs = Number.NEGATIVE_INFINITY;
	let firstCell: string | undefined;
	for await (const row of rows) {
		firstCell ??= row[plan.timeIndex] ?? '';
		newestMs = Math.max(newestMs, timeOf(plan, row) ?? newestMs);
	}
	if (newestMs === Number.NEGATIVE_INFINITY) throw noTimes(file, mapping, firstCell);
	return newestMs;
}

/** @param firstCell the first cell of the time column; undefined when there are no rows */
function noTimes(file: string, { timeColumn }: Pick<ColumnMapping, 'timeColumn'>, firstCell: string | undefined): ConfigError {
	const problem = `${file} has no time that can be read in column ${timeColumn}`;
	if (firstCell === undefined || firstCell.trim() === '') return new ConfigError(`${problem}.`);
	const formats = formatsOf(firstCell).map((format) => `--time-format ${JSON.stringify(format)}`);
	const remedy = formats.length === 0 ? 'Say how it is written with --time-format.' : `It fits ${formats.join(' and ')}.`;
	return new ConfigError(`${problem}: the first is ${quoted(firstCell)}. ${remedy}`);
}

/** The inputs of a replay, and the objects to which it reports. */
interface ReplayJob {
	readonly csv: CsvFile;
	readonly plan: ColumnPlan;
	/** Added to every time. */
	readonly shiftMs: number;
	/** Multiple of real speed; undefined sends as fast as possible. */
	readonly rate: number | undefined;
	readonly send: (points: readonly DataPoint[]) => Promise<RefusedPoints | undefined>;
	readonly progress: ReplayProgress;
	/** Updated while the replay goes on, so that they are right when an error ends the replay. */
	readonly totals: ReplayTotals;
	readonly now: () => number;
	/** Ends the replay with the rows read so far. */
	readonly signal: AbortSignal;
}

/**
 * Sends the rows of a CSV file in their order.
 * @throws ConfigError when the file cannot be read any further or the server takes no points
 */
async function sendRows({ csv, plan, shiftMs, rate, send, progress, totals, now, signal }: ReplayJob): Promise<void> {
	let pending: DataPoint[] = [];
	/** Sends one batch after the other, until fewer than `leastPoints` are left. */
	const sendPending = async ({ leastPoints }: { readonly leastPoints: number }): Promise<void> => {
		while (pending.length >= leastPoints) {
			const batch = pending.slice(0, maxBatchPoints);
			const refused = await send(batch);
			pending = pending.slice(maxBatchPoints);
			totals.points += batch.length - (refused?.points ?? 0);
			if (refused !== undefined) addRefused(totals, refused);
		}
		progress.update(csv.bytesRead(), totals);
	};
	let firstRow: { readonly timeMs: number; readonly readAtMs: number } | undefined;
	for await (const row of csv.rows) {
		if (signal.aborted) break;
		const timeMs = timeOf(plan, row);
		if (timeMs === null) {
			totals.untimedRows += 1;
			totals.untimedExample ??= row[plan.timeIndex] ?? '';
			continue;
		}
		const points = pointsOf(plan, row, timeMs + shiftMs);
		if (points.length === 0) {
			totals.numberlessRows += 1;
			continue;
		}
		firstRow ??= { timeMs, readAtMs: now() };
		const dueMs = rate === undefined ? immediately : firstRow.readAtMs + (timeMs - firstRow.timeMs) / rate;
		if (dueMs > now()) {
			await sendPending({ leastPoints: 1 });
			await waitUntil(dueMs, now, signal);
			if (signal.aborted) break;
		}
		totals.rows += 1;
		pending.push(...points);
		if (pending.length >= maxBatchPoints) await sendPending({ leastPoints: maxBatchPoints });
	}
	await sendPending({ leastPoints: 1 });
}

/** Adds refused points to those with the same message. Numbers in it are ignored: servers put their own counts there. */
function addRefused({ refused }: ReplayTotals, { points, isUpperBound, message }: RefusedPoints): void {
	const key = message.replace(/\d+/g, '');
	const earlier = refused.get(key);
	refused.set(key, {
		points: points + (earlier?.points ?? 0),
		isUpperBound: isUpperBound || (earlier?.isUpperBound ?? false),
		message,
	});
}

/** Waits until a time on the clock, or until the signal is aborted. */
async function waitUntil(timeMs: number, now: () => number, signal: AbortSignal): Promise<void> {
	while (now() < timeMs && !signal.aborted)
		// An abort rejects. It is no error: the condition of the loop ends the wait.
		await setTimeout(Math.min(timeMs - now(), maxWaitMs), undefined, { signal }).catch(() => undefined);
}
