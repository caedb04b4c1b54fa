import { type Signal, signal } from '@preact/signals';
import { preference } from './preferences.ts';
import { isStateUnit } from './shown.ts';

/** What the values of a variable were so far. */
interface ValueRecord {
	/** The largest absolute value. */
	readonly size: number;
	/** Whether every value was whole. */
	readonly isWhole: boolean;
	/** Whether the unit is one of a measurement, such as m³/h, not of a count. */
	readonly isMeasured: boolean;
	/** How many decimals the variable is shown with. */
	readonly decimals: number;
}

/** At most so many decimals stay once they were shown. More are shown only while all values are tiny, such as the noise of a sensor at rest. */
const lastingDecimals = 2;

/** Decimals of a measurement that was only zero so far. Most flows have one decimal, and are zero while their pump stands still. */
const decimalsOfZero = 1;

/** Units of measurements: SI symbols with prefixes, also with a divisor (`kWh/m³`), and others of a water plant. Counts have none of these. */
const measuredUnit =
	/^(?:[kMGcdmµμn]?(?:m|l|L|g|Pa|bar|Wh?|VAr?h?|V|A|Hz|S)[²³23]?(?:[ /·].*)?|[%‰]|[°º].*|pH|NTU|FNU|pp[mb]|psi|m\.?c\.?a\.?)$/;

const records = new Map<number, Signal<ValueRecord | undefined>>();

/**
 * Notes values of a variable. They decide with how many decimals it is shown. Of the decimals that were shown, at most two stay for good, so
 * that numbers on the screen do not jump.
 * @param unit null where it is not known
 */
export function noteValues(varId: number, unit: string | null, values: Iterable<number | null>): void {
	const known = [...values].filter((value) => value !== null);
	if (known.length === 0) return;
	const record = recordOf(varId);
	const before = record.peek();
	const after = withValues(before, unit, known);
	if (
		after.size !== before?.size ||
		after.isWhole !== before.isWhole ||
		after.isMeasured !== before.isMeasured ||
		after.decimals !== before.decimals
	)
		record.value = after;
}

/** The most decimals that a person may choose. */
export const maxChosenDecimals = 6;

/** The decimals that people chose in this browser, as the query of a URL: `plant_a%2F4=2` for variable 4 of the schema plant_a. */
const choices = preference<string>('decimals', '', (text) => text);

const shownSchema = signal('');

/** Sets the schema whose variables are shown. */
export function setDecimalsSchema(schema: string): void {
	shownSchema.value = schema;
}

/** Returns how many decimals a person chose for a variable in this browser; null: as its values need. */
export function chosenDecimals(varId: number): number | null {
	const text = new URLSearchParams(choices.value).get(choiceKey(varId)) ?? '';
	return /^\d$/.test(text) && Number(text) <= maxChosenDecimals ? Number(text) : null;
}

/** Chooses how many decimals a variable is shown with in this browser; null: as its values need. */
export function chooseDecimals(varId: number, decimals: number | null): void {
	const params = new URLSearchParams(choices.value);
	if (decimals === null) params.delete(choiceKey(varId));
	else params.set(choiceKey(varId), String(decimals));
	choices.value = params.toString();
}

function choiceKey(varId: number): string {
	return `${shownSchema.value}/${varId}`;
}

/** Forgets the values of all variables. For a change of tenant: ids are the same in each. */
export function forgetValues(): void {
	for (const record of records.values()) record.value = undefined;
}

/** Returns how many decimals a variable is shown with: as a person chose, or as its values need. Two before any value was noted. */
export function decimalsOfVariable(varId: number): number {
	return chosenDecimals(varId) ?? recordOf(varId).value?.decimals ?? decimalsOf([]);
}

/** Returns how many decimals one value of a variable is shown with: as many as if it were noted, but it is not. */
export function decimalsOfValue(varId: number, value: number): number {
	return chosenDecimals(varId) ?? withValues(recordOf(varId).value, null, [value]).decimals;
}

/**
 * Returns how many decimals a list of values is shown with: none where all are whole, otherwise those of the largest absolute value, or
 * those that the source sends where they are more. Two where all are zero.
 */
export function decimalsOf(values: Iterable<number | null>): number {
	let size = 0;
	let areWhole = true;
	let rounded = 0;
	for (const value of values) {
		if (value === null) continue;
		size = Math.max(size, Math.abs(value));
		areWhole &&= Number.isInteger(value);
		rounded = Math.max(rounded, roundedDecimals(value));
	}
	if (size === 0) return 2;
	return areWhole ? 0 : Math.max(decimalsOfSize(size), rounded);
}

function recordOf(varId: number): Signal<ValueRecord | undefined> {
	const record = records.get(varId) ?? signal(undefined);
	records.set(varId, record);
	return record;
}

/**
 * Adds values to the record of a variable. It is shown with the decimals of its largest value, and with those that the source sends where they
 * are more. A count of whole values has none.
 */
function withValues(before: ValueRecord | undefined, unit: string | null, values: readonly number[]): ValueRecord {
	let { size, isWhole } = before ?? { size: 0, isWhole: true };
	let rounded = 0;
	for (const value of values) {
		size = Math.max(size, Math.abs(value));
		// The mean of a state over a window may be a fraction. It is still shown as 0 or 1.
		isWhole &&= Number.isInteger(value) || isStateUnit(unit ?? '');
		rounded = Math.max(rounded, roundedDecimals(value));
	}
	const isMeasured = before?.isMeasured === true || measuredUnit.test((unit ?? '').trim());
	const isCount = isWhole && !isMeasured;
	const ofSize = isCount ? 0 : decimalsOfSize(size);
	const ofSource = isWhole ? 0 : rounded;
	const shownBefore = Math.min(before?.decimals ?? 0, lastingDecimals);
	return { size, isWhole, isMeasured, decimals: Math.max(ofSize, ofSource, shownBefore) };
}

/** Returns how many decimals an absolute value is shown with: none from 1000, one from 10, two from 0.1, three significant digits below. */
function decimalsOfSize(size: number): number {
	if (size === 0) return decimalsOfZero;
	if (size >= 1000) return 0;
	if (size >= 10) return 1;
	if (size >= 0.1) return 2;
	return Math.min(9, 2 - Math.floor(Math.log10(size)));
}

/** Returns the decimals of a value that its source has rounded to one or two: 2 for -273.15. A value with more was not rounded: 0. */
function roundedDecimals(value: number): number {
	const stored = /^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
	return stored <= lastingDecimals ? stored : 0;
}
