import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import * as v from 'valibot';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { scanFile } from './csv-file.ts';
import { planColumns } from './csv-samples.ts';
import { ReplayFailure } from './failure.ts';
import { createProgress } from './progress.ts';
import { sendRows } from './send-rows.ts';
import { createSender } from './sender.ts';
import { emptyOutcome, pluralize, summaryLines } from './summary.ts';

function positive(text: string): number {
	const number = Number(text);
	if (text.trim() === '' || !(number > 0 && Number.isFinite(number)))
		throw new InvalidArgumentError('It must be a number above 0.');
	return number;
}

function whole(text: string): number {
	if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999.');
	return Number(text);
}

function address(text: string): URL {
	const url = URL.parse(text);
	if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('It must be an http or https address.');
	return url;
}

function filledText(text: string): string {
	if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
	return text;
}

const optionsSchema = v.object({
	bucket: v.string(),
	topic: v.string(),
	field: v.string(),
	timeColumn: v.string(),
	url: v.instance(URL),
	token: v.string(),
	org: v.string(),
	shiftToNow: v.boolean(),
	rate: v.optional(v.number()),
	retries: v.number(),
});

type Options = v.InferOutput<typeof optionsSchema>;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @returns the exit code: 0 where the server took points, 1 where it took none, 130 where it was interrupted */
async function replay(file: string, options: Options): Promise<number> {
	const { url, rate, retries, shiftToNow, timeColumn } = options;
	const survey = await scanFile(file, (header) => planColumns(header, options).timeIndex);
	const plan = planColumns(survey.header, options);
	if (survey.newestMs === null)
		throw new ReplayFailure(
			survey.rows === 0
				? `${file} has no rows below its header.`
				: `${file} has no time that can be read in column ${timeColumn}.`,
		);
	const shiftMs = shiftToNow ? Date.now() - survey.newestMs : 0;
	const interrupted = new AbortController();
	process.once('SIGINT', () => interrupted.abort());

	say(`Sending ${pluralize(survey.rows, 'row')} of ${file} to bucket ${options.bucket} at ${url.origin}.`);
	const progress = createProgress(process.stderr, survey.rows, Date.now);
	const sender = createSender(options, { retries, retrying: (reason) => progress.note(pc.yellow(`Trying again: ${reason}`)) });
	const outcome = emptyOutcome();
	const { signal } = interrupted;
	try {
		await sendRows({ file, plan, shiftMs, rate, sender, progress, outcome, now: Date.now, signal });
	} catch (error) {
		if (!(error instanceof ReplayFailure) || outcome.points === 0) throw error;
		throw new ReplayFailure(`${error.message} (${pluralize(outcome.points, 'point')} had been sent before)`);
	} finally {
		progress.stop();
		sender.close();
	}
	const [sent = '', ...skipped] = summaryLines(plan, outcome);
	say(outcome.points > 0 ? pc.green(sent) : pc.red(sent));
	for (const line of skipped) say(line);
	if (signal.aborted) {
		say(pc.yellow('Interrupted.'));
		return 130;
	}
	return outcome.points > 0 ? 0 : 1;
}

const command = new Command('replay')
	.description("Sends every numeric column of a CSV as a series to an InfluxDB 2.x write API. Times without a zone are UTC's.")
	.argument('<file>', 'CSV with a first row of column names')
	.requiredOption('--bucket <name>', 'the bucket (database) to write to', filledText)
	.requiredOption('--topic <pattern>', 'topic of each series, {column} being the name of its column', filledText)
	.requiredOption('--field <name>', 'field of each series', filledText)
	.requiredOption('--time-column <name>', 'the column that holds the time', filledText)
	.option('--url <address>', 'address of the server', address, new URL(`http://127.0.0.1:${readLocalSettings().PORT}`))
	.option('--token <token>', 'token that may write', 'demo-write-token')
	.option('--org <name>', 'organization', 'caudal')
	.option('--shift-to-now', 'move all times so that the newest row is now', false)
	.option('--rate <number>', 'play at so many times real speed (as fast as it goes without)', positive)
	.option('--retries <number>', 'how often a failed request is sent again', whole, 5)
	.action(async (file: string, options: unknown) => {
		process.exitCode = await replay(file, v.parse(optionsSchema, options));
	});

try {
	await command.parseAsync();
} catch (error) {
	if (!(error instanceof ReplayFailure)) throw error;
	process.stderr.write(`${pc.red(error.message)}\n`);
	process.exitCode = 1;
}
