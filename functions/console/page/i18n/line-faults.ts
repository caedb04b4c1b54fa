import type { Schemas } from '#page/core/api.ts';
import { formatExact } from '#page/format/number.ts';
import { formatDateTime } from '#page/format/time.ts';
import { messages } from './i18n.ts';
import { differingTagTexts } from './reasons.ts';

/** Returns the words for why a line of totals or of a report has no number. A fault without words is shown by its code. */
export function lineFaultText({ code, at, tags = [], from, to }: Schemas['LineFault']): string {
	const text = faultText();
	const words: Readonly<Record<string, string>> = text.faults;
	// A counter that did not advance has the two readings between which it should have.
	if (from !== undefined && to !== undefined)
		return text.readings(formatExact(from.value), formatDateTime(from.at), formatExact(to.value), formatDateTime(to.at));
	const sentence = words[code] ?? code;
	return at === undefined ? sentence : `${sentence} ${text.since([formatDateTime(at), ...differingTagTexts(tags)].join(', '))}`;
}

const faultText = messages({
	en: {
		readings: (before: string, then: string, after: string, now: string) =>
			`The counter read ${before} at ${then}, and ${after} at ${now}: that is no advance.`,
		since: (details: string) => `(From ${details})`,
		faults: {
			overflow: 'The number is too large.',
			not_numeric: 'The samples are text.',
			type_changed: 'The samples changed their type.',
			several_series: 'Several sources write below this topic: while there is more than one, nothing is known.',
			missing_reference: 'The variable was deleted.',
			stored_row_invalid: 'The variable, a correction of it or a stored day cannot be read.',
			line_does_not_fit: 'The line does not fit its variable.',
			division_by_zero: 'A divisor is 0.',
			domain: 'A root, a logarithm or a power has no value.',
			outside_curve: 'A value is outside of a curve.',
			too_few_readings: 'The counter has too few readings.',
			counted_before: 'Seal older days anew.',
			period_too_short: 'A night flow is that of a whole day.',
		},
	},
	es: {
		readings: (before: string, then: string, after: string, now: string) =>
			`El contador marcaba ${before} a las ${then}, y ${after} a las ${now}: eso no es un avance.`,
		since: (details: string) => `(Desde ${details})`,
		faults: {
			overflow: 'El número es demasiado grande.',
			not_numeric: 'Las muestras son texto.',
			type_changed: 'Las muestras cambiaron de tipo.',
			several_series: 'Varias fuentes escriben en este topic: mientras hay más de una, no se sabe nada.',
			missing_reference: 'La variable se borró.',
			stored_row_invalid: 'No se puede leer la variable, una corrección suya o un día guardado.',
			line_does_not_fit: 'La línea no encaja con su variable.',
			division_by_zero: 'Un divisor es 0.',
			domain: 'Una raíz, un logaritmo o una potencia no tiene valor.',
			outside_curve: 'Un valor está fuera de una curva.',
			too_few_readings: 'El contador tiene muy pocas lecturas.',
			counted_before: 'Selle de nuevo los días antiguos.',
			period_too_short: 'Un caudal nocturno es el de un día entero.',
		},
	},
});
