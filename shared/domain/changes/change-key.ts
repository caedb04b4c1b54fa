import type { ChangeEntry, ChangeKey, ItemKey } from './change-entry.ts';

// Numbers of a key have leading zeros up to these lengths, so that keys sort as their numbers do.
const idDigits = 16;
const versionDigits = 10;
const timeDigits = 13;

/** Returns the start that the keys of an item's entries share. */
export function itemKeyText({ kind, itemId }: ItemKey): string {
	return `${kind}#${typeof itemId === 'number' ? digits(itemId, idDigits) : encodeURIComponent(itemId)}#`;
}

/** Returns the start that the keys of the entries of one row version share. Tables that are restored from a backup can lead to two. */
export function changeKeyStart(key: ChangeKey): string {
	return `${itemKeyText(key)}${digits(key.rowVersion, versionDigits)}`;
}

/**
 * Returns the key of an entry as text. The entries of an item sort by their row version.
 * @example
 * changeKeyText({ kind: 'variable', itemId: 7, rowVersion: 3, at: 1764000000000 }); // 'variable#0000000000000007#0000000003#1764000000000'
 */
export function changeKeyText(entry: Pick<ChangeEntry, 'at' | keyof ChangeKey>): string {
	return `${changeKeyStart(entry)}#${changeTimeStart(entry.at)}`;
}

/** Returns the key by which entries sort by time; entries of one millisecond by their item and row version. */
export function changeTimeText(entry: Pick<ChangeEntry, 'at' | keyof ChangeKey>): string {
	return `${changeTimeStart(entry.at)}#${changeKeyStart(entry)}`;
}

/** Returns the start of the time keys of entries at `time` (epoch milliseconds), for limits of a range. */
export function changeTimeStart(time: number): string {
	return digits(time, timeDigits);
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');
