import { csvText, localIso } from '#page/format/csv.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import type { IconName } from '#page/parts/icon.tsx';
import type { ChangeEntry } from './change-entries.ts';
import { changeText } from './change-texts.ts';

/** Returns the symbol of who made a change: a person, or a program. */
export function actorIcon({ actor }: ChangeEntry): IconName {
	return actor.kind === 'person' ? 'i-user' : 'i-machine';
}

/** Names an item by its kind and id: `variable 23`. A panel, a person and a machine have no number. */
export function itemWords({ kind, itemId }: Pick<ChangeEntry, 'kind' | 'itemId'>): string {
	const word = commonText().kinds[kind];
	return kind === 'panel' || typeof itemId === 'string' ? word : `${word} ${itemId}`;
}

/**
 * Returns which fields an entry changed (`formula, source`), or which deletion caused it. For a session: why it was refused, and from
 * which address it came.
 */
export function changedWords({
	fields,
	cause,
	reason,
	source,
}: Pick<ChangeEntry, 'fields' | 'cause' | 'reason' | 'source'>): string {
	const text = changeText();
	if (source !== undefined) return reason === undefined ? text.from(source) : `${text.reasons[reason]}, ${text.from(source)}`;
	// Several fields may have one word, such as `kind`.
	const words = new Set(fields.map(fieldWord));
	if (cause !== undefined) words.add(text.byDeletion(commonText().kinds[cause.kind], String(cause.itemId)));
	return [...words].join(', ');
}

/** Returns the word for a field of a stored item. A field without a word keeps its own name. */
export function fieldWord(field: string): string {
	const words: Readonly<Record<string, string>> = { ...changeText().fields, varId: commonText().kinds.variable };
	return Object.hasOwn(words, field) ? (words[field] ?? field) : field;
}

/**
 * Returns the versions of an entry in words: `4 → 5`, `1` for a new item, or for a deletion the version that was deleted. Empty for a
 * session.
 */
export function versionWords({ action, version, replaced }: Pick<ChangeEntry, 'action' | 'version' | 'replaced'>): string {
	if (action === 'signedIn' || action === 'refused') return '';
	if (action === 'deleted') return String(replaced ?? version);
	return replaced === null ? String(version) : `${replaced} → ${version}`;
}

/** Whether the name of an item, its kind and id, or who changed it contains the text of a search. */
export function isFoundChange(entry: ChangeEntry, search: string): boolean {
	const sought = search.trim().toLowerCase();
	return [entry.name, itemWords(entry), entry.actor.name].some((text) => text.toLowerCase().includes(sought));
}

/** Writes entries as CSV, in their order. */
export function changesCsv(entries: readonly ChangeEntry[]): string {
	const text = changeText();
	return csvText([
		text.csvHeads,
		...entries.map((entry) => [
			entry.at,
			localIso(Date.parse(entry.at)),
			commonText().kinds[entry.kind],
			String(entry.itemId),
			entry.name,
			text.actions[entry.action],
			entry.version,
			entry.replaced,
			changedWords(entry),
			actorWords(entry.actor),
			text.via[entry.via],
			entry.requestId,
		]),
	]);
}
