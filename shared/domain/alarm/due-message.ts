import { type AlarmEvent, alarmEventKey } from '../alarm-rows/alarm-event.ts';
import { isShelved, noOperatorState, type Outbox } from '../alarm-rows/alarm-rows.ts';
import type { Alarm } from '../board/alarm.ts';
import { type AlarmRows, type AlarmStore, noRows } from '../ports/alarm-store.ts';
import type { Notification, NotificationKind, NotifiedAlarm, Notifier } from '../ports/notifier.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { derivedState } from './derived-state.ts';
import { inParallel } from './in-parallel.ts';
import { isOnlyCleared, isWithinCalm, outboxAfterAcknowledgement, outboxAfterMessage } from './outbox-changes.ts';

/**
 * An alarm that a message can report: its rows and its definition. The definition is null when the alarm is deleted or cannot be
 * evaluated.
 */
export interface MessageCandidate {
	readonly id: number;
	readonly rows: AlarmRows;
	readonly enabled: boolean;
	readonly alarm: AlarmEvent['alarm'];
}

/**
 * Returns the message that is due for a schema; null: none.
 *
 * It tells of every alarm with events that wait, and reminds of critical ones that are active and not acknowledged. Shelved alarms are
 * left out. It is due at once when an event is urgent, else when the last message was sent 15 minutes ago (`calmMs`). That an alarm was
 * acknowledged is told at once, too, but by itself, and does not put off what waits. Active alarms come before cleared ones, and these before
 * acknowledged ones; within each group, the worst comes first.
 * @param lastSentAt when a message of the schema was sent last, epoch milliseconds; null: never
 * @param now epoch milliseconds
 */
export function dueMessage(
	schema: string,
	candidates: readonly MessageCandidate[],
	lastSentAt: number | null,
	now: number,
): Omit<Notification, 'timeZone'> | null {
	const notShelved = candidates.filter(({ rows }) => !isShelved(rows.operator ?? noOperatorState, now));
	const waiting = notShelved.filter(isWaiting);
	const isUrgent = waiting.some(({ rows }) => rows.outbox?.urgent === true);
	const isDue = isUrgent || !wasSentRecently(lastSentAt, now);
	const reminders = notShelved
		.filter((candidate) => !isWaiting(candidate) && isOpenAndCritical(candidate))
		.filter(({ rows: { outbox } }) => !wasSentRecently(outbox?.sentAt ?? null, now));
	const acknowledged = notShelved.filter(isAcknowledgementUntold);
	const alarms = [
		...(isDue ? [...waiting, ...reminders].flatMap((candidate) => notifiedAlarm(candidate, kindOf(candidate.rows)) ?? []) : []),
		...acknowledged.flatMap((candidate) => notifiedAlarm(candidate, 'acknowledged') ?? []),
	];
	return messageAbout({ schema, alarms: alarms.sort(worstFirst) });
}

/** Returns a message with other alarms: its kind and severity are the worst of them. Null: there are none. */
export function messageAbout<Message extends Pick<Notification, 'schema' | 'alarms'>>(
	message: Message,
): (Message & Pick<Notification, 'kind' | 'severity'>) | null {
	const kind = kinds.find((each) => message.alarms.some((alarm) => alarm.kind === each));
	const severity = severities.find((each) => message.alarms.some((alarm) => alarm.severity === each));
	return kind === undefined || severity === undefined ? null : { ...message, kind, severity };
}

/** Returns when the first urgent event of an alarm that waits was written; null: none is urgent, or the alarm is shelved. */
export function urgentSinceOf({ rows: { outbox, operator } }: MessageCandidate, now: number): number | null {
	if (outbox === null || !outbox.urgent || isShelved(operator ?? noOperatorState, now)) return null;
	return outbox.firstAt;
}

/** From the worst to the least. */
const kinds: readonly NotificationKind[] = ['raised', 'reminder', 'cleared', 'acknowledged'];

/** From the worst to the least. */
const severities: readonly Alarm['severity'][] = ['critical', 'warning', 'info'];

/** Whether a message was sent less than `calmMs` ago. */
const wasSentRecently = (sentAt: number | null, now: number): boolean => sentAt !== null && isWithinCalm(sentAt, now);

const isWaiting = ({ rows }: MessageCandidate): boolean => rows.outbox !== null && rows.outbox.lastEvent !== null;

function isOpenAndCritical({ rows: { state, operator }, alarm, enabled }: MessageCandidate): boolean {
	return alarm?.severity === 'critical' && derivedState({ enabled, state, operator }) === 'active_unacknowledged';
}

/** Whether a message told of the present occurrence, somebody acknowledged it, and no message told that. */
function isAcknowledgementUntold(candidate: MessageCandidate): boolean {
	const { enabled, rows } = candidate;
	const { state, operator, outbox } = rows;
	if (isWaiting(candidate) || outbox === null || state === null || state.occurrence !== outbox.sentOccurrence) return false;
	return derivedState({ enabled, state, operator }) === 'active_acknowledged' && outbox.sentAcknowledged < state.occurrence;
}

/** Returns what a message says of an alarm; null: neither an event nor the saved alarm describes it. */
function notifiedAlarm(
	{ id, rows: { state, outbox }, alarm: saved }: MessageCandidate,
	kind: NotificationKind,
): NotifiedAlarm | null {
	const event = outbox?.lastEvent ?? null;
	// The event holds the alarm as it was when it was raised, even if it is deleted now.
	const alarm = event?.alarm ?? saved;
	const since = state?.since ?? event?.time;
	if (alarm === null || since === undefined) return null;
	const { name, severity, message, condition, threshold, unit } = alarm;
	return {
		id,
		name,
		severity,
		message,
		condition,
		threshold,
		unit,
		kind,
		cause: state?.cause ?? null,
		// While there is no usable value, the value of the state is an old one.
		value: state === null || state.uncertainSince !== null || state.silent ? null : state.value,
		since,
		occurrence: state?.occurrence ?? event?.occurrence ?? 0,
		raises: outbox?.raises ?? 0,
		eventId: event === null ? null : alarmEventKey(event),
		remindedFrom: kind === 'reminder' ? (outbox?.sentAt ?? null) : null,
	};
}

/** An alarm without an event that waits is in the message as a reminder. */
function kindOf({ outbox }: AlarmRows): NotificationKind {
	if (outbox === null || outbox.lastEvent === null) return 'reminder';
	return isOnlyCleared(outbox) ? 'cleared' : 'raised';
}

/** Orders alarms in a message. A cleared or acknowledged alarm must not displace an active one from the headline or the list. */
function worstFirst(a: NotifiedAlarm, b: NotifiedAlarm): number {
	return (
		Number(a.kind === 'acknowledged') - Number(b.kind === 'acknowledged') ||
		Number(a.cause === null) - Number(b.cause === null) ||
		severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
		kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
		a.id - b.id
	);
}

const maxConcurrentWrites = 8;

/** The dependencies of `notify`. */
export interface NotifyDeps {
	readonly alarms: AlarmStore;
	readonly store: Pick<SchemaReader, 'list'>;
	readonly notifier: Pick<Notifier, 'notify'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Sends the message that is due for a schema, if any, and notes in the outbox what was sent. Alarms that were shelved since their rows
 * were read are left out. A row that changed meanwhile stays as it is, and the next message reports its events again.
 * @param lastSentAt when a message of the schema was sent last, epoch milliseconds; null: never
 * @returns the candidates with their rows after the message, and when one was sent last that told more than acknowledgements; null: none
 * was due
 * @throws DomainError the errors of `Notifier.notify`: the rows wait, so the next tick sends the message again; the errors of the store
 */
export async function notify(
	{ alarms, store, notifier, now }: NotifyDeps,
	schema: string,
	candidates: readonly MessageCandidate[],
	lastSentAt: number | null,
): Promise<{ readonly candidates: readonly MessageCandidate[]; readonly sentAt: number | null } | null> {
	if (dueMessage(schema, candidates, lastSentAt, now()) === null) return null;
	const { rows: stored } = await alarms.rowsOf(
		schema,
		candidates.map(({ id }) => id),
	);
	const rereadById = new Map(
		candidates.map((candidate) => {
			const rows = withNewestState(candidate.rows, stored.get(candidate.id));
			return [candidate.id, { ...candidate, rows }];
		}),
	);
	const sentAt = now();
	const message = dueMessage(schema, [...rereadById.values()], lastSentAt, sentAt);
	if (message === null) return null;
	await notifier.notify({ ...message, timeZone: await timeZoneOfPlant(store, schema) });
	await inParallel(maxConcurrentWrites, message.alarms, async ({ id, kind }) => {
		const candidate = rereadById.get(id);
		if (candidate === undefined) return;
		const { state, outbox } = candidate.rows;
		const put = outboxAfter(kind, { state, outbox }, sentAt);
		const outcome = await alarms.commit(schema, { alarmId: id, outbox: { expected: outbox?.rowVersion ?? null, put } });
		if (outcome === 'committed') rereadById.set(id, { ...candidate, rows: { ...candidate.rows, outbox: put } });
	});
	return { candidates: [...rereadById.values()], sentAt: message.kind === 'acknowledged' ? lastSentAt : sentAt };
}

/** Returns the outbox row of an alarm after a message of this kind. */
function outboxAfter(kind: NotificationKind, { state, outbox }: Pick<AlarmRows, 'state' | 'outbox'>, sentAt: number): Outbox {
	return kind === 'acknowledged' && state !== null && outbox !== null
		? outboxAfterAcknowledgement(outbox, state.occurrence)
		: outboxAfterMessage(outbox, state, sentAt);
}

/**
 * Returns the time zone of the plant: that of its first report with another one than UTC, because nothing else of a schema has a time zone.
 * Null where there is no such report, or where it cannot be read: the message is worth more.
 */
async function timeZoneOfPlant(store: NotifyDeps['store'], schema: string): Promise<string | null> {
	const rows = await store.list(schema, 'report').catch(() => []);
	const zones = rows.flatMap(({ board }) => (board.kind === 'report' ? [board.content.timeZone] : []));
	return zones.find((zone) => zone !== 'UTC') ?? null;
}

/** The state of the tick is newer than the stored one, which leaves out changes that need not be stored. */
const withNewestState = ({ state }: AlarmRows, stored: AlarmRows = noRows): AlarmRows => ({ ...stored, state });
