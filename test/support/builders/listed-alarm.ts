import type { Schemas } from '#infra/openapi/api.ts';

type AlarmState = Schemas['AlarmState'];

/** An alarm as the service lists it: normal, never raised. */
export const makeListedAlarm = (overrides: Partial<AlarmState> = {}): AlarmState => ({
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
	actors: { acknowledgedBy: null, shelvedBy: null },
	...overrides,
});
