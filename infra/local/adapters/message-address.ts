import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { alarmSchema } from '#domain/board/alarm.ts';
import { messageOf } from '#domain/errors.ts';
import { httpUrl, nonEmpty } from '#shared/config.ts';
import { webhookSecrets } from './webhook-signature.ts';

/** Every severity of an alarm. */
export const allSeverities = alarmSchema.entries.severity.options;

const severity = v.picklist(allSeverities, 'must be info, warning or critical.');

const common = {
	/** The severities of the alarms that the address gets. Those of reports are `info`. */
	severities: v.optional(v.pipe(v.array(severity, 'must be a list.'), v.nonEmpty('must name a severity.')), () => allSeverities),
};

/** The secrets of signatures in a file. */
const secretsFile = v.pipe(
	nonEmpty,
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		try {
			return readFileSync(dataset.value, 'utf8');
		} catch (error) {
			addIssue({ message: `cannot be read: ${messageOf(error)}` });
			return NEVER;
		}
	}),
	webhookSecrets,
);

/** Where messages are posted, and in which format (functions/README.md#formats). No message of a fault repeats a value, which may be a secret. */
export const addressSchema = v.variant(
	'format',
	[
		v.pipe(
			v.strictObject({
				...{ format: v.literal('caudal'), url: httpUrl, ...common },
				/** What signs the messages. Left out: they are not signed. */
				secrets: v.optional(webhookSecrets),
				secretsFile: v.optional(secretsFile),
			}),
			v.forward(
				v.check(
					({ secrets, secretsFile: file }) => secrets === undefined || file === undefined,
					'must not stand beside secrets.',
				),
				['secretsFile'],
			),
			v.transform(({ secrets, secretsFile: ofFile, ...address }) => ({ ...address, keys: secrets ?? ofFile ?? [] })),
		),
		v.strictObject({ format: v.literal('slack'), url: httpUrl, ...common }),
		v.strictObject({ format: v.literal('teams'), url: httpUrl, ...common }),
		v.strictObject({
			...{ format: v.literal('pagerduty'), url: v.optional(httpUrl, 'https://events.pagerduty.com/v2/enqueue'), ...common },
			/** The integration key of a service. */
			routingKey: nonEmpty,
		}),
		v.strictObject({
			...{ format: v.literal('telegram'), url: httpUrl, ...common },
			/** The number of a chat, or `@` and the name of a channel. */
			chatId: v.union([v.pipe(v.number(), v.safeInteger('must be a whole number.')), nonEmpty], 'must be a number or a name.'),
		}),
	],
	'must be caudal, slack, teams, pagerduty or telegram.',
);

/** Where messages are posted. The log says its name, never its address, which may be a secret. */
export type MessageAddress = v.InferOutput<typeof addressSchema> & { readonly name: string };
