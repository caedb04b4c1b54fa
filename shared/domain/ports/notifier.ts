import type { ActiveCause } from '../alarm-rows/alarm-rows.ts';
import type { Alarm } from '../board/alarm.ts';

/**
 * Why a message is sent. `reminder`: a critical alarm is still active and nobody acknowledged it. `acknowledged`: somebody acknowledged an
 * active alarm that a message told of.
 */
export type NotificationKind = 'raised' | 'cleared' | 'reminder' | 'acknowledged';

/** One alarm of a message. Times are epoch milliseconds. */
export interface NotifiedAlarm {
	readonly id: number;
	readonly name: string;
	readonly severity: Alarm['severity'];
	/** What to do. */
	readonly message: string;
	readonly condition: Alarm['condition'];
	readonly threshold: number;
	/** The unit of the value and the threshold; null: not known. */
	readonly unit: string | null;
	readonly kind: NotificationKind;
	/** Null: the alarm is not active. */
	readonly cause: ActiveCause | null;
	/** Null: there is no usable value. */
	readonly value: number | null;
	/** When its present state began. */
	readonly since: number;
	readonly occurrence: number;
	/** Number of times that it was raised since the last message about it. */
	readonly raises: number;
	/** The key of the newest event that waited; null for reminders and acknowledgements. */
	readonly eventId: string | null;
	/** Of a reminder: when the message before it was sent, epoch milliseconds. Null for others, and where there was none. */
	readonly remindedFrom: number | null;
}

/** One message about the alarms of a schema. */
export interface Notification {
	readonly schema: string;
	/** The most urgent kind among the alarms: `raised` before `reminder` before `cleared` before `acknowledged`. */
	readonly kind: NotificationKind;
	/** The worst severity among the alarms. */
	readonly severity: Alarm['severity'];
	/** Worst first, at least one. */
	readonly alarms: readonly NotifiedAlarm[];
	/** Whose clocks people see at the plant, an IANA name; null: not known. */
	readonly timeZone: string | null;
}

/** One number of a report's message. */
export interface NotifiedNumber {
	readonly group: string | null;
	readonly name: string;
	readonly unit: string;
	/** What its line counts. */
	readonly function: string;
	readonly decimals: number;
	/** Null: there is none. */
	readonly value: number | null;
	/** The least and the greatest value that the number can truly have; null: not known. */
	readonly low: number | null;
	readonly high: number | null;
	/** The share of the day that is known; null: the line counts only hours that the day does not have, or uses a line that does. */
	readonly known: number | null;
}

/** A rise of a night flow that a message tells of. */
export interface NotifiedRise {
	readonly name: string;
	/** The local date of its first night. */
	readonly since: string;
	/** Number of its nights. */
	readonly nights: number;
	/** Whether it is a rise whatever is not known. */
	readonly certain: boolean;
}

/** The first numbers of a day of a report. Times are epoch milliseconds. */
export interface ReportNotification {
	readonly schema: string;
	readonly reportId: number;
	readonly title: string;
	/** The local date: `2026-11-20`. */
	readonly date: string;
	readonly from: number;
	readonly to: number;
	readonly timeZone: string;
	/** Whether it may have been sent before. */
	readonly isRepeated: boolean;
	readonly numbers: readonly NotifiedNumber[];
	/** Rises that are told of for the first time. Left out: none. */
	readonly raised?: readonly NotifiedRise[];
}

/** Sends messages to the people who look after a plant. They subscribe outside of the service; no tenant names an address. */
export interface Notifier {
	/**
	 * Sends a message. When this returns, the message was accepted and will be delivered at least once.
	 * @throws DomainError `dependency_failed` (`notifier`) when it was not accepted; `dependency_slow` (`notifier`) or `outcome_unknown` when
	 * nobody knows whether it was accepted
	 */
	notify(notification: Notification): Promise<void>;
	/** Sends the numbers of a day, with the same guarantee and the same errors as `notify`. */
	notifyReport(notification: ReportNotification): Promise<void>;
}
