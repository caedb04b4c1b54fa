import * as v from 'valibot';
import { actorSchema } from '#domain/access/actor.ts';
import { describedObject } from '../component.ts';

/** Who did something, as answers show it. */
const shownActorSchema = v.object({
	kind: v.picklist([...actorSchema.entries.kind.options, 'unknown']),
	id: v.nullable(v.string()),
	name: v.string(),
});

/** Returns the fields of an answer that tell who did something: the name of each as text, and `actors`. */
export function namedActors<Field extends string>(...fields: readonly Field[]) {
	const entries = v.entriesFromList(fields, v.nullable(v.string()));
	return { ...entries, actors: v.object(v.entriesFromList(fields, v.nullable(shownActorSchema))) };
}

/** What the document says of `actors`. */
export const actorsText =
	'The same as the fields of these names, with the kind and the id. Only here does a program differ from a person with certainty.';

/** The schema of who did something. */
export const actorComponents = {
	Actor: describedObject(shownActorSchema, 'Who did something.', {
		kind: '`person`; `machine`: a program; `tool`: a command of an operator of the service; `unknown`: an earlier release stored the name alone, which may be that of a person or of a program.',
		id: 'The e-mail of a person in lower case, the client id of a machine, or the name of a command; null: not known.',
		name: 'What people read. The name of a machine holds no @.',
	}),
} as const;
