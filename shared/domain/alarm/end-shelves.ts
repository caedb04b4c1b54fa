import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { AlarmCommit, AlarmRows } from '../ports/alarm-store.ts';
import { type AlarmOperation, operatorEvent } from './alarm-operation.ts';
import { derivedState } from './derived-state.ts';
import { outboxAfterShelf } from './outbox-changes.ts';

/** Whether an alarm has a shelf whose time is over at `now` (epoch milliseconds). */
export function hasShelfEnded({ operator }: AlarmRows, now: number): boolean {
	return operator !== null && operator.shelvedUntil !== null && operator.shelvedUntil <= now;
}

/**
 * Returns the commit that ends the shelf of an alarm, with its event. An alarm that is active and not acknowledged is then reported,
 * because no message reported it while it was shelved. Null: the alarm has no shelf.
 * @param alarm the description of the alarm for the event; null: it is not known
 */
export function shelfEndCommit(
	alarmId: number,
	{ state, operator, outbox }: AlarmRows,
	operation: AlarmOperation,
	alarm: AlarmEvent['alarm'],
): AlarmCommit | null {
	if (operator === null || operator.shelvedUntil === null) return null;
	const n = operator.n + 1;
	const event = operatorEvent({ alarmId, occurrence: state?.occurrence ?? 0, kind: 'unshelved', alarm }, n, operation);
	const ended = { ...operator, rowVersion: operator.rowVersion + 1, shelvedUntil: null, shelvedBy: null, reason: null, n };
	// A disabled alarm is taken as enabled: the evaluator clears its state, so it is not active.
	const isOpen = state !== null && derivedState({ enabled: true, state, operator }) === 'active_unacknowledged';
	return {
		alarmId,
		operator: { expected: operator.rowVersion, put: ended },
		...(isOpen && {
			outbox: { expected: outbox?.rowVersion ?? null, put: outboxAfterShelf(outbox, event, { state, operator }) },
		}),
		// The state is checked, because it decides whether the alarm is reported.
		state: { expected: state?.rowVersion ?? null },
		events: [event],
	};
}
