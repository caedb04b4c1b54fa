/**
 * The kinds of stored rows that can name a person, in the order in which they are rewritten. `definitions`: variables, boards and the panel;
 * `changes`: the journal of changes, the last, because it has the names that the others are searched for.
 */
export const textKinds = ['definitions', 'alarmStates', 'alarmEvents', 'reportDays', 'machines', 'changes'] as const;

/** A kind of stored rows that can name a person. */
export type TextKind = (typeof textKinds)[number];

/**
 * Returns a text of a row, which is JSON, with the persons that it names replaced; the same text where nothing is replaced.
 * @param key of the row, for messages: `chart#7`
 */
export type TextRewrite = (text: string, key: string) => string;

/**
 * The texts of the stored rows of a schema, whichever release wrote them. An operator's command rewrites them without a trace, so no
 * function may have this port.
 * @throws DomainError `store_failed`; `outcome_unknown`
 */
export interface StoredTexts {
	/**
	 * Rewrites the texts of all rows of a kind. Each row is one write, on condition that nobody changed it meanwhile. An entry of the
	 * journal of changes whose key names the person gets the key of its new text. Versions, times and expiry stay.
	 */
	rewrite(schema: string, kind: TextKind, rewrite: TextRewrite): Promise<void>;
}
