import { messages } from '#page/i18n/i18n.ts';

/** The texts of the totals of a trend's lines. */
export const totalsText = messages({
	en: {
		what: 'What is counted',
		choices: {
			mean: 'Mean by time',
			total: 'Volume',
			totalPerH: 'Volume of a rate per hour',
			totalPerMin: 'Volume of a rate per minute',
			totalPerS: 'Volume of a rate per second',
			increase: 'Totalizer difference',
			min: 'Least value',
			max: 'Greatest value',
			onTime: 'Run hours',
			starts: 'Starts',
		},
		size: 'Begins again at 0 at',
		sizeHint: 'Of a totalizer that rolls over: 10000 for four digits. Left empty: it never does.',
		available: 'Data available',
		bounds: 'Bounds',
		corrections: 'Corrections counted',
		noBounds: 'not known',
		exact: 'exact',
		boundsMean:
			'Where data is missing, the true number may be anything between the bounds, as long as the variable stayed within what is seen here.',
		exchanged: 'Meter replaced…',
		markInvalid: 'Mark what is shown as invalid…',
		failed: 'The totals could not be counted.',
	},
	es: {
		what: 'Qué se cuenta',
		choices: {
			mean: 'Media en el tiempo',
			total: 'Volumen',
			totalPerH: 'Volumen de un caudal por hora',
			totalPerMin: 'Volumen de un caudal por minuto',
			totalPerS: 'Volumen de un caudal por segundo',
			increase: 'Diferencia del totalizador',
			min: 'Valor menor',
			max: 'Valor mayor',
			onTime: 'Horas de marcha',
			starts: 'Arranques',
		},
		size: 'Vuelve a 0 al llegar a',
		sizeHint: 'De un totalizador que da la vuelta: 10000 con cuatro cifras. Vacío: nunca vuelve a 0.',
		available: 'Datos disponibles',
		bounds: 'Límites',
		corrections: 'Correcciones contadas',
		noBounds: 'desconocidos',
		exact: 'exacto',
		boundsMean:
			'Donde faltan datos, el número real puede ser cualquiera entre los límites, mientras la variable siguiera dentro de lo que se ve aquí.',
		exchanged: 'Contador sustituido…',
		markInvalid: 'Marcar lo mostrado como no válido…',
		failed: 'No se pudieron contar los totales.',
	},
});
