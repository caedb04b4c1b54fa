import * as v from 'valibot';

/** Who changes something: a person, a machine, or an operator's command. */
export const actorSchema = v.object({
	kind: v.picklist(['person', 'machine', 'tool']),
	/** The e-mail of a person, as it is normalized for its row; the client id of a machine; the name of a command. */
	id: v.string(),
	/** What people read: the e-mail as it was registered, the name of a machine, the name of a command. */
	name: v.string(),
});

/** Who changes something: a person, a machine, or an operator's command. */
export type Actor = v.InferOutput<typeof actorSchema>;

/** Who did something, as it is stored. Earlier releases stored the name alone: the e-mail of a person, or the name of a machine. */
export const storedActorSchema = v.union([v.string(), actorSchema]);

/** Who did something, as it is stored. */
export type StoredActor = v.InferOutput<typeof storedActorSchema>;

/** Who did something, as it is shown. The kind and the id of an actor that is stored as a name alone are not known. */
export type ShownActor = Actor | { readonly kind: 'unknown'; readonly id: null; readonly name: string };

/** Returns an actor as it is shown (shared/domain/access/README.md#actors). */
export function shownActor(stored: StoredActor): ShownActor {
	return typeof stored === 'string' ? { kind: 'unknown', id: null, name: stored } : stored;
}

/** An @, or a character that is read as one: those that Unicode makes the same, and a letter a in a circle. */
const atSign = /[@\uff20\ufe6b\u{e0040}\u24b6\u24d0\u{1f150}\u{1f170}]|\u20dd/u;

/** Whether a name could be read as an e-mail address. A machine must not have such a name. */
export function holdsAtSign(name: string): boolean {
	return atSign.test(name);
}

/** Returns a name in which nothing can be read as the @ of an e-mail address. */
export function withoutAtSigns(name: string): string {
	return name.replace(new RegExp(atSign, 'gu'), ' at ');
}

/** Returns a machine as an actor. An earlier release let a machine have the name of a person: it acts under its client id. */
export function machineActor({ clientId, name }: { readonly clientId: string; readonly name: string }): Actor {
	return { kind: 'machine', id: clientId, name: holdsAtSign(name) ? clientId : name };
}

const machinePrefix = 'machine:';

/** Returns the subject of a machine's tokens. */
export function machineSubject(clientId: string): string {
	return `${machinePrefix}${clientId}`;
}

/** Returns the client id of the machine that a token is for; null: it is for a person. */
export function clientIdOf(subject: string): string | null {
	return subject.startsWith(machinePrefix) ? subject.slice(machinePrefix.length) : null;
}
