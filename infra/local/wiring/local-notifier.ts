import type { Notifier } from '#domain/ports/notifier.ts';
import type { Log } from '#http/log.ts';
import { createConsoleNotifier, createWebhookNotifier } from '../adapters/local-notifier.ts';
import type { LocalSettings } from './settings.ts';

/** Returns the `Notifier` of this machine: the addresses of NOTIFY_URL and NOTIFY_FILE, or the log. */
export function localNotifier({ messageAddresses }: LocalSettings, log: Pick<Log, 'info'>): Notifier {
	return messageAddresses.length === 0 ? createConsoleNotifier(log) : createWebhookNotifier(messageAddresses, Date.now);
}
