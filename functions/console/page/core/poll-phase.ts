/** What happens to the polling. `read`: what was being read is there, or could not be read. */
export type PollEvent = 'signedIn' | 'signedOut' | 'valuesAsked' | 'alarmsAsked' | 'read';

/**
 * What the polling does. `stopped`: nobody is signed in. `values`, `alarms`: it reads; values are read together with alarms.
 * `valuesThenValues`, `alarmsThenValues`: it reads, and reads values right after.
 */
export type PollPhase = 'stopped' | 'waiting' | 'values' | 'alarms' | 'valuesThenValues' | 'alarmsThenValues';

/** The phase that follows on an event. An event that a phase does not name changes nothing. */
const transitions: Readonly<Record<PollPhase, Readonly<Partial<Record<PollEvent, PollPhase>>>>> = {
	stopped: { signedIn: 'values' },
	waiting: { signedOut: 'stopped', valuesAsked: 'values', alarmsAsked: 'alarms' },
	values: { signedOut: 'stopped', valuesAsked: 'valuesThenValues', read: 'waiting' },
	alarms: { signedOut: 'stopped', valuesAsked: 'alarmsThenValues', read: 'waiting' },
	valuesThenValues: { signedOut: 'stopped', read: 'values' },
	alarmsThenValues: { signedOut: 'stopped', read: 'values' },
};

/** Returns what the polling does after an event. */
export function phaseAfter(phase: PollPhase, event: PollEvent): PollPhase {
	return transitions[phase][event] ?? phase;
}
