import type { CounterRule } from '#domain/totals/fold-counter.ts';

/** Samples of a case, ascending, at whole milliseconds. */
export interface OracleSignal {
	readonly samples: readonly { readonly at: number; readonly value: number | null }[];
	readonly holdMs: number;
}

/** The value that is known at an instant; null where none is: the rule T1, literally. */
export function known({ samples, holdMs }: OracleSignal, at: number): number | null {
	const newest = samples.filter((sample) => sample.at <= at).at(-1);
	return newest === undefined || at >= newest.at + holdMs ? null : newest.value;
}

/** What the fold must tell of [from, to), found millisecond by millisecond. */
export function oracle(signal: OracleSignal, from: number, to: number, above: number | undefined) {
	const isOn = (value: number): boolean => (above === undefined ? value !== 0 : value > above);
	const instants = Array.from({ length: to - from }, (_, index) => from + index);
	const seen = instants.flatMap((at) => {
		const value = known(signal, at);
		return value === null ? [] : [{ at, value }];
	});
	const values = seen.map(({ value }) => value);
	const firstOn = seen.find(({ value }) => isOn(value))?.at;
	const extreme = (value: number) => (values.length === 0 ? null : { value, at: seen.find((each) => each.value === value)?.at });
	const pairs = pairsOf(signal).filter(({ later }) => later.at >= from && later.at < to);
	const isStart = ({ earlier, later }: OraclePair): number => (!isOn(earlier.value) && isOn(later.value) ? 1 : 0);
	const over = pairs.find((pair) => pair.isWide && pair.earlier.at < from);
	return {
		from,
		span: to - from,
		known: seen.length,
		integral: values.reduce((sum, value) => sum + value, 0),
		min: extreme(Math.min(...values)),
		max: extreme(Math.max(...values)),
		on: values.filter(isOn).length,
		...(firstOn === undefined ? {} : { firstOn }),
		starts: pairs.reduce((sum, pair) => sum + isStart(pair), 0),
		hasBase: signal.samples.some(({ at, value }) => at < from && value !== null),
		over: over === undefined ? null : { at: over.earlier.at, starts: isStart(over) },
	};
}

/** What the fold of a counter must tell of (from, to]. */
export function counterOracle(signal: OracleSignal, { size, dip }: CounterRule, from: number, to: number) {
	const all = pairsOf(signal)
		.filter(({ later }) => later.at > from && later.at <= to)
		.map((pair) => {
			let difference = pair.later.value - pair.earlier.value;
			const fell = difference < -dip;
			if (size !== undefined) {
				while (difference < -dip) difference += size;
				while (difference >= size - dip) difference -= size;
			}
			const isFault = size === undefined ? fell : difference > size / 10;
			const faultCode = fell ? 'counter_fell' : 'counter_jumped';
			return { ...pair, difference, code: isFault ? faultCode : null };
		});
	const counted = all.filter(({ code }) => code === null);
	const over = counted.find((pair) => pair.isWide && pair.earlier.at < from);
	return {
		from,
		increase: counted.reduce((sum, { difference }) => sum + difference, 0),
		pairs: counted.length,
		hasBase: signal.samples.some(({ at, value }) => at <= from && value !== null),
		over: over === undefined ? null : { at: over.earlier.at, increase: over.difference },
		isKnownAtEnd: known(signal, to) !== null,
		faults: all.flatMap(({ code, earlier, later }) => (code === null ? [] : [{ code, from: earlier, to: later }])),
	};
}

/** Two consecutive samples with a number. */
interface OraclePair {
	readonly earlier: { readonly at: number; readonly value: number };
	readonly later: { readonly at: number; readonly value: number };
	readonly isWide: boolean;
}

function pairsOf(signal: OracleSignal): readonly OraclePair[] {
	const numbers = signal.samples.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
	return numbers.slice(1).map((later, index) => {
		const earlier = numbers[index] ?? later;
		const between = Array.from({ length: later.at - earlier.at }, (_, step) => earlier.at + step);
		return { earlier, later, isWide: between.some((at) => known(signal, at) === null) };
	});
}
