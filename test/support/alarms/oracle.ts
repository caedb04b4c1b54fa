import type { FedSample } from '#test/support/fakes/sampled-time-series.ts';
import type { AlarmPlan, PlannedInput } from './random-plan.ts';

/** What the journal must tell. */
export interface ExpectedEvent {
	readonly time: number;
	readonly kind: 'raised' | 'cleared';
	readonly cause: 'condition' | 'no_data';
	readonly occurrence: number;
	readonly seq: number;
	readonly value: number | null;
	readonly quality: 'good' | 'no_data' | 'bad';
	readonly inputs: readonly string[];
}

/** The state at the end. */
export interface ExpectedState {
	readonly on: boolean;
	readonly pendingSince: number | null;
	readonly uncertainSince: number | null;
	readonly lastUsableAt: number;
	readonly silent: boolean;
	readonly cause: 'condition' | 'no_data' | null;
	readonly since: number | null;
	readonly occurrence: number;
	readonly seq: number;
	readonly value: number | null;
}

/**
 * Evaluates a plan second by second: it looks at every second of the range, and counts the seconds that a delay has run. It shares no
 * code with the product and knows nothing of pieces, instants and timers.
 */
export function oracle(plan: AlarmPlan): { readonly events: readonly ExpectedEvent[]; readonly state: ExpectedState } {
	const events: ExpectedEvent[] = [];
	const noDataMs = noDataMsOf(plan);
	let on = false;
	/** Seconds for which a usable value disagreed with `on`; null: it agrees. */
	let disagreed: number | null = null;
	let unusableSince: number | null = null;
	let lastUsableAt = plan.from;
	let silent = false;
	let value: number | null = null;
	let cause: ExpectedState['cause'] = null;
	let since: number | null = null;
	let occurrence = 0;
	for (let at = plan.from; at <= plan.to; at += 1000) {
		const now = lookAt(plan, at);
		// The second that ended now counts where its value was usable.
		if (disagreed !== null && unusableSince === null) disagreed += 1;
		if (now.value === null) unusableSince ??= at;
		else {
			unusableSince = null;
			value = now.value;
			lastUsableAt = Math.max(lastUsableAt, now.sampledAt);
			if (shouldBeOn(plan, on, now.value) === on) disagreed = null;
			else {
				disagreed ??= 0;
				if (disagreed >= (on ? plan.offDelaySeconds : plan.onDelaySeconds)) {
					on = !on;
					disagreed = null;
				}
			}
		}
		silent = noDataMs !== null && at - lastUsableAt >= noDataMs;
		// A value that ends a lack of data without meeting the condition raises nothing: the off delay ends the alarm.
		const isUnmet: boolean = cause === 'no_data' && on && !silent && disagreed !== null;
		const nextCause: ExpectedState['cause'] = isUnmet ? cause : causeOf({ silent, on });
		if (nextCause === cause) continue;
		if (nextCause !== null) occurrence += 1;
		const eventCause = nextCause ?? cause;
		if (eventCause === null) throw new RangeError('An event without a cause.');
		const isTooOld = now.value !== null && nextCause === 'no_data';
		events.push({
			time: at,
			kind: nextCause === null ? 'cleared' : 'raised',
			cause: eventCause,
			occurrence,
			seq: events.length + 1,
			value,
			quality: isTooOld ? 'no_data' : now.quality,
			inputs: isTooOld ? now.oldest : now.culprits,
		});
		cause = nextCause;
		since = at;
	}
	const pendingSince = disagreed === null ? null : (unusableSince ?? plan.to) - disagreed * 1000;
	return {
		events,
		state: {
			on,
			pendingSince,
			uncertainSince: unusableSince,
			lastUsableAt,
			silent,
			cause,
			since,
			occurrence,
			seq: events.length,
			value,
		},
	};
}

/** Missing data comes before the condition. */
function causeOf({ silent, on }: Pick<ExpectedState, 'silent' | 'on'>): ExpectedState['cause'] {
	if (silent) return 'no_data';
	return on ? 'condition' : null;
}

/** What an alarm sees at one second. */
interface Look {
	readonly value: number | null;
	readonly sampledAt: number;
	readonly quality: ExpectedEvent['quality'];
	readonly culprits: readonly string[];
	readonly oldest: readonly string[];
}

/** What is known at a second: of each input the last sample of the seconds that ended, while it is within its lookback. */
function lookAt({ inputs, formula, isByte, bit }: AlarmPlan, at: number): Look {
	const seen = inputs.map((input) => ({ input, sample: knownAt(input, at) }));
	const nothing = { value: null, sampledAt: at, oldest: [] };
	const faulted = seen.filter(({ sample }) => sample !== null && typeof sample.value === 'string');
	if (faulted.length > 0) return { ...nothing, quality: 'bad', culprits: faulted.map(({ input }) => input.name) };
	const absent = seen.filter(({ sample }) => sample === null);
	if (absent.length > 0) return { ...nothing, quality: 'no_data', culprits: absent.map(({ input }) => input.name) };
	const byName = new Map(seen.map(({ input, sample }) => [input.name, Number(sample?.value)]));
	const sampledAt = Math.min(at, ...seen.map(({ sample }) => sample?.endOfSecond ?? at));
	const oldest = seen.filter(({ sample }) => sample?.endOfSecond === sampledAt).map(({ input }) => input.name);
	const good = { sampledAt, quality: 'good' as const, culprits: [], oldest };
	const allNames = inputs.map(({ name }) => name);
	if (bit !== undefined && !isByte) return { ...nothing, quality: 'bad', culprits: allNames };
	if (formula !== null) {
		const value = formula.value(...formula.names.map((name) => byName.get(name) ?? Number.NaN));
		return Number.isFinite(value) ? { ...good, value } : { ...nothing, quality: 'bad', culprits: formula.culprits };
	}
	const [value = Number.NaN] = byName.values();
	if (!isByte) return { ...good, value };
	if (!(value >= 0 && value <= 255 && value % 1 === 0)) return { ...nothing, quality: 'bad', culprits: allNames };
	return { ...good, value: bit === undefined ? value : Math.floor(value / 2 ** bit) % 2 };
}

function knownAt(
	{ samples, lookbackMs }: PlannedInput,
	at: number,
): { readonly value: FedSample[1]; readonly endOfSecond: number } | null {
	// The samples of seconds that ended are those before `at`, which is a whole second.
	let [low, high] = [0, samples.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((samples[middle]?.[0] ?? 0) < at) low = middle + 1;
		else high = middle;
	}
	const last = samples[low - 1];
	if (last === undefined) return null;
	const endOfSecond = last[0] - (last[0] % 1000) + 1000;
	const knownForMs = Math.ceil(lookbackMs / 1000) * 1000;
	return at - endOfSecond < knownForMs ? { value: last[1], endOfSecond } : null;
}

/** Whether a value holds an alarm on, or turns it on. An alarm that is on has a deadband. */
export function shouldBeOn({ condition, threshold, deadband }: AlarmPlan, on: boolean, value: number): boolean {
	switch (condition) {
		case '>':
			return on ? value > threshold - deadband : value > threshold;
		case '>=':
			return on ? value >= threshold - deadband : value >= threshold;
		case '<':
			return on ? value < threshold + deadband : value < threshold;
		case '<=':
			return on ? value <= threshold + deadband : value <= threshold;
		case '==':
			return value === threshold;
		case '!=':
			return value !== threshold;
	}
}

/** At least 60 s and two periods; by default the shortest lookback, at most a day. */
function noDataMsOf({ noDataSeconds, inputs, periodSeconds }: AlarmPlan): number | null {
	if (noDataSeconds === 0) return null;
	const lookbackSeconds = Math.min(86_400, ...inputs.map(({ lookbackMs }) => lookbackMs / 1000));
	const seconds = Math.max(60, inputs.length > 0 ? 2 * periodSeconds : 0, noDataSeconds ?? lookbackSeconds);
	return Math.ceil(seconds) * 1000;
}
