import { isBrokenConnection } from '#adapters/broken-connection.ts';
import { messageAbout } from '#domain/alarm/due-message.ts';
import { headlineOf } from '#domain/alarm/notification-text.ts';
import { isWithinCalm } from '#domain/alarm/outbox-changes.ts';
import { DomainError } from '#domain/errors.ts';
import { secondMs } from '#domain/milliseconds.ts';
import type { Notification, NotifiedAlarm, Notifier, ReportNotification } from '#domain/ports/notifier.ts';
import { reportHeadline } from '#domain/report/report-notification.ts';
import type { Log } from '#http/log.ts';
import type { MessageAddress } from './message-address.ts';
import { formatOf } from './message-formats.ts';
import { messageIdOf, webhookHeaders } from './webhook-signature.ts';

/** Time limit for the answer of an address. */
const timeoutMs = 5000;

/** Time in which posts to an address are started. The next message has the alarms that are left. */
const startPostsMs = 20_000;

/** 502 and 504: a proxy got no valid answer, or none in time. It may have passed the message on. */
const proxyStatuses: readonly number[] = [502, 504];

/** Creates a `Notifier` that prints the first line of each message. */
export function createConsoleNotifier(log: Pick<Log, 'info'>): Notifier {
	return {
		notify: async (notification) => log.info(headlineOf(notification), { alarms: notification.alarms.length }),
		notifyReport: async (notification) => log.info(reportHeadline(notification), { numbers: notification.numbers.length }),
	};
}

/**
 * Creates a `Notifier` that posts messages to addresses, each in its format and with the alarms of its severities
 * (functions/README.md#messages). One that fails keeps no other from being told, and the message counts as not accepted. When it is sent
 * again, an address gets only what it has not accepted. That is kept in memory: after a restart, all addresses get the message again.
 *
 * Every 2xx status is success. A redirect is a failure, because it would send the message to another address. After 502 and 504 nobody knows
 * whether the message arrived.
 * @param now epoch milliseconds
 */
export function createWebhookNotifier(addresses: readonly MessageAddress[], now: () => number): Notifier {
	const senders = addresses.map((address) => createSender(address, now));
	return {
		notify: async (notification) => {
			await allOf(senders.map(({ notify }) => notify(notification)));
			for (const { toldAlarms } of senders) toldAlarms.delete(notification.schema);
		},
		notifyReport: async (notification) => {
			await allOf(senders.map(({ notifyReport }) => notifyReport(notification)));
			for (const { toldReports } of senders) toldReports.delete(dayKey(notification));
		},
	};
}

/** Waits for all addresses. @throws DomainError that names those which failed; one that refused decides its code */
async function allOf(posts: readonly Promise<void>[]): Promise<void> {
	const errors = (await Promise.allSettled(posts)).flatMap((post): unknown[] =>
		post.status === 'rejected' ? [post.reason] : [],
	);
	if (errors.length === 0) return;
	const worst = errors.find((error) => !(error instanceof DomainError) || error.code === 'dependency_failed') ?? errors[0];
	if (errors.length === 1 || !(worst instanceof DomainError)) throw worst;
	const cause = errors
		.map((error) => (error instanceof DomainError && 'cause' in error.payload ? error.payload.cause : ''))
		.join('; ');
	const options = { cause: new AggregateError(errors) };
	throw worst.code === 'dependency_failed'
		? new DomainError('dependency_failed', { dependency: 'notifier', cause }, options)
		: new DomainError('outcome_unknown', { cause }, options);
}

/** Posts messages to one address, and remembers what it accepted of messages that others refused. */
interface Sender extends Notifier {
	/** When the address accepted what a message says of an alarm, epoch milliseconds, by the schema and `alarmKey`. */
	readonly toldAlarms: Map<string, ReadonlyMap<string, number>>;
	/** The days of reports that it accepted, by `dayKey`. */
	readonly toldReports: Set<string>;
}

function createSender(address: MessageAddress, now: () => number): Sender {
	const format = formatOf(address);
	const toldAlarms = new Map<string, ReadonlyMap<string, number>>();
	const toldReports = new Set<string>();
	const postAll = async (id: string, bodies: readonly object[]): Promise<void> => {
		for (const body of bodies) {
			const text = JSON.stringify(body);
			await post(address, text, address.format === 'caudal' ? webhookHeaders(address.keys, id, now(), text) : {});
		}
	};
	const notify = async (notification: Notification): Promise<void> => {
		const { schema } = notification;
		const told = stillTold(toldAlarms.get(schema), notification, now());
		toldAlarms.set(schema, told);
		const alarms = notification.alarms.filter((alarm) => isWanted(address, alarm) && !told.has(alarmKey(alarm)));
		const stopAt = now() + startPostsMs;
		for (const part of format.isPerAlarm ? alarms.map((alarm) => [alarm]) : [alarms]) {
			const message = messageAbout({ ...notification, alarms: part });
			if (message === null) return;
			if (now() > stopAt)
				throw new DomainError('dependency_slow', { dependency: 'notifier', cause: `${address.name} is slow, the rest follows` });
			await postAll(alarmMessageId(message), format.ofAlarms(message));
			for (const alarm of part) told.set(alarmKey(alarm), now());
		}
	};
	const notifyReport = async (notification: ReportNotification): Promise<void> => {
		const { schema, reportId, date } = notification;
		if (!address.severities.includes('info') || toldReports.has(dayKey(notification))) return;
		await postAll(messageIdOf([schema, 'report', reportId, date]), format.ofReport(notification));
		toldReports.add(dayKey(notification));
	};
	return { notify, notifyReport, toldAlarms, toldReports };
}

/**
 * Whether an address is told of an alarm. Where incidents are, acknowledgements and ends are told of every severity: the alarm may have had a
 * wanted one when it was raised, and without an incident they change nothing.
 */
function isWanted({ severities, format }: MessageAddress, { severity, kind, cause }: NotifiedAlarm): boolean {
	return severities.includes(severity) || (format === 'pagerduty' && (kind === 'acknowledged' || cause === null));
}

/**
 * Returns what an address accepted of a message before. While another address refuses the message, its alarms wait and get no reminders of
 * their own. So a critical alarm that is active counts until the next reminder is due, and then the address is told again.
 */
function stillTold(told: ReadonlyMap<string, number> | undefined, { alarms }: Notification, now: number): Map<string, number> {
	const still = new Map<string, number>();
	for (const alarm of alarms) {
		const at = told?.get(alarmKey(alarm));
		if (at !== undefined && (!isReminded(alarm) || isWithinCalm(at, now))) still.set(alarmKey(alarm), at);
	}
	return still;
}

const isReminded = ({ kind, severity, cause }: NotifiedAlarm): boolean =>
	severity === 'critical' && cause !== null && kind !== 'acknowledged';

const alarmKey = ({ id, kind, eventId, occurrence }: NotifiedAlarm): string => JSON.stringify([id, kind, eventId, occurrence]);

const dayKey = ({ schema, reportId, date }: ReportNotification): string => JSON.stringify([schema, reportId, date]);

/** Returns the id of a message. It is the same in each attempt; the next reminder of an alarm is another message. */
const alarmMessageId = ({ schema, kind, alarms }: Notification): string =>
	messageIdOf([schema, kind, ...alarms.map((alarm) => JSON.stringify([alarmKey(alarm), alarm.since, alarm.remindedFrom]))]);

/** Posts a message. No error holds the address, which may hold a secret. */
async function post({ name, url }: MessageAddress, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(timeoutMs),
	} as const;
	const response = await fetch(url, request).catch((error: unknown) => {
		if (isBrokenConnection(error))
			throw new DomainError('outcome_unknown', { cause: `${name} broke the connection` }, { cause: error });
		const [code, cause] = request.signal.aborted
			? (['dependency_slow', `${name} did not answer within ${timeoutMs / secondMs} s`] as const)
			: (['dependency_failed', `${name} cannot be reached`] as const);
		throw new DomainError(code, { dependency: 'notifier', cause }, { cause: error });
	});
	await response.body?.cancel();
	const cause = `${name} answered ${response.status}`;
	if (proxyStatuses.includes(response.status)) throw new DomainError('outcome_unknown', { cause });
	if (!response.ok) throw new DomainError('dependency_failed', { dependency: 'notifier', cause });
}
