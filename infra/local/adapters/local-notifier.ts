import { isBrokenConnection } from '#adapters/broken-connection.ts';
import { headlineOf, jsonOf, textOf } from '#domain/alarm/notification-text.ts';
import { DomainError } from '#domain/errors.ts';
import { secondMs } from '#domain/milliseconds.ts';
import type { Notifier } from '#domain/ports/notifier.ts';
import { reportHeadline, reportJson, reportText } from '#domain/report/report-notification.ts';
import type { Log } from '#http/log.ts';

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

/**
 * Creates a `Notifier` that posts each message to an address as JSON. The field `text` holds its text, because chat programs read that
 * field. Every 2xx status is success. A redirect is a failure, because it would send the message to another address.
 * After 502 and 504 nobody knows whether the message arrived.
 */
export function createWebhookNotifier(url: string): Notifier {
	return {
		notify: (notification) => post(url, { text: textOf(notification), ...jsonOf(notification) }),
		notifyReport: (notification) => post(url, { text: reportText(notification), ...reportJson(notification) }),
	};
}

/** Posts a message. No error holds the address, which may hold a secret. */
async function post(url: string, message: object): Promise<void> {
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(message),
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
