import type { Schemas } from '#page/core/api.ts';
import { messages } from './i18n.ts';

/** The part of a reading's reason that the words need. */
type ReadingReason = Omit<Schemas['Reason'], 'inputs' | 'tags'> & {
	readonly inputs: readonly string[];
	readonly tags?: readonly DifferingTag[] | undefined;
};

/** A tag in which several sources differ, with some of its values. */
type DifferingTag = { readonly name: string; readonly values: readonly string[] };

/** Facts about the variable that the words may use. */
interface ReasonContext {
	/** The variable's name. In a variable with one query, the only input has this name, so it is left out. */
	readonly ownName?: string | null | undefined;
	/** The age of the newest sample in words; null when it is not known. */
	readonly age?: string | null | undefined;
}

/** The words of the qualities. */
export const qualityWords = messages<Readonly<Record<Schemas['Quality'], string>>>({
	en: {
		good: 'Good',
		stale: 'Stale',
		no_data: 'No data',
		bad: 'Bad',
		missing_reference: 'Missing reference',
		skipped: 'Skipped',
	},
	es: {
		good: 'Bueno',
		stale: 'Desfasado',
		no_data: 'Sin datos',
		bad: 'Erróneo',
		missing_reference: 'Referencia perdida',
		skipped: 'No leído',
	},
});

/**
 * Returns in a few words why a reading is not good, to be shown after the word of its quality: `because of Intake flow, 4 min old`, `the
 * formula divides by zero: Flow`, `several sources in one window: slave_id = 1 | 2`. Names of inputs and tags come from the plant, so they
 * are not translated.
 */
export function reasonText(
	{ code, inputs, tags = [] }: ReadingReason,
	{ ownName = null, age = null }: ReasonContext = {},
): string {
	const { because, old, codes } = texts();
	const culprits = [...inputs.filter((name) => name !== ownName), ...differingTagTexts(tags)].join(', ');
	if (code !== 'stale') return culprits === '' ? codes[code] : `${codes[code]}: ${culprits}`;
	if (culprits === '') return age === null ? codes.stale : old(age);
	return age === null ? because(culprits) : `${because(culprits)}, ${old(age)}`;
}

/** Returns the tags in which sources differ in words: `slave_id = 1 | 2`. A tag that a source lacks is a dash. */
export function differingTagTexts(tags: readonly DifferingTag[]): readonly string[] {
	return tags.map(({ name, values }) => `${name} = ${values.map((value) => value || '–').join(' | ')}`);
}

const texts = messages<{
	readonly because: (inputs: string) => string;
	readonly old: (age: string) => string;
	readonly codes: Readonly<Record<ReadingReason['code'], string>>;
}>({
	en: {
		because: (inputs) => `because of ${inputs}`,
		old: (age) => `${age} old`,
		codes: {
			missing_reference: 'there is no such variable',
			no_data: 'no sample within the lookback',
			samples_ahead: 'its samples are ahead of the clock',
			stale: 'the newest sample is too old',
			no_common_window: 'no recent window has every input',
			not_numeric: 'text, not numbers',
			type_changed: 'the type of the field changed',
			several_series: 'several sources in one window',
			precision: 'too large to be shown exactly',
			not_a_byte: 'not a byte (0 to 255)',
			division_by_zero: 'the formula divides by zero',
			domain: 'the formula has no value',
			outside_curve: 'outside of the curve',
			stored_row_invalid: 'its definition cannot be read',
			overflow: 'the formula has too large a value',
			too_many_variables: 'too many variables',
			too_many_windows: 'too many windows',
			too_many_series: 'too many series',
			answer_too_large: 'too large an answer',
		},
	},
	es: {
		because: (inputs) => `por ${inputs}`,
		old: (age) => `de hace ${age}`,
		codes: {
			missing_reference: 'no existe esa variable',
			no_data: 'ninguna muestra en el tiempo leído',
			samples_ahead: 'sus muestras van por delante del reloj',
			stale: 'la última muestra es demasiado antigua',
			no_common_window: 'ninguna ventana reciente tiene todas las entradas',
			not_numeric: 'texto, no números',
			type_changed: 'ha cambiado el tipo del campo',
			several_series: 'varias fuentes en una ventana',
			precision: 'demasiado grande para mostrarlo exacto',
			not_a_byte: 'no es un byte (0 a 255)',
			division_by_zero: 'la fórmula divide por cero',
			domain: 'la fórmula no da un valor',
			outside_curve: 'fuera de la curva',
			stored_row_invalid: 'no se puede leer su definición',
			overflow: 'la fórmula da un valor demasiado grande',
			too_many_variables: 'demasiadas variables',
			too_many_windows: 'demasiadas ventanas',
			too_many_series: 'demasiadas series',
			answer_too_large: 'respuesta demasiado grande',
		},
	},
});
