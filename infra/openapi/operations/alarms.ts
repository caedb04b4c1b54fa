import { acknowledged, acknowledgement, alarmState, journal, shelf, shelvedAlarm } from '../examples/alarms.ts';
import type { ApiOperation } from '../operation.ts';

/** What shelving answers while the time-series database does not; a part of two descriptions. */
const withoutDatabase =
	'Where the time-series database does not answer, `value` is null with the quality `skipped`, and the change is made nevertheless.';

/** The operations on the states of alarms. */
export const alarmOperations = {
	ackAlarms: {
		id: 'acknowledgeAlarms',
		tag: 'Alarms',
		summary: 'Acknowledge alarms',
		description:
			'Acknowledges the occurrences that a user has seen, and those before them. An alarm that was raised again since stays unacknowledged, and `result` says so. A retry is harmless, so this operation needs no idempotency key. After an error, some of the alarms may be acknowledged: send all of them again.',
		request: {
			schema: 'AcknowledgementInput',
			required: true,
			examples: { two: { summary: 'Two alarms', value: acknowledgement } },
		},
		answer: {
			description: 'What became of each alarm, in the order of the request.',
			schema: 'AcknowledgementAnswer',
			examples: { two: { summary: 'One was raised again since', value: { data: acknowledged } } },
		},
	},
	shelveAlarm: {
		id: 'shelveAlarm',
		tag: 'Alarms',
		summary: 'Shelve an alarm',
		description: `Tells nobody about an alarm for some minutes. It is still evaluated and listed, and the shelf ends by itself. A second shelf replaces the first. ${withoutDatabase}`,
		parameters: ['IdempotencyKey'],
		request: { schema: 'ShelfInput', required: true, examples: { hour: { summary: 'For an hour', value: shelf } } },
		answer: {
			description: 'The alarm as it is listed.',
			schema: 'ShelvingAnswer',
			examples: { shelved: { summary: 'A shelved alarm', value: { data: shelvedAlarm } } },
		},
		others: { 404: 'NotFound' },
	},
	unshelveAlarm: {
		id: 'unshelveAlarm',
		tag: 'Alarms',
		summary: 'End the shelf of an alarm',
		description: `Ends the shelf of an alarm before its time. An alarm that is active and not acknowledged is told then. Where the alarm is not shelved, nothing changes. ${withoutDatabase}`,
		parameters: ['IdempotencyKey'],
		answer: {
			description: 'The alarm as it is listed.',
			schema: 'ShelvingAnswer',
			examples: {
				unshelved: {
					summary: 'An alarm that is not shelved',
					value: { data: { ...shelvedAlarm, shelvedUntil: null, shelvedBy: null, reason: null, actors: alarmState.actors } },
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	alarmEvents: {
		id: 'listAlarmEvents',
		tag: 'Alarms',
		summary: 'Read the journal of alarms',
		description:
			'Lists what happened to alarms, newest first. A page of one alarm may be short or empty and still have a `next`: go on while there is one.',
		parameters: ['EventStart', 'EventEnd', 'EventAlarm', 'EventLimit', 'EventAfter'],
		answer: {
			description: 'A page of the journal.',
			schema: 'JournalPage',
			examples: { first: { summary: 'The newest entries', value: { data: journal, next: null } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
