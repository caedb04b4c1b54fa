import type { EvaluatorState } from '../alarm-rows/alarm-rows.ts';
import type { Alarm } from '../board/alarm.ts';
import { maxEventsPerCommit } from '../ports/alarm-store.ts';
import type { Variable } from '../variable/variable.ts';
import { AlarmMachine, type FoldEvent, maxEventsPerStep, silentAt } from './alarm-machine.ts';
import { type EffectiveRules, effectiveRules } from './effective-rules.ts';
import { observe } from './observe.ts';
import type { Piece, PieceReads } from './piece.ts';

/** An alarm with its variable, as both are saved. The versions are those that clients see. */
export interface AlarmDefinition {
	readonly alarm: Alarm;
	readonly alarmVersion: number;
	readonly variable: Variable;
	readonly variableVersion: number;
}

/** In place of a stored state: the alarm was never evaluated. */
export const neverEvaluated = null;

/** The result of evaluating an alarm over a piece. */
export interface FoldResult {
	/** The state at `until`. Its `rowVersion` is the stored one, 0 where no state was stored. */
	readonly state: EvaluatorState;
	readonly events: readonly FoldEvent[];
	/** Whether the piece is evaluated to its end. Otherwise fold again with the state and the same reads. */
	readonly isComplete: boolean;
}

/**
 * Evaluates an alarm over a piece (shared/domain/alarm/README.md#fold). The same samples give the same events wherever time is cut into
 * pieces, and a piece that is evaluated again after its state was stored changes nothing.
 * @param stored the state to go on from; `neverEvaluated`: there is none
 * @param options `maxEvents`: the fold stops before there are more events, at least 3
 * @example
 * const { state, events } = fold(definition, stored, await readPiece(timeSeries, database, observedInputsOf(variable), piece), piece);
 */
export function fold(
	definition: AlarmDefinition,
	stored: EvaluatorState | null,
	reads: PieceReads,
	piece: Piece,
	{ maxEvents = maxEventsPerCommit }: { readonly maxEvents?: number | undefined } = {},
): FoldResult {
	const { alarm, variable } = definition;
	const rules = effectiveRules(alarm, variable);
	const machine = new AlarmMachine(alarm, rules, initialState(definition, rules, stored, piece.from));
	const isFull = (): boolean => machine.events.length + maxEventsPerStep > maxEvents;
	if (!rules.enabled) machine.disable(piece.to);
	else {
		for (const observation of observe(alarm, variable, reads, piece)) {
			if (isFull()) return { ...machine.result(), isComplete: false };
			machine.step(observation);
		}
		if (isFull()) return { ...machine.result(), isComplete: false };
		machine.endAt(piece.to);
	}
	return { ...machine.result(), isComplete: true };
}

/** Returns whether a folded state must be stored. The next fold recomputes a state that was not stored, from its first observation. */
export function mustBeStored(stored: EvaluatorState | null, folded: EvaluatorState): boolean {
	return stored === null || essenceOf(stored) !== essenceOf(folded);
}

/** Returns the fields of a state that must be stored, as text. The next fold computes the others again, and the commit sets `rowVersion`. */
function essenceOf({
	rowVersion: _rowVersion,
	until: _until,
	lastUsableAt: _lastUsableAt,
	value: _value,
	...essence
}: EvaluatorState): string {
	// A stored row may list its fields in another order.
	return JSON.stringify(Object.entries(essence).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The version of the variable in the basis of a disabled alarm: its state does not depend on the variable. */
const noVariable = 0;

/** Returns the state to start from. A change of the alarm or its variable cancels running delays. */
function initialState(
	{ alarmVersion, variableVersion }: AlarmDefinition,
	rules: EffectiveRules,
	stored: EvaluatorState | null,
	from: number,
): EvaluatorState {
	const basis: EvaluatorState['basis'] = [alarmVersion, rules.enabled ? variableVersion : noVariable];
	if (stored === null) return { ...newState, basis, until: from, lastUsableAt: from };
	const until = Math.max(stored.until, from);
	if (stored.basis.join() === basis.join()) return { ...stored, until };
	// An alarm that was disabled until now has its full time without data ahead.
	const lastUsableAt = stored.basis[1] === noVariable ? until : stored.lastUsableAt;
	const silent = stored.silent && silentAt(rules, lastUsableAt) <= until;
	return { ...stored, basis, until, pendingSince: null, lastUsableAt, silent };
}

const newState = {
	rowVersion: 0,
	on: false,
	pendingSince: null,
	uncertainSince: null,
	silent: false,
	cause: null,
	since: null,
	occurrence: 0,
	seq: 0,
	value: null,
};
