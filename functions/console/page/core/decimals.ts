import { type Signal, signal } from '@preact/signals';
import { decimalsOfSize, mostSourceDecimals, roundedDecimals } from '#domain/variable/usual-decimals.ts';
import { chosenDecimals } from './chosen-decimals.ts';
import { isStateUnit } from './shown.ts';

// How many decimals are shown: those that a person chose for the variable, or else those that its values need. Each list of values below
// is seen as a whole, so that numbers beside each other have equal decimals.
//
// | values | unit | decimals | because |
// |---|---|---|---|
// | 1663.7123 | | 0 | of the size |
// | 258.3 | | 1 | of the size |
// | -273.15 | °C | 2 | the source sends two |
// | 2, 5 | pumps | 0 | it is a count: all values are whole, and the unit is none of a measurement |

/** What the values of a variable so far say. */
interface ValueRecord {
	/** The largest absolute value. */
	readonly size: number;
	/** Whether every value was whole. */
	readonly isWhole: boolean;
	/** Whether the unit is that of a measurement, such as m³/h, and not that of a count. */
	readonly isMeasured: boolean;
	/** How many decimals the variable is shown with. */
	readonly decimals: number;
}

/** The records by the id of the variable. */
const records = new Map<number, Signal<ValueRecord | undefined>>();

/** Decimals of a variable without a recorded value, and of a list of zeros, for which no unit is known. */
const decimalsOfUnknown = 2;

/**
 * Records values of a variable, which decide how many decimals it is shown with. Up to two decimals that were shown once are kept, so
 * that numbers on the screen do not change their width.
 * @param unit null where it is not known
 */
export function noteValues(varId: number, unit: string | null, values: Iterable<number | null>): void {
	const numbers = [...values].filter((value) => value !== null);
	if (numbers.length === 0) return;
	const record = recordOf(varId);
	const before = record.peek();
	const after = withValues(before, numbers, unit);
	// The signal changes only with the record, so that most polls render nothing again.
	if (
		after.size !== before?.size ||
		after.isWhole !== before.isWhole ||
		after.isMeasured !== before.isMeasured ||
		after.decimals !== before.decimals
	)
		record.value = after;
}

/** Forgets the values of all variables. Needed when the tenant changes, because all tenants use the same ids. */
export function forgetValues(): void {
	// The signals stay, because components on the screen depend on them.
	for (const record of records.values()) record.value = undefined;
}

/** Returns how many decimals a variable is shown with. Two before any value was recorded. */
export function decimalsOfVariable(varId: number): number {
	return chosenDecimals(varId) ?? recordOf(varId).value?.decimals ?? decimalsOfUnknown;
}

/**
 * Returns how many decimals one value of a variable is shown with, taking the recorded values into account. The value itself is not
 * recorded.
 */
export function decimalsOfValue(varId: number, value: number): number {
	return chosenDecimals(varId) ?? withValues(recordOf(varId).value, [value]).decimals;
}

/** Returns how many decimals a list of values without a variable is shown with: none where all are whole, two where all are zero. */
export function decimalsOf(values: Iterable<number | null>): number {
	const numbers = [...values].filter((value) => value !== null);
	const size = largestOf(numbers);
	if (size === 0) return decimalsOfUnknown;
	return numbers.every(Number.isInteger) ? 0 : Math.max(decimalsOfSize(size), sourceDecimals(numbers));
}

/** Returns the record of a variable, which is created when it is first asked for. */
function recordOf(varId: number): Signal<ValueRecord | undefined> {
	const record = records.get(varId) ?? signal(undefined);
	records.set(varId, record);
	return record;
}

/** Units of measurements: SI symbols with prefixes, also with a divisor (`kWh/m³`), and others of a water plant. Counts have none of these. */
const measuredUnit =
	/^(?:[kMGcdmµμn]?(?:m|l|L|g|Pa|bar|Wh?|VAr?h?|V|A|Hz|S)[²³23]?(?:[ /·].*)?|[%‰]|[°º].*|pH|NTU|FNU|pp[mb]|psi|m\.?c\.?a\.?)$/;

/** Returns the record of a variable with more values. */
function withValues(before: ValueRecord | undefined, values: readonly number[], unit: string | null = null): ValueRecord {
	const size = Math.max(before?.size ?? 0, largestOf(values));
	// The mean of a state over a window may be a fraction. It is still shown as 0 or 1.
	const isWhole = (before?.isWhole ?? true) && (isStateUnit(unit ?? '') || values.every(Number.isInteger));
	const isMeasured = before?.isMeasured === true || measuredUnit.test((unit ?? '').trim());
	const isCount = isWhole && !isMeasured;
	const ofSize = isCount ? 0 : decimalsOfSize(size);
	const ofSource = isWhole ? 0 : sourceDecimals(values);
	// More decimals are shown only while all values are tiny, such as the noise of a sensor at rest.
	const shownBefore = Math.min(before?.decimals ?? 0, mostSourceDecimals);
	return { size, isWhole, isMeasured, decimals: Math.max(ofSize, ofSource, shownBefore) };
}

/** Returns the largest absolute value; 0 without any. */
function largestOf(values: readonly number[]): number {
	return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/** Returns the most decimals, up to two, that the source has rounded one of the values to. */
function sourceDecimals(values: readonly number[]): number {
	return values.reduce((most, value) => Math.max(most, roundedDecimals(value)), 0);
}
