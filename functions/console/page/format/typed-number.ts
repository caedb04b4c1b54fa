import { maxShelfMinutes } from '#domain/validation/input-limits.ts';
import { numberSigns } from '#page/core/number-signs.ts';

/** The content of a field for an optional number: null when it is empty, `unreadable` when its text is not a number. */
export type TypedNumber = number | null | 'unreadable';

/** The form of a typed number, by the decimal sign: `12`, `-1.5`, `.5`, `3.` or `2e-3`. */
const forms = {
	'.': /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i,
	',': /^[-+]?(?:\d+(?:,\d*)?|,\d+)(?:e[-+]?\d+)?$/i,
} as const;

/**
 * Parses a number as people type it: with the decimal sign that numbers are shown with, and without separators of thousands. The other
 * sign is refused, because `1,500` could be read a thousand times too large or too small.
 * @returns null when the text is not such a number
 */
export function parseTyped(typed: string): number | null {
	const text = typed.trim().replace('−', '-');
	if (!forms[numberSigns.value.decimal].test(text)) return null;
	const value = Number(text.replace(',', '.'));
	if (!Number.isFinite(value)) return null;
	// The service refuses -0.
	return value === 0 ? 0 : value;
}

/** The choices of how many minutes an alarm is shelved. `own` asks for a number. */
export const shelfChoices = ['15', '60', '240', 'own'] as const;

/** One of the choices of how many minutes an alarm is shelved. */
export type ShelfChoice = (typeof shelfChoices)[number];

/** Parses the minutes for which an alarm is shelved: a whole number from 1 to a week. Returns null for anything else. */
export function parseShelfMinutes(typed: string): number | null {
	const text = typed.trim();
	if (!/^\d{1,5}$/.test(text)) return null;
	const minutes = Number(text);
	return minutes >= 1 && minutes <= maxShelfMinutes ? minutes : null;
}
