import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { EvaluatorState } from '../alarm-rows/alarm-rows.ts';
import type { Alarm } from '../board/alarm.ts';
import { clearingThreshold, isActive } from '../board/condition.ts';
import type { EffectiveRules } from './effective-rules.ts';
import type { Observation } from './observe.ts';

/** An event of the evaluator, as the journal tells it. `time` is epoch milliseconds; `seq` numbers the events of the alarm. */
export interface FoldEvent extends Pick<AlarmEvent, 'time' | 'occurrence' | 'cause' | 'value' | 'quality' | 'inputs'> {
	readonly kind: 'raised' | 'cleared';
	readonly seq: number;
}

/** Most events of one step: two timers before the observation, and the observation itself. */
export const maxEventsPerStep = 3;

/**
 * Returns when the alarm is raised for lack of data, if no usable value comes after `lastUsableAt`: epoch milliseconds, or infinity when
 * lack of data never raises it.
 */
export function silentAt({ noDataMs }: EffectiveRules, lastUsableAt: number): number {
	return noDataMs === null ? Number.POSITIVE_INFINITY : lastUsableAt + noDataMs;
}

/** Steps the state of one alarm through observations and timers. */
export class AlarmMachine {
	readonly events: FoldEvent[] = [];
	readonly #alarm: Alarm;
	readonly #rules: EffectiveRules;
	readonly #state: EvaluatorState;
	/** The newest observation. */
	#observation: Observation | null = null;

	constructor(alarm: Alarm, rules: EffectiveRules, state: EvaluatorState) {
		this.#alarm = alarm;
		this.#rules = rules;
		this.#state = { ...state };
	}

	/** Returns the present state and the events until now. */
	result(): { readonly state: EvaluatorState; readonly events: readonly FoldEvent[] } {
		return { state: this.#state, events: this.events };
	}

	/** Processes an observation. One before `until` was processed by an earlier fold, so it is only remembered. */
	step(observation: Observation): void {
		const state = this.#state;
		const { at, value } = observation;
		// Timers that are due before an observation run with the previous one. No timer runs before an observation at `until`, because the
		// observation may bring a newer usable value.
		if (at > state.until) this.#runTimers(at - 1);
		this.#observation = observation;
		if (at < state.until) return;
		state.until = at;
		if (value === null) state.uncertainSince ??= at;
		else this.#takeValue(at, value, observation.sampledAt);
		this.#settle(at);
		// At one instant, observations come before timers.
		this.#runTimers(at);
	}

	/** Runs the timers until the end of the piece. */
	endAt(to: number): void {
		this.#runTimers(to);
		this.#state.until = Math.max(this.#state.until, to);
	}

	/** Clears the alarm if it is active, and resets its condition and delays. */
	disable(to: number): void {
		const state = this.#state;
		state.on = false;
		state.silent = false;
		state.pendingSince = null;
		state.uncertainSince = null;
		// The alarm ends at the time of its state: from then on it was not evaluated.
		if (state.cause !== null) this.#end(state.until, 'disabled');
		state.until = Math.max(state.until, to);
	}

	/** Takes a usable value into the state. */
	#takeValue(at: number, value: number, sampledAt: number): void {
		const state = this.#state;
		// Delays pause while there is no usable value.
		if (state.uncertainSince !== null && state.pendingSince !== null) state.pendingSince += at - state.uncertainSince;
		state.uncertainSince = null;
		state.lastUsableAt = Math.max(state.lastUsableAt, sampledAt);
		state.value = value;
		if (this.#holds(value) === state.on) state.pendingSince = null;
		else state.pendingSince ??= at;
		// A delay of 0 ends at once.
		if (this.#flipsAt() <= at) this.#flip();
		state.silent = this.#silentAt() <= at;
	}

	/** Whether the condition holds. An alarm that is on stays on until the value is past the threshold by the deadband. */
	#holds(value: number): boolean {
		const { condition, threshold } = this.#alarm;
		const limit = this.#state.on ? clearingThreshold(this.#alarm, this.#rules.deadband) : threshold;
		return isActive({ condition, threshold: limit }, value);
	}

	/** Runs the timers that are due until `end`. Timers that are due at the same time run together. */
	#runTimers(end: number): void {
		const state = this.#state;
		for (let next = this.#nextTimerAt(); next <= end; next = this.#nextTimerAt()) {
			const at = Math.max(next, state.until);
			if (this.#delayTimerAt() <= at) this.#flip();
			if (this.#silentAt() <= at) state.silent = true;
			this.#settle(at);
		}
	}

	/** When the next timer is due: infinity where none runs. */
	#nextTimerAt(): number {
		return Math.min(this.#delayTimerAt(), this.#state.silent ? Number.POSITIVE_INFINITY : this.#silentAt());
	}

	/** When the timer of the delay is due: infinity while there is no usable value, because the delay is paused then. */
	#delayTimerAt(): number {
		return this.#state.uncertainSince === null ? this.#flipsAt() : Number.POSITIVE_INFINITY;
	}

	/** When the delay ends, if the value stays as it is. */
	#flipsAt(): number {
		const { on, pendingSince } = this.#state;
		if (pendingSince === null) return Number.POSITIVE_INFINITY;
		return pendingSince + (on ? this.#rules.offDelayMs : this.#rules.onDelayMs);
	}

	#silentAt(): number {
		return silentAt(this.#rules, this.#state.lastUsableAt);
	}

	/** Turns the condition on or off, at the end of its delay. */
	#flip(): void {
		this.#state.on = !this.#state.on;
		this.#state.pendingSince = null;
	}

	/** Raises or clears the alarm where its cause changed. */
	#settle(at: number): void {
		const state = this.#state;
		const cause = this.#cause();
		if (cause === state.cause) return;
		if (cause === null) this.#end(at, state.cause);
		else {
			state.occurrence += 1;
			state.cause = cause;
			state.since = at;
			this.#add(at, 'raised', cause);
		}
	}

	/**
	 * Returns why the alarm is active. A lack of data counts before the condition, which is not known then. A value that ends it without
	 * meeting the condition does not raise the alarm for its condition: the cause stays until the off delay clears the alarm.
	 */
	#cause(): EvaluatorState['cause'] {
		const { silent, on, cause, value } = this.#state;
		if (silent) return 'no_data';
		if (!on) return null;
		return cause === 'no_data' && value !== null && !this.#holds(value) ? 'no_data' : 'condition';
	}

	/** Clears the alarm. */
	#end(at: number, cause: FoldEvent['cause']): void {
		this.#state.cause = null;
		this.#state.since = at;
		this.#add(at, 'cleared', cause);
	}

	#add(time: number, kind: FoldEvent['kind'], cause: FoldEvent['cause']): void {
		const state = this.#state;
		state.seq += 1;
		const { occurrence, seq, value } = state;
		this.events.push({ time, kind, cause, occurrence, seq, value, ...this.#evidence(kind === 'raised' && cause === 'no_data') });
	}

	/**
	 * Returns the quality and the inputs that an event records. Inputs explain a value that is not good, so a good one records none. When the
	 * alarm is raised for lack of data, the last usable value is too old, so its quality is `no_data`.
	 */
	#evidence(isRaisedWithoutData: boolean): Pick<FoldEvent, 'quality' | 'inputs'> {
		if (this.#observation === null) return { quality: null, inputs: [] };
		const { quality, inputs } = this.#observation;
		if (quality !== 'good') return { quality, inputs: [...inputs] };
		return isRaisedWithoutData ? { quality: 'no_data', inputs: [...inputs] } : { quality, inputs: [] };
	}
}
