// These limits are apart from the schemas, so that the console can use them without loading the parsers.

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

/** The longest e-mail address, in characters (RFC 5321, section 4.5.3.1: 64 before the @, 255 after it). */
export const maxEmailLength = 320;

/** The longest time for which an alarm may be shelved, in minutes: a week. */
export const maxShelfMinutes = 10_080;

/** Most variables whose values one request reads (shared/http/README.md#limits). */
export const maxReadVariables = 2000;

/** Most variables of one history (shared/http/README.md#limits). */
export const maxHistoryIds = 50;

/** The longest range of a history, in days: 10 years of 366 days. */
export const maxHistoryDays = 3660;

/** Most alarms that one request acknowledges. */
export const maxAcknowledgedAlarms = 100;
