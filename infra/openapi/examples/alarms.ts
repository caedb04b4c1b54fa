import { savedAlarm } from './boards.ts';

/** Who shelved the alarm. */
const operator = { kind: 'person', id: 'operator@plant-a.example', name: 'operator@plant-a.example' } as const;

/** An active alarm as `GET /getAlarms` lists it. */
export const alarmState = {
	...savedAlarm,
	active: true,
	value: 1.74,
	quality: 'good',
	state: 'active_unacknowledged',
	since: '2026-11-21T09:58:20.000Z',
	cause: 'condition',
	occurrence: 3,
	acknowledgedBy: null,
	acknowledgedAt: null,
	shelvedUntil: null,
	shelvedBy: null,
	reason: null,
	uncertainSince: null,
	actors: { acknowledgedBy: null, shelvedBy: null },
} as const;

/** The same alarm after it was shelved. */
export const shelvedAlarm = {
	...alarmState,
	shelvedUntil: '2026-11-21T11:00:00.000Z',
	shelvedBy: operator.name,
	actors: { acknowledgedBy: null, shelvedBy: operator },
	reason: 'The sensor is being replaced.',
} as const;

/** How far the alarms are evaluated. */
export const evaluation = { until: '2026-11-21T09:59:45.000Z', status: 'ok', unbound: 0 } as const;

/** Alarms to acknowledge. */
export const acknowledgement = {
	alarms: [
		{ id: 32, occurrence: 3 },
		{ id: 33, occurrence: 1 },
	],
	comment: 'A distribution pump is started.',
} as const;

/** The results of that acknowledgement: the second alarm was raised again since. */
export const acknowledged = [
	{ id: 32, result: 'acknowledged', state: 'active_acknowledged', occurrence: 3 },
	{ id: 33, result: 'newer', state: 'active_unacknowledged', occurrence: 2 },
] as const;

/** How long an alarm is shelved. */
export const shelf = { minutes: 60, reason: 'The sensor is being replaced.' } as const;

/** The alarm as entries of the journal repeat it. */
const journaledAlarm = {
	name: savedAlarm.name,
	severity: savedAlarm.severity,
	message: savedAlarm.message,
	condition: savedAlarm.condition,
	threshold: savedAlarm.threshold,
	unit: 'm',
	version: 1,
} as const;

/** Entries of the journal, newest first. The letter in an id tells the writer: `o` for an operator, `p` for the evaluation. */
export const journal = [
	{
		id: '1795255185123#0000000000000032#o0000000002',
		time: '2026-11-21T09:59:45.123Z',
		recordedAt: '2026-11-21T09:59:45.123Z',
		alarmId: 32,
		occurrence: 3,
		kind: 'acknowledged',
		cause: null,
		value: null,
		quality: null,
		inputs: [],
		user: operator.name,
		actors: { user: operator },
		comment: 'A distribution pump is started.',
		// The variable is not read for what operators do.
		alarm: { ...journaledAlarm, unit: null },
	},
	{
		id: '1795255100000#0000000000000032#p0000000005',
		time: '2026-11-21T09:58:20.000Z',
		recordedAt: '2026-11-21T09:59:02.480Z',
		alarmId: 32,
		occurrence: 3,
		kind: 'raised',
		cause: 'condition',
		value: 1.98,
		quality: 'good',
		inputs: [],
		user: null,
		actors: { user: null },
		comment: null,
		alarm: journaledAlarm,
	},
] as const;
