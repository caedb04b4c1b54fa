import { type Signal, signal } from '@preact/signals';
import { preference } from './preferences.ts';
import { isStateUnit } from './shown.ts';

/** What is known of the values of a variable. */
interface ValueRecord {
	/** The largest magnitude. */
	readonly size: number;
	/** Whether every value was whole. */
	readonly isWhole: boolean;
	/** Whether the unit is one of what is measured. */
	readonly isMeasured: boolean;
	/** How many decimals the variable is shown with. */
	readonly decimals: number;
}

/** Decimals that stay once they were shown. More of them belong to tiny values alone, such as the noise of a sensor at rest. */
const lastingDecimals = 2;

/** Decimals of what was measured as zero only: those of most flows, which are zero while their pump stands still. */
const decimalsOfZero = 1;

/** Units of what is measured: SI symbols with prefixes, also over something (`kWh/m³`), and others of a water plant. Counts have none of these. */
const measuredUnit =
	/^(?:[kMGcdmµμn]?(?:m|l|L|g|Pa|bar|Wh?|VAr?h?|V|A|Hz|S)[²³23]?(?:[ /·].*)?|[%‰]|[°º].*|pH|NTU|FNU|pp[mb]|psi|m\.?c\.?a\.?)$/;

const records = new Map<number, Signal<ValueRecord | undefined>>();

/**
 * Notes values that a variable has had, so that it keeps its number of decimals on the screen. That number never falls below what
 * was shown, up to two decimals.
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

/** What people chose in this browser, as parameters of an address: `plant_a%2F4=2`. Ids are the same in every schema. */
const choices = preference<string>('decimals', '', (text) => text);

const plant = signal('');

/** Says whose variables are shown: the name of the schema. */
export function setDecimalsSchema(schema: string): void {
	plant.value = schema;
}

/** Returns how many decimals a person chose for a variable in this browser; null: those of its values. */
export function chosenDecimals(varId: number): number | null {
	const text = new URLSearchParams(choices.value).get(choiceKey(varId)) ?? '';
	return /^\d$/.test(text) && Number(text) <= maxChosenDecimals ? Number(text) : null;
}

/** Chooses how many decimals a variable is shown with in this browser; null: those of its values. */
export function chooseDecimals(varId: number, decimals: number | null): void {
	const params = new URLSearchParams(choices.value);
	if (decimals === null) params.delete(choiceKey(varId));
	else params.set(choiceKey(varId), String(decimals));
	choices.value = params.toString();
}

function choiceKey(varId: number): string {
	return `${plant.value}/${varId}`;
}

/** Forgets the values of all variables: another tenant's have the same ids. */
export function forgetValues(): void {
	for (const record of records.values()) record.value = undefined;
}

/** Returns how many decimals a variable is shown with: those that a person chose, or those of its values. Two before any value was noted. */
export function decimalsOfVariable(varId: number): number {
	return chosenDecimals(varId) ?? recordOf(varId).value?.decimals ?? decimalsOf([]);
}

/** Returns how many decimals a value of a variable is shown with: those that the variable would have if the value were noted. */
export function decimalsOfValue(varId: number, value: number): number {
	return chosenDecimals(varId) ?? withValues(recordOf(varId).value, null, [value]).decimals;
}

/**
 * Returns how many decimals values are shown with: none for whole ones, otherwise those of the largest magnitude, or of a rounded value
 * where that has more. Two where all are zero.
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

function withValues(before: ValueRecord | undefined, unit: string | null, values: readonly number[]): ValueRecord {
	let { size, isWhole } = before ?? { size: 0, isWhole: true };
	let rounded = 0;
	for (const value of values) {
		size = Math.max(size, Math.abs(value));
		// A state has windows in which it was on for a part of the time. It is shown as 0 or 1 all the same.
		isWhole &&= Number.isInteger(value) || isStateUnit(unit ?? '');
		rounded = Math.max(rounded, roundedDecimals(value));
	}
	const isMeasured = before?.isMeasured === true || measuredUnit.test((unit ?? '').trim());
	const needed = isWhole && !isMeasured ? 0 : size === 0 ? decimalsOfZero : decimalsOfSize(size);
	const decimals = Math.max(needed, isWhole ? 0 : rounded, Math.min(before?.decimals ?? 0, lastingDecimals));
	return { size, isWhole, isMeasured, decimals };
}

/** Returns how many decimals a magnitude above zero is shown with: none from a thousand, one from ten, two from a tenth, three digits below. */
function decimalsOfSize(size: number): number {
	if (size >= 1000) return 0;
	if (size >= 10) return 1;
	if (size >= 0.1) return 2;
	return Math.min(9, 2 - Math.floor(Math.log10(size)));
}

/** Returns the decimals of a value that its source rounded, at most two: -273.15 has them all. A value with more is not rounded, and has none. */
function roundedDecimals(value: number): number {
	const stored = /^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
	return stored <= lastingDecimals ? stored : 0;
}
