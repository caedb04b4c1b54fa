import type { toComponentSchemas } from './json-schema.ts';
import { messageComponents } from './schemas/message.ts';

/** The schemas of the document by their names. */
type DocumentSchemas = ReturnType<typeof toComponentSchemas>;

/** The headers of Standard Webhooks. */
const signatureHeaders = [
	['webhook-id', 'Names the message. It stays the same when the message is sent again.', true],
	['webhook-timestamp', 'When it was sent, in seconds since 1970.', true],
	[
		'webhook-signature',
		'A signature for each secret: `v1,` and HMAC-SHA256 in base64 of id, timestamp and body with points between them. Absent without secrets.',
		false,
	],
] as const;

/** Returns the messages that the service posts to an address, as webhooks of the document. */
export function webhooksOf(schemas: DocumentSchemas) {
	return {
		alarms: webhook('Alarms', 'receiveAlarms', 'Receive a message about alarms', inlined('AlarmMessage', schemas)),
		report: webhook(
			'Reports',
			'receiveReport',
			'Receive the first numbers of a day of a report',
			inlined('ReportMessage', schemas),
		),
	};
}

/**
 * Returns the schemas that paths refer to. Those of messages are written out in the webhooks: generators drop a schema to which only a webhook
 * refers, and then cannot compile.
 */
export function schemasOfPaths(schemas: DocumentSchemas): DocumentSchemas {
	return Object.fromEntries(Object.entries(schemas).filter(([name]) => !Object.hasOwn(messageComponents, name)));
}

/** Returns a schema of a message with the schemas of messages that it refers to. */
function inlined(name: keyof typeof messageComponents, schemas: DocumentSchemas): unknown {
	return JSON.parse(JSON.stringify(schemas[name]), (_, value: unknown) => {
		const reference = typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref).split('/').at(-1) : '';
		return reference === 'MessageAlarm' || reference === 'MessageNumber' || reference === 'MessageRise'
			? inlined(reference, schemas)
			: value;
	});
}

function webhook(tag: string, operationId: string, summary: string, schema: unknown) {
	return {
		post: {
			operationId,
			tags: [tag],
			summary,
			description:
				'Is posted to the address that the installation sets, signed by Standard Webhooks (https://www.standardwebhooks.com).',
			security: [],
			parameters: signatureHeaders.map(([name, description, required]) => ({
				name,
				in: 'header',
				description,
				required,
				schema: { type: 'string' },
			})),
			requestBody: { required: true, content: { 'application/json': { schema } } },
			responses: {
				200: { description: 'The message was accepted.' },
				400: { description: 'It was not. It is sent again, as after any other answer but 2xx.' },
			},
		},
	};
}
