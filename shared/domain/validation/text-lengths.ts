// These lengths are apart from the schemas, so that a form can use them without loading the parsers.

/** Maximum length of a name, unit or process of a variable, in characters (shared/http/README.md#limits). */
export const maxNameLength = 200;

/** Maximum length of any other text (topics, fields, titles, names of bits and panel items), in characters. */
export const maxTextLength = 1000;

/** Maximum length of the reason of a correction, or of sealing a day again, in characters. */
export const maxReasonLength = 500;

/** Maximum length of the name of a machine, in characters. */
export const maxMachineNameLength = 200;

/** Maximum length of an operator's comment on an alarm, or of the reason why it is shelved, in characters. */
export const maxCommentLength = 500;
