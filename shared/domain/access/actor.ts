/** Who changes something: a person, a machine, or an operator's command. */
export interface Actor {
	readonly kind: 'person' | 'machine' | 'tool';
	/** The e-mail of a person, as it is normalized for its row; the client id of a machine; the name of a command. */
	readonly id: string;
	/** What people read: the e-mail as it was registered, the name of a machine, the name of a command. */
	readonly name: string;
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
