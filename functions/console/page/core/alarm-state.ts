import type { Schemas } from './api.ts';

/** The state of an alarm as an operator sees it. `unknown`: it was not evaluated yet. */
export type MarkedState =
	| 'active_unacknowledged'
	| 'active_acknowledged'
	| 'returned_unacknowledged'
	| 'normal'
	| 'shelved'
	| 'disabled'
	| 'unknown';

/** The fields of a listed alarm that decide how it is marked and sorted. */
export type StatedAlarm = Pick<Schemas['AlarmState'], 'id' | 'severity' | 'state' | 'shelvedUntil' | 'active'>;

/** Returns the state that an alarm is marked with. A shelved alarm is marked as shelved, whatever its state is, unless it is disabled. */
export function markedStateOf({ state, shelvedUntil }: Pick<StatedAlarm, 'state' | 'shelvedUntil'>): MarkedState {
	if (state === 'disabled') return 'disabled';
	return shelvedUntil !== null ? 'shelved' : (state ?? 'unknown');
}

/** Whether somebody must acknowledge an alarm. A shelved alarm need not be acknowledged. */
export function isUnacknowledged(alarm: Pick<StatedAlarm, 'state' | 'shelvedUntil'>): boolean {
	const state = markedStateOf(alarm);
	return state === 'active_unacknowledged' || state === 'returned_unacknowledged';
}

/** Whether an alarm is active, shelved or not. Before its first evaluation, the alarm counts as active if its condition is met. */
export function isRaised({ state, active }: Pick<StatedAlarm, 'state' | 'active'>): boolean {
	return state === null ? active === true : state.startsWith('active_');
}

/**
 * Whether the state of an alarm disagrees with the value that is shown beside it. The value is read now. The state comes from the last
 * evaluation, which also applies delays and the deadband. A value does not contradict an alarm that
 * was raised because values were missing.
 */
export function contradictsValue(alarm: Pick<Schemas['AlarmState'], 'state' | 'active' | 'cause'>): boolean {
	const { state, active, cause } = alarm;
	return state !== null && active !== null && cause !== 'no_data' && active !== isRaised(alarm);
}

/** Whether an alarm was raised for lack of data and its condition does not hold. Then the condition is not why it is raised. */
export function isForNoData({ cause, active }: Pick<Schemas['AlarmState'], 'cause' | 'active'>): boolean {
	return cause === 'no_data' && active !== true;
}

/** Whether an alarm concerns somebody now: it is active or not acknowledged, and not shelved. */
export function isOpenAlarm(alarm: Omit<StatedAlarm, 'id' | 'severity'>): boolean {
	return isUnacknowledged(alarm) || (isRaised(alarm) && alarm.shelvedUntil === null);
}

/**
 * Compares alarms worst first: not acknowledged, then acknowledged, unknown, shelved, normal, disabled. Alarms of one group are compared
 * by severity, then by whether they are active, then by the urgency of their states, then by id.
 */
export function compareAlarms(a: StatedAlarm, b: StatedAlarm): number {
	return (
		groupOf(a) - groupOf(b) ||
		severityNumbers[a.severity] - severityNumbers[b.severity] ||
		Number(isRaised(b)) - Number(isRaised(a)) ||
		// Only the first group has alarms of several states, and `urgentFirst` names them all.
		urgentFirst.indexOf(markedStateOf(a)) - urgentFirst.indexOf(markedStateOf(b)) ||
		a.id - b.id
	);
}

/** The states of open alarms, most urgent first. `unknown` is second, because such an alarm is raised and nobody could acknowledge it. */
export const urgentFirst: readonly MarkedState[] = [
	'active_unacknowledged',
	'unknown',
	'returned_unacknowledged',
	'active_acknowledged',
];

/** The groups that follow the alarms that nobody has acknowledged: each has one state. */
const laterGroups: readonly MarkedState[] = ['active_acknowledged', 'unknown', 'shelved', 'normal', 'disabled'];

/**
 * Returns the place of an alarm's group: 0 for the alarms that nobody has acknowledged, then those of `laterGroups`. An alarm that was not
 * evaluated yet, but whose condition is met, is in the first group, because nobody could acknowledge it.
 */
function groupOf(alarm: StatedAlarm): number {
	const state = markedStateOf(alarm);
	return isUnacknowledged(alarm) || (state === 'unknown' && isRaised(alarm)) ? 0 : laterGroups.indexOf(state) + 1;
}

/** The severities as the API names them, worst first. */
export const severityOrder = ['critical', 'warning', 'info'] as const;

/** The severity of an alarm. */
export type Severity = (typeof severityOrder)[number];

/** The numbers of the severities, 1 for the worst. They are drawn in the marks of alarms. */
export const severityNumbers = { critical: 1, warning: 2, info: 3 } as const satisfies Readonly<Record<Severity, number>>;

/**
 * Returns the alarms that must be acknowledged now and did not have to be at the last reading: they were raised, raised again, or
 * unshelved.
 * @param lastKeys the `occurrenceKey` of each unacknowledged alarm of the last reading; null: this is the first reading, and nothing is new
 * @param unacknowledged the alarms that must be acknowledged now
 */
export function raisedSince<Alarm extends Occurrence>(
	lastKeys: ReadonlySet<string> | null,
	unacknowledged: readonly Alarm[],
): readonly Alarm[] {
	return lastKeys === null ? [] : unacknowledged.filter((alarm) => !lastKeys.has(occurrenceKey(alarm)));
}

/** Returns a key that identifies one occurrence of an alarm. */
export function occurrenceKey({ id, occurrence }: Occurrence): string {
	return `${id} ${occurrence}`;
}

type Occurrence = Pick<Schemas['AlarmState'], 'id' | 'occurrence'>;
