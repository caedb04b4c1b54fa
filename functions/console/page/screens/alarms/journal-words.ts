import { isActive } from '#domain/board/condition.ts';
import { isolatedName } from '#domain/isolated-name.ts';
import type { Schemas } from '#page/core/api.ts';
import { withUnit } from '#page/format/condition.ts';
import { csvText, localIso } from '#page/format/csv.ts';
import { formatExact } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { conditionWords } from '#page/i18n/alarm-states.ts';
import { alarmIcon } from '#page/parts/alarm-mark.tsx';
import type { IconName } from '#page/parts/icon.tsx';
import { journalText } from './journal-texts.ts';

/** An entry of the journal of alarms. */
export type JournalEntry = Schemas['JournalEntry'];

/** The kinds of entries, in the order of the filter. */
export const journalKinds = [
	'raised',
	'cleared',
	'acknowledged',
	'shelved',
	'unshelved',
	'changed',
	'deleted',
	'gap',
] as const satisfies readonly JournalEntry['kind'][];

/** Returns the icon of an entry. Its shape is the severity, and its fill is the state after the entry. */
export function entryIcon({ kind, alarm }: Pick<JournalEntry, 'kind' | 'alarm'>): IconName {
	// An entry that concerns all alarms has no alarm, and a symbol without a severity.
	const severity = alarm?.severity ?? 'info';
	switch (kind) {
		case 'raised':
			return alarmIcon(severity, 'active_unacknowledged');
		case 'acknowledged':
			return alarmIcon(severity, 'active_acknowledged');
		case 'cleared':
			return alarmIcon(severity, 'returned_unacknowledged');
		case 'shelved':
			return 'a-shelved';
		case 'unshelved':
			return 'i-play';
		case 'changed':
			return 'i-list';
		case 'deleted':
			return 'i-x';
		case 'gap':
			return 'q-uncertain';
	}
}

/** Returns the details of an entry: the value and the threshold, the missing inputs, and who did it and why. */
export function entryDetails({ kind, time, cause, value, inputs, actors, comment, shelvedUntil, alarm }: JournalEntry): string {
	const text = journalText();
	const unit = alarm?.unit ?? '';
	const shown = value === null ? null : rounded(value);
	const valueText = shown === null ? '' : withUnit(formatExact(shown), unit);
	// After a time without data, the value of an alarm that is raised again may be within the deadband.
	const hasMetCondition =
		kind === 'raised' && cause === 'condition' && alarm !== null && shown !== null && isActive(alarm, shown);
	const shelfText = shelvedUntil === undefined ? '' : text.shelvedFor(formatAge(Date.parse(shelvedUntil) - Date.parse(time)));
	const parts = [
		cause === null || cause === 'condition' ? '' : text.causes[cause],
		cause === 'no_data' ? inputs.map(isolatedName).join(', ') : '',
		valueText,
		hasMetCondition ? conditionWords(alarm, unit) : '',
		shelfText,
		isolatedName(actorWords(actors.user)),
		comment ?? '',
	];
	return parts.filter((part) => part !== '').join(' · ');
}

/** Rounds to six significant digits, which are enough to read. The CSV has all digits. */
function rounded(value: number): number {
	return Number(value.toPrecision(6));
}

/** The heads of the columns of the journal, and the words of the kinds of entries, in the present language. */
export interface JournalCsvWords {
	readonly heads: readonly string[];
	readonly kinds: Readonly<Record<JournalEntry['kind'], string>>;
}

/** Writes entries of the journal as CSV, in their order. A field whose value is null is empty. */
export function journalCsv(entries: readonly JournalEntry[], { heads, kinds }: JournalCsvWords): string {
	return csvText([
		heads,
		...entries.map(({ time, recordedAt, alarmId, occurrence, kind, cause, value, quality, inputs, actors, comment, alarm }) => [
			time,
			localIso(Date.parse(time)),
			recordedAt,
			String(alarmId),
			alarm?.name ?? '',
			alarm?.severity ?? '',
			kinds[kind],
			cause ?? '',
			String(occurrence),
			value,
			alarm?.unit ?? '',
			alarm?.condition ?? '',
			alarm?.threshold ?? '',
			quality ?? '',
			inputs.join('; '),
			actorWords(actors.user),
			comment ?? '',
		]),
	]);
}

/** Returns the number of an occurrence among the raises in the entries of one alarm: 1 for the first. Null if the entries do not contain it. */
export function ordinalOf(occurrence: number, entries: readonly Pick<JournalEntry, 'kind' | 'occurrence'>[]): number | null {
	const raised = new Set(entries.filter(({ kind }) => kind === 'raised').map((entry) => entry.occurrence));
	return raised.has(occurrence) ? [...raised].filter((number) => number <= occurrence).length : null;
}
