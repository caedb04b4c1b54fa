import * as v from 'valibot';
import { type Actor, actorSchema } from '../access/actor.ts';
import { boardKinds } from '../board/board-kinds.ts';
import { storedTimeSchema } from '../calendar/iso-time.ts';

/** The kinds of items whose changes the journal holds (shared/domain/changes/README.md). A session is a sign-in, or a refused one. */
export const itemKinds = ['variable', ...boardKinds, 'panel', 'person', 'machine', 'grant', 'session'] as const;

/** A kind of item whose changes the journal holds. */
export type ItemKind = (typeof itemKinds)[number];

/** The kinds whose changes only administrators read. */
export const accessKinds: readonly ItemKind[] = ['person', 'machine', 'grant', 'session'];

/** What was done to an item. `signedIn` and `refused` are those of a session. */
export const changeActions = ['created', 'changed', 'deleted', 'restored', 'signedIn', 'refused'] as const;

/**
 * Why a sign-in was refused: `credentials` of a person that the identity provider does not confirm, `tenant`: schema or database belong to
 * another client; `grant`: of a person of an OpenID provider whom no grant lets in; `secret`, `expired` and `revoked` of a machine.
 */
export const sessionRefusals = ['credentials', 'tenant', 'grant', 'secret', 'expired', 'revoked'] as const;

/** Why a sign-in was refused. */
export type SessionRefusal = (typeof sessionRefusals)[number];

/** The way by which a change was requested. The client says it, so it is no proof. */
export const changeRoutes = ['console', 'api', 'tool'] as const;

const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * The key of an item within its schema: the id of a row (0 for the panel), the normalized e-mail of a person, or the client id of a
 * machine. That of a session is the e-mail or the client id with which somebody signed in, or tried to.
 */
const itemEntries = { kind: v.picklist(itemKinds), itemId: v.union([countSchema, v.string()]) };

/** The key of an entry within its schema. */
export const changeKeySchema = v.object({ ...itemEntries, rowVersion: countSchema });

/** The key of an entry within its schema. */
export type ChangeKey = v.InferOutput<typeof changeKeySchema>;

/** The key of an item within its schema. */
export type ItemKey = Pick<ChangeKey, 'kind' | 'itemId'>;

/** Who asked for a change, and how. */
export const changeOriginSchema = v.object({
	actor: actorSchema,
	via: v.picklist(changeRoutes),
	/** The id of the request in the access log; empty for a tool. */
	requestId: v.string(),
});

/** Who asked for a change, and how. */
export type ChangeOrigin = v.InferOutput<typeof changeOriginSchema>;

/** Returns who asked for a change, for the journal of alarms; null: the service itself, as which a command counts there. */
export function userOf({ actor }: ChangeOrigin): Actor | null {
	return actor.kind === 'tool' ? null : actor;
}

/** Returns the origin of changes that an operator's command makes. */
export function toolOrigin(name: string): ChangeOrigin {
	return { actor: { kind: 'tool', id: name, name }, via: 'tool', requestId: '' };
}

/** An entry of the journal of changes, without what was replaced. */
export const changeEntrySchema = v.object({
	...changeKeySchema.entries,
	...changeOriginSchema.entries,
	/** Epoch milliseconds, by the clock of the function. Versions order the entries of an item, not this time. */
	at: storedTimeSchema,
	action: v.picklist(changeActions),
	/** The name of the item after the change; before it where the item was deleted. */
	name: v.string(),
	/** The version that the change made; of a deletion one more than the version that it deleted. */
	version: countSchema,
	/** The version that it replaced; null: there was none. */
	replaced: v.nullable(countSchema),
	/** The top-level fields that differ from what was replaced; none for a new or a deleted item. */
	fields: v.array(v.string()),
	/** The entry of the deletion that caused the change: of a chart that lost its variable, for example. */
	cause: v.optional(changeKeySchema),
	/** Of a session: the network address that the request came from. */
	source: v.optional(v.string()),
	/** Of a refused session. */
	reason: v.optional(v.picklist(sessionRefusals)),
});

/** An entry of the journal of changes, without what was replaced. */
export type ChangeEntry = v.InferOutput<typeof changeEntrySchema>;

/** What a change replaced. */
export const replacedSchema = v.object({
	version: countSchema,
	/** The item as JSON, without what refers to it. */
	content: v.looseObject({}),
	/** Of an alarm or a report: the time-series database to which it was bound. */
	database: v.optional(v.string()),
	/** Large fields that the change kept, so that `content` lacks them: the item's later entries or its row hold them. */
	kept: v.optional(v.array(v.string())),
});

/** What a change replaced. */
export type ReplacedItem = v.InferOutput<typeof replacedSchema>;

/** An entry of the journal of changes. */
export interface Change {
	readonly entry: ChangeEntry;
	/** Null: the item was created or restored. */
	readonly before: ReplacedItem | null;
}
