import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import type { FoldEvent } from './alarm-machine.ts';
import type { AlarmDefinition } from './fold.ts';

/** Returns the entry of the journal for an event of the evaluator. `recordedAt`: epoch milliseconds. */
export function evaluatorEvent(
	{ alarm, alarmVersion, variable }: AlarmDefinition,
	{ seq, ...event }: FoldEvent,
	recordedAt: number,
): AlarmEvent {
	return {
		...event,
		recordedAt,
		alarmId: alarm.id,
		origin: { writer: 'evaluator', number: seq },
		user: null,
		comment: null,
		alarm: alarmOfEvent(alarm, alarmVersion, variable.unit),
	};
}
