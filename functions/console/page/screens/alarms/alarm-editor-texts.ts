import { messages } from '#page/i18n/i18n.ts';

/** The texts of the editor of an alarm. */
export const alarmEditorText = messages({
	en: {
		enabled: 'Evaluate this alarm',
		yes: 'yes',
		no: 'no',
		default: 'default',
		rules: {
			deadband: 'Deadband',
			onDelaySeconds: 'On delay (s)',
			offDelaySeconds: 'Off delay (s)',
			noDataSeconds: 'No data after (s)',
		},
		ruleHints: {
			deadband: 'How far the value must come back past the threshold. Empty: 0.',
			onDelaySeconds: 'How long the condition must hold.',
			offDelaySeconds: 'How long it must not hold.',
			noDataSeconds: 'Raised without data for so long; 0: never.',
		},
		defaultIs: (value: string) => `Empty: ${value}.`,
		noDataLonger: (value: string) => `For this variable it is ${value}.`,
		threshold: 'Threshold',
		thresholdIn: (unit: string) => `Threshold (${unit})`,
		message: 'Message: what to do',
		conditions: {
			'>': 'above (>)',
			'>=': 'at or above (≥)',
			'<': 'below (<)',
			'<=': 'at or below (≤)',
			'==': 'equal to (=)',
			'!=': 'other than (≠)',
		},
		wouldBe: { active: 'the condition holds', normal: 'the condition does not hold', unknown: 'it is not known' },
	},
	es: {
		enabled: 'Evaluar esta alarma',
		yes: 'sí',
		no: 'no',
		default: 'por defecto',
		rules: {
			deadband: 'Banda muerta',
			onDelaySeconds: 'Retardo al activar (s)',
			offDelaySeconds: 'Retardo al normalizar (s)',
			noDataSeconds: 'Sin datos tras (s)',
		},
		ruleHints: {
			deadband: 'Cuánto debe volver el valor más allá del límite. Vacío: 0.',
			onDelaySeconds: 'Cuánto debe cumplirse la condición.',
			offDelaySeconds: 'Cuánto debe no cumplirse.',
			noDataSeconds: 'Se activa sin datos durante este tiempo; 0: nunca.',
		},
		defaultIs: (value: string) => `Vacío: ${value}.`,
		noDataLonger: (value: string) => `Con esta variable son ${value}.`,
		threshold: 'Límite',
		thresholdIn: (unit: string) => `Límite (${unit})`,
		message: 'Mensaje: qué hacer',
		conditions: {
			'>': 'por encima de (>)',
			'>=': 'igual o por encima de (≥)',
			'<': 'por debajo de (<)',
			'<=': 'igual o por debajo de (≤)',
			'==': 'igual a (=)',
			'!=': 'distinto de (≠)',
		},
		wouldBe: { active: 'la condición se cumple', normal: 'la condición no se cumple', unknown: 'no se sabe' },
	},
});
