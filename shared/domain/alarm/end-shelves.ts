import type { AlarmCommit, AlarmRows } from '../ports/alarm-store.ts';
import type { AlarmEvent } from './alarm-event.ts';
import { derivedState } from './derived-state.ts';
import { outboxAfterShelf } from './outbox-changes.ts';

/** Who ended a shelf, and why. Both null: its time was over. */
export interface ShelfEnd {
	/** The e-mail of the user. */
	readonly user: string | null;
	readonly comment: string | null;
}

/** Whether an alarm has a shelf whose time is over at `now` (epoch milliseconds). */
export function hasShelfEnded({ operator }: AlarmRows, now: number): boolean {
	return operator !== null && operator.shelvedUntil !== null && operator.shelvedUntil <= now;
}

/**
 * Returns the commit that ends the shelf of an alarm, with its event. An alarm that is active and not acknowledged is told then, because
 * nobody was told while it was shelved. Null: the alarm has no shelf.
 * @param alarm what the event tells of the alarm; null: it is not known
 * @param now epoch milliseconds
 */
export function shelfEndCommit(
	alarmId: number,
	{ state, operator, outbox }: AlarmRows,
	{ user, comment }: ShelfEnd,
	alarm: AlarmEvent['alarm'],
	now: number,
): AlarmCommit | null {
	if (operator === null || operator.shelvedUntil === null) return null;
	const n = operator.n + 1;
	const event: AlarmEvent = {
		...{ time: now, recordedAt: now, alarmId, origin: { writer: 'operator', number: n } },
		...{ occurrence: state?.occurrence ?? 0, kind: 'unshelved', cause: null, value: null, quality: null, inputs: [] },
		...{ user, comment, alarm },
	};
	const ended = { ...operator, rowVersion: operator.rowVersion + 1, shelvedUntil: null, shelvedBy: null, reason: null, n };
	const isOpen = state !== null && derivedState(true, state, operator) === 'active_unacknowledged';
	return {
		alarmId,
		operator: { expected: operator.rowVersion, put: ended },
		...(isOpen && {
			outbox: { expected: outbox?.rowVersion ?? null, put: outboxAfterShelf(outbox, event, state, operator, now) },
		}),
		// The decision whether the alarm is told relies on its state.
		state: { expected: state?.rowVersion ?? null },
		events: [event],
	};
}
