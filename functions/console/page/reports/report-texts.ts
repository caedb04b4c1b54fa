import { messages } from '#page/i18n/i18n.ts';

/** The texts about reports. */
export const reportText = messages({
	en: {
		dayStart: 'A day begins at',
		send: 'First numbers of each day',
		sent: 'sent to those who are told of alarms',
		order: 'Order of the lines',
		known: (percent: string) => `${percent} % known`,
		size: 'begins again at',
		dip: 'noise',
		decimalsOf: (count: number) => (count === 1 ? '1 decimal' : `${count} decimals`),
		functions: {
			total: 'Sum over time',
			mean: 'Time-weighted mean',
			min: 'Lowest',
			max: 'Highest',
			onTime: 'Run time',
			starts: 'Number of starts',
			increase: 'Counter',
			formula: 'Formula',
			raised: 'Alarms raised',
		},
	},
	es: {
		dayStart: 'El día empieza a las',
		send: 'Primeros números de cada día',
		sent: 'se envían a quien recibe las alarmas',
		order: 'Orden de las líneas',
		known: (percent: string) => `conocido el ${percent} %`,
		size: 'vuelve a empezar en',
		dip: 'ruido',
		decimalsOf: (count: number) => (count === 1 ? '1 decimal' : `${count} decimales`),
		functions: {
			total: 'Suma en el tiempo',
			mean: 'Media ponderada',
			min: 'Mínimo',
			max: 'Máximo',
			onTime: 'Tiempo en marcha',
			starts: 'Número de arranques',
			increase: 'Contador',
			formula: 'Fórmula',
			raised: 'Alarmas activadas',
		},
	},
});
