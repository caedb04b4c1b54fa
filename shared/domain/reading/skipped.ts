import { countedWords } from '../validation/counted.ts';
import type { Bit } from '../variable/bit.ts';
import type { Variable } from '../variable/variable.ts';
import { type BudgetItem, readLimits, type Shortage } from './budget.ts';
import type { Reason, SkipCode } from './quality.ts';
import type { Reading } from './reading.ts';

/** Creates the reading of a variable for which a budget of the request was short (shared/domain/reading/README.md#budgets). */
export function skippedVariable(variable: Variable, shortage: Shortage): Reading {
	const { id, name, unit, type } = variable;
	const bits = variable.binary_compressed ? variable.bits : null;
	return skipped({ id, name, unit, type, bits, isCalculated: variable.calc }, reasonOfShortage(shortage));
}

/**
 * Returns a reading without its values, because an answer with them would be too large. Name, unit and bits stay.
 * @param remedy what the client can do, as the end of a sentence
 */
export function withoutValues(reading: Reading, remedy: string): Reading {
	return skipped({ ...reading, isCalculated: reading.inputTimes !== null }, tooLarge(remedy));
}

/** Returns the reading with nothing but its id and the reason, because an answer with the names of variables would be too large. */
export function withoutNames({ id }: Reading, remedy: string): Reading {
	return skipped({ id, name: null, unit: null, type: null, bits: null, isCalculated: false }, tooLarge(remedy));
}

/** Returns the message for a variable that could never be read, because it alone exceeds a budget. */
export function excessMessage({ item, needed }: Shortage): string {
	return `Its queries take ${numberFormat.format(needed)} ${countedWords[item]} together, at most ${numberFormat.format(readLimits[item])}: take longer periods or shorter times.`;
}

const numberFormat = new Intl.NumberFormat('en');

/** The codes of what is short. */
const codes: Readonly<Record<BudgetItem, SkipCode>> = {
	variables: 'too_many_variables',
	windows: 'too_many_windows',
	series: 'too_many_series',
	streams: 'too_many_series',
};

/** Names what is left of the budget, unless the variable could never be read: then what it alone needs. */
function reasonOfShortage(shortage: Shortage): Reason {
	const { item, needed, left } = shortage;
	const limit = readLimits[item];
	const message =
		needed > limit
			? excessMessage(shortage)
			: `Needs ${numberFormat.format(needed)} of ${numberFormat.format(limit)} ${countedWords[item]}, ${numberFormat.format(left)} were left: ask for it in another request.`;
	return { code: codes[item], message, inputs: [] };
}

const tooLarge = (remedy: string): Reason => ({
	code: 'answer_too_large',
	message: `The answer would be larger than 6 MB: ${remedy}.`,
	inputs: [],
});

/** What a skipped reading tells of its variable. */
interface SkippedFacts extends Pick<Reading, 'id' | 'name' | 'unit' | 'type'> {
	/** Null: the variable is not bit-compressed, or nothing is told of it. */
	readonly bits: readonly Bit[] | null;
	readonly isCalculated: boolean;
}

/** Returns a skipped reading, which has no value. */
function skipped({ id, name, unit, type, bits, isCalculated }: SkippedFacts, reason: Reason): Reading {
	return {
		id,
		name,
		unit,
		type,
		content: type === 'history' ? { type, series: [] } : { type: 'last', value: null, time: null },
		quality: 'skipped',
		reason,
		bits: bits === null ? null : bits.map((bit) => ({ id: bit.id, name: bit.name, bit: bit.bit, value: null })),
		inputTimes: isCalculated ? { oldest: null, newest: null } : null,
	};
}
