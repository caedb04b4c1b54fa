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

/** Returns the state that an alarm is marked with. A shelved alarm is marked as shelved, whatever its state is. */
export function markedStateOf({ state, shelvedUntil }: Pick<StatedAlarm, 'state' | 'shelvedUntil'>): MarkedState {
	if (state === 'disabled') return 'disabled';
	return shelvedUntil !== null ? 'shelved' : (state ?? 'unknown');
}

/** Whether somebody must acknowledge an alarm. Nobody is asked to while it is shelved. */
export function isUnacknowledged(alarm: Pick<StatedAlarm, 'state' | 'shelvedUntil'>): boolean {
	const state = markedStateOf(alarm);
	return state === 'active_unacknowledged' || state === 'returned_unacknowledged';
}

/** Whether an alarm is active; whether it is shelved makes no difference. Before its first evaluation, its condition decides. */
export function isRaised({ state, active }: Pick<StatedAlarm, 'state' | 'active'>): boolean {
	return state === null ? active === true : state.startsWith('active_');
}

/**
 * Whether the state of an alarm disagrees with the value that is shown beside it. That happens: the value is of now, and the state is of the
 * last evaluation and waits for delays and the deadband.
 */
export function contradictsValue(alarm: Pick<Schemas['AlarmState'], 'state' | 'active' | 'cause'>): boolean {
	const { state, active, cause } = alarm;
	return state !== null && active !== null && cause !== 'no_data' && active !== isRaised(alarm);
}

/** Whether an alarm concerns somebody now: it is active or not acknowledged, and not shelved. */
export function isOpenAlarm(alarm: Omit<StatedAlarm, 'id' | 'severity'>): boolean {
	return isUnacknowledged(alarm) || (isRaised(alarm) && alarm.shelvedUntil === null);
}

/**
 * Compares alarms worst first: not acknowledged, then acknowledged, unknown, shelved, normal, disabled. In each group severity decides, then
 * whether it is raised, then the id.
 */
export function compareAlarms(a: StatedAlarm, b: StatedAlarm): number {
	return (
		groupOf(a) - groupOf(b) ||
		severityNumbers[a.severity] - severityNumbers[b.severity] ||
		Number(isRaised(b)) - Number(isRaised(a)) ||
		a.id - b.id
	);
}

/** The order of the groups that follow the alarms that nobody has acknowledged. */
const laterGroups: readonly MarkedState[] = ['active_acknowledged', 'unknown', 'shelved', 'normal', 'disabled'];

/** An alarm that was not evaluated yet and whose condition is met sorts with the unacknowledged ones: nobody could acknowledge it. */
function groupOf(alarm: StatedAlarm): number {
	const state = markedStateOf(alarm);
	return isUnacknowledged(alarm) || (state === 'unknown' && isRaised(alarm)) ? -1 : laterGroups.indexOf(state);
}

/** The severity of an alarm, as the API names it. */
export type Severity = 'critical' | 'warning' | 'info';

/** The numbers of the severities, 1 for the worst. They are drawn in the marks of alarms. */
export const severityNumbers = { critical: 1, warning: 2, info: 3 } as const satisfies Readonly<Record<Severity, number>>;

/**
 * Returns the alarms that must be acknowledged since the last reading: raised, raised again, or no longer shelved.
 * @param known the unacknowledged occurrences of the last reading, by `occurrenceKey`; null: this is the first reading, and nothing is new
 * @param current the alarms that must be acknowledged now
 */
export function raisedSince<Alarm extends Occurrence>(
	known: ReadonlySet<string> | null,
	current: readonly Alarm[],
): readonly Alarm[] {
	return known === null ? [] : current.filter((alarm) => !known.has(occurrenceKey(alarm)));
}

/** Names an occurrence of an alarm. */
export function occurrenceKey({ id, occurrence }: Occurrence): string {
	return `${id} ${occurrence}`;
}

type Occurrence = Pick<Schemas['AlarmState'], 'id' | 'occurrence'>;
