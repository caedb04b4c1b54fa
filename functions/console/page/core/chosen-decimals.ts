import { signal } from '@preact/signals';
import { preference } from './preferences.ts';

/** The most decimals that a person may choose. */
export const maxChosenDecimals = 6;

/** The decimals that people chose in this browser, as the query of a URL: `plant_a%2F4=2` for variable 4 of the schema plant_a. */
const choices = preference<string>('decimals', { byDefault: '', parse: (text) => text });

/** The schema whose variables are shown. Choices are stored by schema, because all tenants use the same ids. */
const shownSchema = signal('');

/** Sets the schema whose variables are shown. */
export function setDecimalsSchema(schema: string): void {
	shownSchema.value = schema;
}

/** Returns how many decimals a person chose for a variable in this browser; null: its values decide. */
export function chosenDecimals(varId: number): number | null {
	const text = new URLSearchParams(choices.value).get(choiceKey(varId)) ?? '';
	return /^\d$/.test(text) && Number(text) <= maxChosenDecimals ? Number(text) : null;
}

/** Chooses how many decimals a variable is shown with in this browser; null: its values decide. */
export function chooseDecimals(varId: number, decimals: number | null): void {
	const params = new URLSearchParams(choices.value);
	if (decimals === null) params.delete(choiceKey(varId));
	else params.set(choiceKey(varId), String(decimals));
	choices.value = params.toString();
}

/** Returns the name of a variable in `choices`. */
function choiceKey(varId: number): string {
	return `${shownSchema.value}/${varId}`;
}
