import type { DatabaseSync } from 'node:sqlite';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { isRepeatedEntry, maxEarlierEntries, mergedMs } from '#domain/changes/session-entry.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { changeWriter, createSqliteChangeJournal } from './sqlite-change-journal.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';
import { createSqlitePeople } from './sqlite-people.ts';

/** `SessionJournal` in SQLite, for one machine. `days`: how many days an entry stays; 0: for ever. */
export function createSqliteSessionJournal(database: DatabaseSync, days: number = defaultJournalDays.changes): SessionJournal {
	const people = createSqlitePeople(database, days);
	const journal = createSqliteChangeJournal(database);
	const writer = changeWriter(database, days);
	return withFileFaults({
		tell: async (schema, entry) => {
			const { actor, action, rowVersion } = entry;
			// A refusal is told only of people who are known: anybody can type any e-mail.
			if (action === 'refused' && actor.kind === 'person' && (await people.find(schema, actor.id)) === null) return;
			// The row version of a session is the time of its entry in seconds.
			const firstVersion = rowVersion - mergedMs / 1000;
			const earlierChanges = await journal.history(schema, entry, firstVersion, maxEarlierEntries);
			const earlierEntries = earlierChanges.map((change) => change.entry);
			if (isRepeatedEntry(entry, earlierEntries)) return;
			inCommit(database, () => {
				// The time is a part of the key. If an entry of the same millisecond has taken it, the next free millisecond is used.
				for (let { at } = entry; ; at += 1) {
					const change = { entry: { ...entry, at }, before: null };
					if (writer.areNew(schema, [change])) return writer.add(schema, [change]);
				}
			});
		},
	});
}
