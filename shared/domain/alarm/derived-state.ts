import type { EvaluatorState, OperatorState } from '../alarm-rows/alarm-rows.ts';

/** The states of an alarm that a user sees (shared/domain/alarm/README.md#states). */
export const derivedStates = [
	'normal',
	'returned_unacknowledged',
	'active_acknowledged',
	'active_unacknowledged',
	'disabled',
] as const;

/** A state of an alarm that a user sees. */
export type DerivedState = (typeof derivedStates)[number];

/**
 * Returns the state of an alarm that a user sees.
 * @param enabled whether the alarm is evaluated
 * @param evaluated null: the alarm was not evaluated yet
 * @param operated null: no operator did anything with the alarm
 * @returns null for an enabled alarm that was not evaluated yet
 */
export function derivedState(
	enabled: boolean,
	evaluated: Pick<EvaluatorState, 'cause' | 'occurrence'> | null,
	operated: Pick<OperatorState, 'ackedOccurrence'> | null,
): DerivedState | null {
	if (!enabled) return 'disabled';
	if (evaluated === null) return null;
	const acknowledged = evaluated.occurrence <= (operated?.ackedOccurrence ?? 0);
	if (evaluated.cause === null) return acknowledged ? 'normal' : 'returned_unacknowledged';
	return acknowledged ? 'active_acknowledged' : 'active_unacknowledged';
}
