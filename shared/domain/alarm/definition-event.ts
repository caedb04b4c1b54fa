import type { Actor } from '../access/actor.ts';
import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import type { BoardRow } from '../ports/schema-store.ts';

/** The facts that an event records about a change of an alarm, beside the alarm itself. */
export interface DefinitionChange {
	/** When it was changed, epoch milliseconds. */
	readonly now: number;
	/** Null: the service itself. */
	readonly user: Actor | null;
	/** The unit of the variable; null: not known. */
	readonly unit: string | null;
	readonly comment?: string;
}

/**
 * Returns the event that tells of a saved or a deleted alarm, for the commit that changes it. Returns no event for a board of another
 * kind.
 * @param row the alarm as it is saved, or as it was before it was deleted
 */
export function definitionEvents(
	kind: 'changed' | 'deleted',
	{ board, version }: BoardRow,
	{ now, user, unit, comment }: DefinitionChange,
): readonly AlarmEvent[] {
	if (board.kind !== 'alarm') return [];
	return [
		{
			time: now,
			recordedAt: now,
			alarmId: board.content.id,
			// A deletion stores no version, so its event takes the number after the last one.
			origin: { writer: 'definition', number: kind === 'changed' ? version : version + 1 },
			occurrence: 0,
			kind,
			cause: null,
			value: null,
			quality: null,
			inputs: [],
			user,
			comment: comment ?? null,
			alarm: alarmOfEvent(board.content, { version, unit }),
		},
	];
}
