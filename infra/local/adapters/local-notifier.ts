import { isBrokenConnection } from '#adapters/broken-connection.ts';
import { headlineOf, jsonOf, textOf } from '#domain/alarm/notification-text.ts';
import { DomainError } from '#domain/errors.ts';
import { secondMs } from '#domain/milliseconds.ts';
import type { Notifier } from '#domain/ports/notifier.ts';
import { reportHeadline, reportJson, reportText } from '#domain/report/report-notification.ts';
import type { Log } from '#http/log.ts';
import { messageIdOf, webhookHeaders } from './webhook-signature.ts';

/** Time limit for the answer of the address. */
const timeoutMs = 5000;

/** 502 and 504: a proxy got no valid answer, or none in time. It may have passed the message on. */
const proxyStatuses: readonly number[] = [502, 504];

/** Creates a `Notifier` that prints the first line of each message. */
export function createConsoleNotifier(log: Pick<Log, 'info'>): Notifier {
	return {
		notify: async (notification) => log.info(headlineOf(notification), { alarms: notification.alarms.length }),
		notifyReport: async (notification) => log.info(reportHeadline(notification), { numbers: notification.numbers.length }),
	};
}

/** How messages are signed. */
export interface WebhookSettings {
	/** The keys of signatures; empty: messages are not signed. */
	readonly keys: readonly Buffer[];
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Creates a `Notifier` that posts each message to an address as JSON, signed by Standard Webhooks (functions/README.md#messages). The field `text` holds its text, because chat programs read that
 * field. Every 2xx status is success. A redirect is a failure, because it would send the message to another address.
 * After 502 and 504 nobody knows whether the message arrived.
 */
export function createWebhookNotifier(url: string, { keys, now }: WebhookSettings): Notifier {
	const send = (id: string, message: object): Promise<void> => {
		const body = JSON.stringify(message);
		return post(url, body, webhookHeaders(keys, id, now(), body));
	};
	return {
		notify: (notification) => {
			const { schema, kind, alarms } = notification;
			// A reminder has no event, and is another message each time.
			const id = messageIdOf([schema, kind, ...alarms.map(({ kind, eventId }) => (kind === 'reminder' ? null : eventId))]);
			return send(id, { text: textOf(notification), ...jsonOf(notification) });
		},
		notifyReport: (notification) => {
			const { schema, reportId, date } = notification;
			return send(messageIdOf([schema, 'report', reportId, date]), {
				text: reportText(notification),
				...reportJson(notification),
			});
		},
	};
}

/** Posts a message. No error holds the address, which may hold a secret. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(timeoutMs),
	} as const;
	const response = await fetch(url, request).catch((error: unknown) => {
		if (isBrokenConnection(error))
			throw new DomainError('outcome_unknown', { cause: 'NOTIFY_URL broke the connection' }, { cause: error });
		const [code, cause] = request.signal.aborted
			? (['dependency_slow', `NOTIFY_URL did not answer within ${timeoutMs / secondMs} s`] as const)
			: (['dependency_failed', 'NOTIFY_URL cannot be reached'] as const);
		throw new DomainError(code, { dependency: 'notifier', cause }, { cause: error });
	});
	await response.body?.cancel();
	if (proxyStatuses.includes(response.status))
		throw new DomainError('outcome_unknown', { cause: `NOTIFY_URL answered ${response.status}` });
	if (!response.ok)
		throw new DomainError('dependency_failed', { dependency: 'notifier', cause: `NOTIFY_URL answered ${response.status}` });
}
