import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import {
	type ActiveCause,
	activeCauses,
	type EvaluatorState,
	noOperatorState,
	type OperatorState,
	type Outbox,
} from '../alarm-rows/alarm-rows.ts';

/** Shortest time between two messages that are not urgent, and between two reminders of one alarm, in milliseconds. */
export const calmMs = 900_000;

const emptyOutbox: Outbox = {
	rowVersion: 0,
	raises: 0,
	lastEvent: null,
	urgent: false,
	firstAt: null,
	sentAt: null,
	sentCause: null,
	sentOccurrence: 0,
	sentAcknowledged: 0,
};

/**
 * Returns the outbox row of an alarm after new events. A `raised` event is urgent, unless a message told of the same cause less than
 * `calmMs` ago and nobody has acknowledged that occurrence. So a chattering alarm sends one message in that time.
 * @param stored null: not stored
 * @param operator null: no operator did anything with the alarm
 * @param events at least one, in the order in which they happened
 * @param now epoch milliseconds
 */
export function outboxWith(
	stored: Outbox | null,
	events: readonly AlarmEvent[],
	operator: OperatorState | null,
	now: number,
): Outbox {
	const outbox = stored ?? emptyOutbox;
	const raised = events.filter(({ kind }) => kind === 'raised');
	const hasNews = raised.some(({ cause }) => isNews(outbox, cause, operator, now));
	return {
		...outbox,
		rowVersion: outbox.rowVersion + 1,
		raises: outbox.raises + raised.length,
		lastEvent: events.at(-1) ?? outbox.lastEvent,
		// An urgent row stays urgent, and keeps the time since when it waits.
		...(outbox.urgent ? {} : urgency(hasNews, now)),
	};
}

/** The rows of an alarm that is active and not acknowledged. */
interface OpenAlarm {
	readonly state: Pick<EvaluatorState, 'cause' | 'occurrence'>;
	readonly operator: OperatorState;
}

/**
 * Returns the outbox row of an active alarm whose shelf ended. The next message counts the occurrences that were neither reported nor
 * acknowledged.
 * @param event the `unshelved` event; its time is that of the change
 */
export function outboxAfterShelf(stored: Outbox | null, event: AlarmEvent, { state, operator }: OpenAlarm): Outbox {
	const outbox = stored ?? emptyOutbox;
	const now = event.time;
	const { cause, occurrence } = state;
	const toldOccurrence = Math.max(outbox.sentOccurrence, operator.ackedOccurrence);
	return {
		...outbox,
		rowVersion: outbox.rowVersion + 1,
		raises: Math.max(outbox.raises, occurrence - toldOccurrence),
		lastEvent: event,
		// No message could be sent during the shelf, so an urgent row begins to wait only now.
		...urgency(outbox.urgent || isNews(outbox, cause, operator, now), now),
	};
}

/**
 * Returns the outbox row of an alarm after a message about it. A message that told only that the alarm was cleared leaves `sentAt` as it
 * is, so that the next `raised` event is urgent again.
 * @param state the state that the message told; null: the alarm is deleted
 * @param now epoch milliseconds
 */
export function outboxAfterMessage(stored: Outbox | null, state: EvaluatorState | null, now: number): Outbox {
	const outbox = stored ?? emptyOutbox;
	const sent = { raises: 0, lastEvent: null, urgent: false, firstAt: null, rowVersion: outbox.rowVersion + 1 };
	if (isOnlyCleared(outbox)) return { ...outbox, ...sent };
	return {
		...outbox,
		...sent,
		sentAt: now,
		sentCause: state?.cause ?? activeCauseOf(outbox.lastEvent) ?? outbox.sentCause,
		sentOccurrence: Math.max(outbox.sentOccurrence, state?.occurrence ?? 0),
	};
}

/** Returns the outbox row of an alarm after a message told that its occurrence is acknowledged. What waits, and when it was raised, stay. */
export function outboxAfterAcknowledgement(stored: Outbox, occurrence: number): Outbox {
	return { ...stored, rowVersion: stored.rowVersion + 1, sentAcknowledged: occurrence };
}

/** Whether the waiting events say only that an alarm has ended which an earlier message reported. */
export function isOnlyCleared({ raises, lastEvent }: Outbox): boolean {
	return raises === 0 && lastEvent?.kind === 'cleared';
}

/** Returns whether a row is urgent, and since when: from `now` on. The metric of waiting messages measures urgent rows only. */
const urgency = (urgent: boolean, now: number): Pick<Outbox, 'urgent' | 'firstAt'> => ({ urgent, firstAt: urgent ? now : null });

/** Whether a message about a raised alarm with this cause is urgent: see `outboxWith`. */
function isNews(
	{ sentAt, sentCause, sentOccurrence }: Outbox,
	cause: AlarmEvent['cause'],
	operator: OperatorState | null,
	now: number,
): boolean {
	if (sentAt === null || sentCause !== cause || !isWithinCalm(sentAt, now)) return true;
	return sentOccurrence <= (operator ?? noOperatorState).ackedOccurrence;
}

/** Returns whether `time` is less than `calmMs` before `now`. False for a time in the future, which occurs after the clock was set back. */
export function isWithinCalm(time: number, now: number): boolean {
	return time <= now && now - time < calmMs;
}

function activeCauseOf(event: AlarmEvent | null): ActiveCause | null {
	return activeCauses.find((cause) => cause === event?.cause) ?? null;
}
