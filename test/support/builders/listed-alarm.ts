import type { ListedAlarm } from '#page/core/alarms.ts';

/** An alarm as the service lists it: normal, never raised. */
export const makeListedAlarm = (overrides: Partial<ListedAlarm> = {}): ListedAlarm => ({
	id: 1,
	name: 'Tank low',
	varId: 3,
	bit: null,
	condition: '<',
	threshold: 2,
	severity: 'warning',
	message: 'Start a pump.',
	version: 1,
	active: false,
	value: 3,
	quality: 'good',
	state: 'normal',
	since: null,
	cause: null,
	occurrence: 0,
	acknowledgedBy: null,
	acknowledgedAt: null,
	shelvedUntil: null,
	shelvedBy: null,
	reason: null,
	uncertainSince: null,
	...overrides,
});
