import { dayMs } from '../milliseconds.ts';
import type { SampleKey } from '../ports/sample-reader.ts';
import type { Query } from '../variable/query.ts';
import { seriesKeyOf, seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import type { Range } from '../variable/window.ts';
import { momentaryReachMs } from './momentary-readings.ts';
import type { SignalLine } from './totals-request.ts';
import { ownHoldMs } from './variable-signal.ts';

/** How far before the range the base of a counter or of starts may be: 400 d. */
const maxBaseMs = 400 * dayMs;

/** A line with the variable that it reads. */
export interface VariableLine {
	readonly line: SignalLine;
	readonly variable: Variable;
}

/** The distinct series of a request. A series that several lines share is read once. */
export interface SamplePlan {
	readonly keys: readonly SampleKey[];
	/** Returns the position of a query's series in `keys`; -1: it is not planned. */
	readonly positionOf: (query: Query) => number;
}

/**
 * Plans which samples are read: those from one hold before the range to its end. Lines that count differences also need the newest sample
 * before, counters the readings that tell which others were momentary, and excursions the time for which they last.
 */
export function planSamples(lines: readonly VariableLine[], { start, stop }: Range): SamplePlan {
	const keys = new Map<string, SampleKey>();
	for (const { line, variable } of lines) {
		const needsBase = line.asked.function === 'increase' || line.asked.function === 'starts';
		for (const query of variable.varsTsdb.values()) {
			// A query of windows has no hold of its own. Its line then says one, or is refused.
			const aroundMs = line.asked.function === 'increase' ? momentaryReachMs : 0;
			// An excursion that lasts long enough in the range may have begun before it.
			const beforeMs = line.asked.function === 'excursions' ? line.asked.forMs : 0;
			const from = Math.max(0, start - beforeMs - Math.max(line.holdMs ?? ownHoldMs(query) ?? 0, aroundMs));
			const planned = keys.get(seriesOf(query));
			const baseFrom = needsBase ? Math.max(0, start - maxBaseMs) : planned?.baseFrom;
			keys.set(seriesOf(query), {
				...seriesOfQuery(query),
				from: Math.min(from, planned?.from ?? from),
				to: Math.max(stop + aroundMs, planned?.to ?? 0),
				...(baseFrom === undefined ? {} : { baseFrom }),
			});
		}
	}
	const positions = new Map([...keys.keys()].map((series, position) => [series, position]));
	return { keys: [...keys.values()], positionOf: (query) => positions.get(seriesOf(query)) ?? -1 };
}

const seriesOf = (query: Query): string => seriesKeyOf(seriesOfQuery(query));
