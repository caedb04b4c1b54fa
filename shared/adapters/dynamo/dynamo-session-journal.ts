import { isRepeatedEntry, mergedMs } from '#domain/changes/session-entry.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { changeAction } from './change-action.ts';
import { sendTransaction } from './conditional-write.ts';
import { createDynamoChangeJournal } from './dynamo-change-journal.ts';
import type { Dynamo } from './dynamo-client.ts';
import { personAddress } from './dynamo-people.ts';
import type { SchemaTables } from './items.ts';

/** Most entries of one actor that are looked through. Equal ones of a quarter of an hour are one entry, so more come from as many addresses. */
const maxEarlier = 100;

/** Sign-ins of one actor in one millisecond are told a millisecond later each. */
const maxOfOneMoment = 10;

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
			const earlier = await journal.history(schema, entry, rowVersion - mergedMs / 1000, maxEarlier);
			const told = earlier.find((each) => isRepeatedEntry(entry, [each.entry]))?.entry;
			// A repeated entry is sent under the key of the first one, and refused. So a known person takes as long as an unknown one.
			const sent = told === undefined ? entry : { ...entry, at: told.at, rowVersion: told.rowVersion };
			const personChecks =
				action === 'refused' && actor.kind === 'person' && tables.people !== undefined
					? [{ action: { ConditionCheck: personExists(tables.people, schema, actor.id) }, refusal: 'conflict' } as const]
					: [];
			for (let later = 0; later < maxOfOneMoment; later += 1) {
				const change = { entry: { ...sent, at: sent.at + later }, before: null };
				const outcome = await sendTransaction(dynamo, [...personChecks, changeAction(tables, schema, change, days)]);
				if (outcome === 'committed' || action === 'refused' || told !== undefined) return;
			}
		},
	};
}

const personExists = (table: string, schema: string, email: string) => ({
	...personAddress(table, schema, email),
	ConditionExpression: 'attribute_exists(email)',
});
