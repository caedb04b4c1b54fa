import { isRepeatedEntry, maxEarlierEntries, mergedMs } from '#domain/changes/session-entry.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { changeAction } from './change-action.ts';
import { sendTransaction } from './conditional-write.ts';
import { createDynamoChangeJournal } from './dynamo-change-journal.ts';
import type { Dynamo } from './dynamo-client.ts';
import { personAddress } from './dynamo-people.ts';
import type { SchemaTables } from './items.ts';
import { callDeadline, storeFailed } from './send.ts';

/**
 * `SessionJournal` in DynamoDB.
 * @param tables `people` is needed for refusals of people
 * @param days how many days an entry stays; 0: for ever
 */
export function createDynamoSessionJournal(
	dynamo: Dynamo,
	tables: Pick<SchemaTables, 'changes'> & { readonly people?: string },
	days: number,
): SessionJournal {
	const journal = createDynamoChangeJournal(dynamo, tables);
	return {
		tell: async (schema, entry) => {
			const { actor, action, rowVersion } = entry;
			// The row version of an entry of a session is its time in seconds.
			const earlier = await journal.history(schema, entry, rowVersion - mergedMs / 1000, maxEarlierEntries);
			const firstEqual = earlier.find((each) => isRepeatedEntry(entry, [each.entry]))?.entry;
			// A repeated entry is still sent, under the key of the first one, and DynamoDB refuses it. A known person therefore takes as
			// long as an unknown one.
			const sent = firstEqual === undefined ? entry : { ...entry, at: firstEqual.at, rowVersion: firstEqual.rowVersion };
			// The refusal of a person is stored only where the schema has that person.
			const personChecks =
				action === 'refused' && actor.kind === 'person' && tables.people !== undefined
					? [{ action: { ConditionCheck: personExists(tables.people, schema, actor.id) }, refusal: 'conflict' } as const]
					: [];
			const deadline = callDeadline(dynamo);
			// The time is a part of the key. If an entry of the same millisecond has taken it, the next free millisecond is used.
			for (let { at } = sent; !deadline.aborted; at += 1) {
				const change = { entry: { ...sent, at }, before: null };
				const outcome = await sendTransaction(dynamo, [...personChecks, changeAction(tables, schema, change, days)]);
				// A refusal is sent only once: the conflict may be that there is no such person.
				if (outcome === 'committed' || action === 'refused' || firstEqual !== undefined) return;
			}
			throw storeFailed(new Error('no free millisecond was found for an entry of a session'));
		},
	};
}

const personExists = (table: string, schema: string, email: string) => ({
	...personAddress(table, schema, email),
	ConditionExpression: 'attribute_exists(email)',
});
