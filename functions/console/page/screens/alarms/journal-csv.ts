import { csvText, localIso } from '#page/format/csv.ts';
import type { JournalEntry } from './journal-pages.ts';

/** The heads of the columns of the journal, in the present language. */
export interface JournalCsvWords {
	readonly heads: readonly string[];
	readonly kinds: Readonly<Record<JournalEntry['kind'], string>>;
}

/** Writes entries of the journal as CSV, in their order. Numbers have a decimal point in every language; what is null is empty. */
export function journalCsv(entries: readonly JournalEntry[], { heads, kinds }: JournalCsvWords): string {
	return csvText([
		heads,
		...entries.map(({ time, recordedAt, alarmId, occurrence, kind, cause, value, quality, inputs, user, comment, alarm }) => [
			time,
			localIso(Date.parse(time)),
			recordedAt,
			String(alarmId),
			alarm?.name ?? '',
			alarm?.severity ?? '',
			kinds[kind],
			cause ?? '',
			String(occurrence),
			value === null ? '' : String(value),
			alarm?.unit ?? '',
			alarm?.condition ?? '',
			alarm === null ? '' : String(alarm.threshold),
			quality ?? '',
			inputs.join('; '),
			user ?? '',
			comment ?? '',
		]),
	]);
}
