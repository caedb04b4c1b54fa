import { accessKinds, type ChangeEntry, type ItemKey } from './change-entry.ts';
import { itemKeyText } from './change-key.ts';

/**
 * A place in the journal where an item's versions do not follow each other. `skipped`: versions that no entry tells of, made by an earlier
 * release. `forked`: two entries of one row version, because tables were restored from a backup. `ahead`: the journal ends after what is
 * stored, for the same reason; `behind`: before it.
 */
export interface JournalGap {
	readonly item: ItemKey;
	readonly kind: 'skipped' | 'forked' | 'ahead' | 'behind';
	/** The versions before and after the gap: those of two entries, or of an entry and the stored row; 0 when nothing is stored. */
	readonly from: number;
	readonly to: number;
}

/**
 * Follows the entries of each item and returns where they do not follow each other.
 * @param entries of one schema, each item's one after another by ascending row version
 * @param stored the version of each item that is stored, by `itemKeyText`. An item without entries has no gap, whether it is stored or not
 */
export function gapsOf(entries: readonly ChangeEntry[], stored: ReadonlyMap<string, number>): readonly JournalGap[] {
	// Sessions have no versions.
	const versioned = entries.filter(({ kind }) => kind !== 'session');
	return [...Map.groupBy(versioned, itemKeyText).values()].flatMap((ofItem) => [
		...ofItem.slice(1).flatMap((entry, index) => gapBetween(ofItem[index], entry)),
		...gapAtEnd(ofItem.at(-1), stored),
	]);
}

/** Returns the gap between two entries of an item that follow each other; none where the later one replaced what the earlier one left. */
function gapBetween(before: ChangeEntry | undefined, after: ChangeEntry): readonly JournalGap[] {
	if (before === undefined) return [];
	const place = { item: itemOf(after), from: before.version, to: after.version };
	if (before.rowVersion === after.rowVersion) return [{ ...place, kind: 'forked' }];
	const leftVersion = before.action === 'deleted' ? null : before.version;
	return after.replaced === leftVersion ? [] : [{ ...place, kind: 'skipped' }];
}

/** Returns the gap between the last entry of an item and what is stored. People, machines and grants are not among the stored versions. */
function gapAtEnd(last: ChangeEntry | undefined, stored: ReadonlyMap<string, number>): readonly JournalGap[] {
	if (last === undefined || accessKinds.includes(last.kind)) return [];
	const leftVersion = last.action === 'deleted' ? 0 : last.version;
	const storedVersion = stored.get(itemKeyText(last)) ?? 0;
	if (leftVersion === storedVersion) return [];
	const kind = storedVersion > last.version ? 'behind' : 'ahead';
	return [{ item: itemOf(last), from: last.version, to: storedVersion, kind }];
}

const itemOf = ({ kind, itemId }: ChangeEntry): ItemKey => ({ kind, itemId });
