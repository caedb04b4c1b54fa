import type { Notifier } from '#domain/ports/notifier.ts';
import type { Log } from '#http/log.ts';
import { createConsoleNotifier, createWebhookNotifier } from '../adapters/local-notifier.ts';
import type { LocalSettings } from './settings.ts';

/** Returns the `Notifier` of this machine: NOTIFY_URL, or the log. */
export function localNotifier({ NOTIFY_URL: url, NOTIFY_SECRETS: keys = [] }: LocalSettings, log: Pick<Log, 'info'>): Notifier {
	return url === undefined ? createConsoleNotifier(log) : createWebhookNotifier(url, { keys, now: Date.now });
}
