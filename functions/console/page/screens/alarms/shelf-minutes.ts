/** For how many minutes an alarm can be shelved with one choice; `own` asks for a number. */
export const shelfChoices = ['15', '60', '240', 'own'] as const;

export type ShelfChoice = (typeof shelfChoices)[number];

/** The longest shelf in minutes: a week. */
const maxMinutes = 10_080;

/** Parses minutes as people type them: whole ones, from 1 to a week. Returns null for anything else. */
export function parseMinutes(typed: string): number | null {
	const text = typed.trim();
	if (!/^\d{1,5}$/.test(text)) return null;
	const minutes = Number(text);
	return minutes >= 1 && minutes <= maxMinutes ? minutes : null;
}
