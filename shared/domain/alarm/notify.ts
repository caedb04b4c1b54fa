import { type AlarmRows, type AlarmStore, noRows } from '../ports/alarm-store.ts';
import type { Notifier } from '../ports/notifier.ts';
import { dueMessage, type MessageCandidate } from './due-message.ts';
import { inParallel } from './in-parallel.ts';
import { outboxAfterMessage } from './outbox-changes.ts';

const maxConcurrentWrites = 8;

/** What sends messages about alarms. */
export interface NotifyDeps {
	readonly alarms: AlarmStore;
	readonly notifier: Notifier;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Sends the message that is due for a schema, if any, and notes in the outbox what was sent. Alarms that were shelved since their rows
 * were read are left out. A row that changed meanwhile stays as it is: what it tells is sent again with the next message.
 * @param lastSentAt when a message of the schema was sent last, epoch milliseconds; null: never
 * @returns the candidates with their rows after the message, and when it was sent; null: none was due
 * @throws DomainError `dependency_failed`, `dependency_slow` (notifier): the rows wait; the errors of the store
 */
export async function notify(
	{ alarms, notifier, now }: NotifyDeps,
	schema: string,
	candidates: readonly MessageCandidate[],
	lastSentAt: number | null,
): Promise<{ readonly candidates: readonly MessageCandidate[]; readonly sentAt: number } | null> {
	if (dueMessage(schema, candidates, lastSentAt, now()) === null) return null;
	const { rows: stored } = await alarms.rowsOf(
		schema,
		candidates.map(({ id }) => id),
	);
	const fresh = new Map(candidates.map((each) => [each.id, { ...each, rows: withNewestState(each.rows, stored.get(each.id)) }]));
	const sentAt = now();
	const message = dueMessage(schema, [...fresh.values()], lastSentAt, sentAt);
	if (message === null) return null;
	await notifier.notify(message);
	await inParallel(maxConcurrentWrites, message.alarms, async ({ id }) => {
		const candidate = fresh.get(id);
		if (candidate === undefined) return;
		const { state, outbox } = candidate.rows;
		const put = outboxAfterMessage(outbox, state, sentAt);
		const outcome = await alarms.commit(schema, { alarmId: id, outbox: { expected: outbox?.rowVersion ?? null, put } });
		if (outcome === 'committed') fresh.set(id, { ...candidate, rows: { ...candidate.rows, outbox: put } });
	});
	return { candidates: [...fresh.values()], sentAt };
}

/** The state of the tick is newer than the stored one, which leaves out changes that need not be stored. */
const withNewestState = ({ state }: AlarmRows, stored: AlarmRows = noRows): AlarmRows => ({ ...stored, state });
