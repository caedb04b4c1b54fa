import type { AlarmEvent } from '#domain/alarm-rows/alarm-event.ts';
import { type EvaluatorState, noOperatorState, type OperatorState, type Outbox } from '#domain/alarm-rows/alarm-rows.ts';
import type { EventPageRequest } from '#domain/ports/alarm-store.ts';
import { person } from './origin.ts';

/** In the future: DynamoDB deletes expired events by its own clock. */
export const eventTime = Date.UTC(2100, 0, 1);

/** The state of an alarm that was never raised. */
export const makeEvaluatorState = (overrides: Partial<EvaluatorState> = {}): EvaluatorState => ({
	rowVersion: 1,
	basis: [1, 1],
	until: eventTime,
	on: false,
	pendingSince: null,
	uncertainSince: null,
	lastUsableAt: eventTime,
	silent: false,
	cause: null,
	since: null,
	occurrence: 0,
	seq: 0,
	value: null,
	...overrides,
});

/** The row of an operator who acknowledged the first occurrence. */
export const makeOperatorState = (overrides: Partial<OperatorState> = {}): OperatorState => ({
	...noOperatorState,
	rowVersion: 1,
	ackedOccurrence: 1,
	ackedBy: person('operator@plant-a.example'),
	// As an earlier release stored it.
	shelvedBy: 'operator@plant-a.example',
	ackedAt: eventTime,
	n: 1,
	...overrides,
});

/** An outbox row in which one event waits. */
export const makeOutbox = (overrides: Partial<Outbox> = {}): Outbox => ({
	rowVersion: 1,
	raises: 1,
	lastEvent: makeAlarmEvent(),
	urgent: true,
	firstAt: eventTime,
	sentAt: null,
	sentCause: null,
	sentOccurrence: 0,
	sentAcknowledged: 0,
	...overrides,
});

/** The first `raised` event of alarm 7. */
export const makeAlarmEvent = (overrides: Partial<AlarmEvent> = {}): AlarmEvent => ({
	time: eventTime,
	recordedAt: eventTime,
	alarmId: 7,
	origin: { writer: 'evaluator', number: 1 },
	occurrence: 1,
	kind: 'raised',
	cause: 'condition',
	value: 11.5,
	quality: 'good',
	inputs: [],
	user: null,
	comment: null,
	alarm: {
		name: 'High flow',
		severity: 'warning',
		message: 'Close the valve.',
		condition: '>',
		threshold: 10,
		unit: 'm3/h',
		version: 1,
	},
	...overrides,
});

/** The first page of the whole journal, of all alarms. */
export const makeEventPage = (overrides: Partial<EventPageRequest> = {}): EventPageRequest => ({
	start: 0,
	end: 9_999_999_999_999,
	alarmId: null,
	limit: 100,
	after: null,
	...overrides,
});
