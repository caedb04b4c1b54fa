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

/** The facts that the state of an alarm derives from. */
export interface AlarmFacts {
	/** False: the alarm is not evaluated. */
	readonly enabled: boolean;
	/** Null: the alarm was not evaluated yet. */
	readonly state: Pick<EvaluatorState, 'cause' | 'occurrence'> | null;
	/** Null: no operator did anything with the alarm. */
	readonly operator: Pick<OperatorState, 'ackedOccurrence'> | null;
}

/**
 * Returns the state of an alarm that a user sees.
 * @returns null for an enabled alarm that was not evaluated yet
 */
export function derivedState({ enabled, state, operator }: AlarmFacts): DerivedState | null {
	if (!enabled) return 'disabled';
	if (state === null) return null;
	const isAcknowledged = state.occurrence <= (operator?.ackedOccurrence ?? 0);
	if (state.cause === null) return isAcknowledged ? 'normal' : 'returned_unacknowledged';
	return isAcknowledged ? 'active_acknowledged' : 'active_unacknowledged';
}
