import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { AlarmCommit, AlarmRows } from '../ports/alarm-store.ts';

/**
 * Returns the commit that deletes the rows of an alarm that is deleted itself, with the event `cleared` where the alarm was active. Ids
 * are never given again.
 * @param now epoch milliseconds
 */
export function orphanCommit(alarmId: number, { state, operator, outbox }: AlarmRows, now: number): AlarmCommit {
	const cleared: readonly AlarmEvent[] =
		state === null || state.cause === null
			? []
			: [
					{
						time: now,
						recordedAt: now,
						alarmId,
						origin: { writer: 'evaluator', number: state.seq + 1 },
						occurrence: state.occurrence,
						kind: 'cleared',
						cause: 'deleted',
						value: null,
						quality: null,
						inputs: [],
						user: null,
						comment: null,
						alarm: outbox?.lastEvent?.alarm ?? null,
					},
				];
	const deletion = (row: { readonly rowVersion: number } | null) => ({ expected: row?.rowVersion ?? null, put: null });
	return {
		alarmId,
		...(state !== null && { state: deletion(state) }),
		...(operator !== null && { operator: deletion(operator) }),
		...(outbox !== null && { outbox: deletion(outbox) }),
		checks: [{ key: { kind: 'alarm', id: alarmId }, expected: null }],
		events: cleared,
	};
}
