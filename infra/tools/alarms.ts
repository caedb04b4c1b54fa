import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { alarmSchema } from '#domain/board/alarm.ts';
import { DomainError } from '#domain/errors.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment, filledText } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import { localNotifier } from '#infra/local/wiring/local-notifier.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { ConfigError } from '#shared/config.ts';
import { invokeTask } from './invoke-task.ts';

const pc = coloursFor(process.stdout);

/** The service knows no more than that the message was accepted: only its readers know whether it arrived. */
const whomToAsk = 'Ask whoever should have got it.';

const { severity: severitySchema } = alarmSchema.entries;
const optionsSchema = v.object({ schema: v.string(), severity: severitySchema, env: v.optional(v.string()) });

/** `npm run alarms -- test-notification`: sends a test message, to show that messages about alarms arrive. */
const program = new Command('alarms').description('Says whether messages about alarms arrive.');

program
	.command('test-notification')
	.description(
		'sends a test message by the way that messages about alarms take: NOTIFY_URL and NOTIFY_FILE or the terminal, or with --env the topic',
	)
	.requiredOption('--schema <name>', 'the schema that the message names, for filter policies of subscribers', filledText)
	.option('--severity <severity>', 'the severity of the message: info, warning or critical', parseSeverity, 'critical')
	.option('--env <name>', 'an environment on AWS, instead of this machine', environment)
	.action(sendTest);

await runTool(program);

async function sendTest(input: unknown): Promise<void> {
	const options = v.parse(optionsSchema, input);
	const { schema, severity } = options;
	// The deployed function sends the message, so that its permission is tested as well.
	if (options.env !== undefined) await invokeTask(options.env, 'evaluateAlarms', { test: { schema, severity } });
	else await sendFromThisMachine(options);
	print(`${pc.green('The message was accepted.')} ${whomToAsk}`);
}

type TestMessage = Pick<v.InferOutput<typeof optionsSchema>, 'schema' | 'severity'>;

/** @throws ConfigError when an address does not accept the message, or nobody knows whether it did */
async function sendFromThisMachine({ schema, severity }: TestMessage): Promise<void> {
	const notifier = localNotifier(readLocalSettings(), createConsoleLog());
	await notifier.notify(testNotification(schema, severity, Date.now())).catch((error: unknown) => {
		if (!(error instanceof DomainError)) throw error;
		const reason = 'cause' in error.payload ? error.payload.cause : error.code;
		const isOutcomeUnknown = error.code === 'outcome_unknown' || error.code === 'dependency_slow';
		throw new ConfigError(
			isOutcomeUnknown
				? `It is not known whether the message arrived: ${reason}. ${whomToAsk}`
				: `The message was not accepted: ${reason}.`,
			{ cause: error },
		);
	});
}

function parseSeverity(text: string): string {
	if (!v.is(severitySchema, text)) throw new InvalidArgumentError(`It must be one of ${severitySchema.options.join(', ')}.`);
	return text;
}
