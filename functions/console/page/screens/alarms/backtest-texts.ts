import { messages } from '#page/i18n/i18n.ts';

/** The texts of the back-test. */
export const backtestText = messages({
	en: {
		title: 'Try on the past',
		stores: 'stores nothing',
		ranges: { '1': '24 h', '7': '7 d', '30': '30 d' },
		tryIt: 'Try it',
		trying: 'Trying…',
		notReady: 'Fill in the fields first.',
		notTried: 'It could not be tried.',
		old: 'You have changed the alarm since: try it again.',
		chart: 'The values, with the times when it would have been raised',
		raisedTimes: (count: number) => {
			if (count === 0) return 'It would not have been raised.';
			return count === 1 ? 'It would have been raised once.' : `It would have been raised ${count} times.`;
		},
		noCurve: 'The values could not be read for the chart.',
		firstOnly: (count: number) => `The chart shows only the first ${count} events.`,
		activeFor: 'Active',
		longest: 'Longest',
		uncertain: 'No usable value',
		resolution: 'Resolution',
		resolutions: (seconds: number) => (seconds === 1 ? '1 s, as live' : `${seconds} s: shorter excursions may be missed`),
		perDay: 'By day',
		raisedHead: 'Raised',
		activeHead: 'Active',
		share: 'Share',
	},
	es: {
		title: 'Probar con el pasado',
		stores: 'no guarda nada',
		ranges: { '1': '24 h', '7': '7 d', '30': '30 d' },
		tryIt: 'Probar',
		trying: 'Probando…',
		notReady: 'Rellene antes los campos.',
		notTried: 'No se pudo probar.',
		old: 'Ha cambiado la alarma desde entonces: pruébela de nuevo.',
		chart: 'Los valores, con los tiempos en que se habría activado',
		raisedTimes: (count: number) => {
			if (count === 0) return 'No se habría activado.';
			return count === 1 ? 'Se habría activado una vez.' : `Se habría activado ${count} veces.`;
		},
		noCurve: 'No se pudieron leer los valores del gráfico.',
		firstOnly: (count: number) => `El gráfico muestra solo los primeros ${count} sucesos.`,
		activeFor: 'Activa',
		longest: 'Máximo seguido',
		uncertain: 'Sin valor fiable',
		resolution: 'Resolución',
		resolutions: (seconds: number) => (seconds === 1 ? '1 s, como en directo' : `${seconds} s: pueden faltar excesos más breves`),
		perDay: 'Por día',
		raisedHead: 'Activada',
		activeHead: 'Activa',
		share: 'Parte',
	},
});
