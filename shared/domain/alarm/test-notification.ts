import type { Alarm } from '../board/alarm.ts';
import type { Notification } from '../ports/notifier.ts';

/** Returns a message that says that it is a test. `since`: epoch milliseconds. */
export function testNotification(schema: string, severity: Alarm['severity'], since: number): Notification {
	return {
		schema,
		kind: 'raised',
		severity,
		timeZone: null,
		alarms: [
			{
				id: 0,
				name: 'Test message',
				severity,
				message: 'This is a test. Nothing has to be done.',
				condition: '>',
				threshold: 0,
				unit: null,
				kind: 'raised',
				cause: 'condition',
				value: 1,
				since,
				occurrence: 0,
				raises: 1,
				eventId: null,
				remindedFrom: null,
			},
		],
	};
}
