import * as v from 'valibot';
import { actorSchema } from '#domain/access/actor.ts';
import { changeEntrySchema, changeKeySchema } from '#domain/changes/change-entry.ts';
import { deletionSchema } from '#domain/use-cases/restore-item.ts';
import { describedObject } from '../component.ts';
import { answer } from './answer.ts';
import { savedBoardSchemas } from './board.ts';
import { timestampSchema } from './reading.ts';
import { variableSchema } from './variable.ts';

const entrySchema = v.object({ ...changeEntrySchema.entries, at: timestampSchema });

const itemVersionSchema = v.object({
	version: v.number(),
	content: v.looseObject({}),
	unknownFields: v.optional(v.array(v.string())),
});

const wholeChangeSchema = v.object({
	...entrySchema.entries,
	before: v.nullable(itemVersionSchema),
	after: v.optional(v.nullable(itemVersionSchema)),
});

const keyTexts = {
	kind: 'The kind of the item. The panel has the id 0. A session is a sign-in, or a refused one.',
	itemId: 'The id of the item: of a person the e-mail in lower case, of a machine the client id, of a session one of these two.',
	rowVersion: 'Counts every change of the stored row. With kind and id it names the entry.',
};

const entryTexts = {
	...keyTexts,
	actor: 'Who made the change.',
	via: 'Through what: `console`, `api`, or `tool` for an operator’s command. The client says it: it is no proof.',
	requestId: 'The id of the request in the access log; empty for a tool.',
	at: 'When it was stored, by the clock of the service.',
	action: 'What became of the item; of a session `signedIn` or `refused`.',
	name: 'The name of the item after the change; before it where the item was deleted.',
	version: 'The version that the change made; of a deletion one more than the version that it deleted. A session has none: 0.',
	replaced: 'The version that it replaced; null: there was none.',
	fields: 'The fields in which the two versions differ; none for a new or a deleted item.',
	source: 'Of a session: the network address that the request came from.',
	reason:
		'Of a refused session: `credentials` that the identity provider does not confirm, or a `tenant` of another client; of a machine a wrong `secret`, or that it has `expired` or has no secret any more (`revoked`).',
	cause: 'The entry of the deletion that caused this change: of a chart that lost its variable, for example.',
};

/** The schemas of the journal of changes. */
export const changeComponents = {
	ChangeKey: describedObject(changeKeySchema, 'The name of an entry of the journal of changes.', keyTexts),
	ChangeActor: describedObject(actorSchema, 'Who made a change.', {
		kind: 'A person, a machine, or an operator’s command.',
		id: 'The e-mail in lower case, the client id, or the name of the command.',
		name: 'The e-mail, the name of the machine, or the name of the command.',
	}),
	ItemVersion: describedObject(itemVersionSchema, 'An item as it was or is.', {
		version: 'Its version.',
		content: 'The item as its save takes it, but for `unknownFields`.',
		unknownFields:
			'The large fields that `content` lacks, because they are not known: an earlier release changed the item next, or a backup was restored. Left out where there is none.',
	}),
	ChangeEntry: describedObject(entrySchema, 'An entry of the journal of changes.', entryTexts),
	WholeChange: describedObject(wholeChangeSchema, 'An entry of the journal of changes, with the item before and after.', {
		...entryTexts,
		before: 'The item as the change found it; null: it was created or restored.',
		after:
			'The item as the change left it; null: it was deleted. Left out where that is not known, because an earlier release changed the item next.',
	}),
	ChangePage: describedObject(
		v.object({ data: v.array(entrySchema), next: v.nullable(v.string()) }),
		'A page of the journal of changes.',
		{
			data: 'The entries, newest first.',
			next: 'The value of `after` for the next page, not to be read; null on the last page.',
		},
	),
	WholeChangeAnswer: answer(wholeChangeSchema, 'The entry.'),
	RestoreInput: describedObject(deletionSchema, 'What to bring back.', {
		kind: 'The kind of the item.',
		itemId: 'The id that it had.',
		rowVersion: 'The `rowVersion` of the entry of its deletion.',
	}),
	// Alarms and the panel are not restored, so `deletionSchema` has no such kinds.
	RestoredItem: answer(
		v.union([
			variableSchema,
			savedBoardSchemas.chart,
			savedBoardSchemas.diagram,
			savedBoardSchemas.correction,
			savedBoardSchemas.report,
		]),
		'The item as it is stored again.',
	),
} as const;
