/** What one service shows another to be let in, and which may be changed while it is in use. */
export interface Secret {
	/** As it was last read. */
	value(): Promise<string>;
	/**
	 * As it is now, after `refused` was not accepted: read anew unless that has happened meanwhile. The same again where it has
	 * not been changed.
	 */
	renewed(refused: string): Promise<string>;
}

/** A secret that stays what it is: for one machine, and for tests. */
export const fixedSecret = (text: string): Secret => ({ value: async () => text, renewed: async () => text });
