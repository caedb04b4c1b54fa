import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { nonEmpty, readConfig, wholeNumber } from '#shared/config.ts';

/** What systemd tells a service that it runs, by sd_notify(3) and sd_watchdog_enabled(3). */
const managerSchema = v.object({
	/** Where it takes messages. */
	NOTIFY_SOCKET: v.optional(nonEmpty),
	/** Microseconds after which it restarts a service that says nothing. */
	WATCHDOG_USEC: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
});

/**
 * Tells systemd that the service runs, and from then on, twice in each time of its watchdog, that the event loop still turns. Does nothing
 * without systemd. The messages are sent by systemd's own program, because Node.js has no datagram sockets of Unix.
 * @throws an error when systemd cannot be told that the service runs
 */
export async function tellServiceManager(environment?: Readonly<Record<string, string | undefined>>): Promise<void> {
	const { NOTIFY_SOCKET, WATCHDOG_USEC } = readConfig(managerSchema, environment);
	if (NOTIFY_SOCKET === undefined) return;
	await notify('READY=1');
	if (WATCHDOG_USEC === undefined) return;
	// systemd restarts the service when these messages stay away, whatever the reason.
	const timer = setInterval(() => void notify('WATCHDOG=1').catch(() => undefined), WATCHDOG_USEC / 2000);
	timer.unref();
}

const run = promisify(execFile);

/** Sends a message to systemd. */
async function notify(message: string): Promise<void> {
	await run('systemd-notify', [message]);
}
