/** Who changes something: a person, a machine, or an operator's command. */
export interface Actor {
	readonly kind: 'person' | 'machine' | 'tool';
	/** The e-mail of a person, as it is normalized for its row; the client id of a machine; the name of a command. */
	readonly id: string;
	/** What people read: the e-mail as it was registered, the name of a machine, the name of a command. */
	readonly name: string;
}
