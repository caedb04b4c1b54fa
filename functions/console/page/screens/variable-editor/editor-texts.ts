import type { Aggregate } from '#domain/variable/aggregates.ts';
import type { TimeUnit } from '#domain/variable/duration.ts';
import type { VariableKind } from '#page/core/variable-kind.ts';
import { messages } from '#page/i18n/i18n.ts';

/** The words for a query by its aggregate, from the words of its period and its lookback. */
type ReadAs = Record<Aggregate, (period: string, lookback: string) => string>;

/** The texts of the editor of a variable. */
export const editorText = messages({
	en: {
		idAndVersion: (id: number, version: number) => `id ${id} · version ${version}`,
		failed: 'The variable could not be read.',
		missing: 'The variable in the address is deleted.',
		saved: (version: number) => `Saved as version ${version}`,
		unreachable: 'The service does not answer.',
		decimals: 'Decimals shown in this browser',
		decimalsOfValues: 'As its values need',
		kinds: { simple: 'Simple', byte: 'Byte with bits', formula: 'Formula' } satisfies Record<VariableKind, string>,
		type: 'Answers with',
		types: { last: 'Newest value', history: 'History' },
		source: 'Source',
		field: 'Field',
		chooseByTags: 'Choose by tags…',
		aggregate: 'Value of a period',
		aggregates: { last: 'Newest', mean: 'Mean' } satisfies Record<Aggregate, string>,
		lookback: 'Looks back',
		lookbackHint: 'No sample within this time: no data.',
		period: { last: 'Expected every', mean: 'Mean of' } satisfies Record<Aggregate, string>,
		periodHint: {
			last: 'Twice this without a sample, at least 60 s: stale.',
			mean: 'The length of one window.',
		} satisfies Record<Aggregate, string>,
		unitOf: (field: string) => `${field}: unit`,
		units: { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'd', mo: 'months', y: 'years' } satisfies Record<TimeUnit, string>,
		readAs: {
			last: (period, lookback) => `newest of ${lookback}, expected every ${period}`,
			mean: (period, lookback) => (lookback === period ? `mean of ${period}` : `mean of ${period}, back ${lookback}`),
		} satisfies ReadAs,
		bits: 'Bits',
		bitsHint: 'Name the bits that mean something. Bit 0 is the least significant.',
		bit: (bit: number) => `Bit ${bit}`,
		unusedVariable: 'Nothing uses it.',
		conflictSoon: (version: number) => `Somebody else saved this variable: it is at version ${version}.`,
		compare: 'Compare',
	},
	es: {
		idAndVersion: (id: number, version: number) => `id ${id} · versión ${version}`,
		failed: 'No se pudo leer la variable.',
		missing: 'La variable de la dirección está borrada.',
		saved: (version: number) => `Guardada como versión ${version}`,
		unreachable: 'El servicio no responde.',
		decimals: 'Decimales en este navegador',
		decimalsOfValues: 'Los que piden sus valores',
		kinds: { simple: 'Simple', byte: 'Byte con bits', formula: 'Fórmula' } satisfies Record<VariableKind, string>,
		type: 'Responde con',
		types: { last: 'Último valor', history: 'Histórico' },
		source: 'Origen',
		field: 'Campo',
		chooseByTags: 'Elegir por etiquetas…',
		aggregate: 'Valor de un periodo',
		aggregates: { last: 'Último', mean: 'Media' } satisfies Record<Aggregate, string>,
		lookback: 'Mira hacia atrás',
		lookbackHint: 'Sin muestras en este tiempo: sin datos.',
		period: { last: 'Se espera cada', mean: 'Media de' } satisfies Record<Aggregate, string>,
		periodHint: {
			last: 'El doble sin muestras, al menos 60 s: desfasado.',
			mean: 'La duración de una ventana.',
		} satisfies Record<Aggregate, string>,
		unitOf: (field: string) => `${field}: unidad`,
		units: { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'd', mo: 'meses', y: 'años' } satisfies Record<TimeUnit, string>,
		readAs: {
			last: (period, lookback) => `último en ${lookback}, se espera cada ${period}`,
			mean: (period, lookback) => (lookback === period ? `media de ${period}` : `media de ${period}, hasta ${lookback} atrás`),
		} satisfies ReadAs,
		bits: 'Bits',
		bitsHint: 'Dé nombre a los bits que significan algo. El bit 0 es el menos significativo.',
		bit: (bit: number) => `Bit ${bit}`,
		unusedVariable: 'Nada la usa.',
		conflictSoon: (version: number) => `Otra persona ha guardado esta variable: está en la versión ${version}.`,
		compare: 'Comparar',
	},
});

/** The texts about the trial of a typed variable: its result, and its last 24 h. */
export const resultText = messages({
	en: {
		result: 'Result of what is typed',
		asSaved: 'as saved',
		tried: (age: string) => `tried ${age} ago`,
		trying: 'trying…',
		noResult: 'No result',
		fieldErrors: 'Some fields are missing or wrong.',
		incomplete: 'Nothing to try yet.',
		storedShows: 'What is stored still shows',
		points: (count: number) => (count === 1 ? '1 value' : `${count} values`),
		typed24: 'What is typed, last 24 h',
		windows: (period: string) => `in windows of ${period}`,
		noCurve: 'Nothing to draw until the formula has no errors',
		noCurveSimple: 'Nothing to draw until the fields are right',
		noPoints: 'No values in the last 24 h',
		longWindows: (period: string) => `Windows of ${period}: a day has too few of them to draw`,
		curveFailed: 'The last 24 h could not be read.',
		curveLabel: (from: string, to: string) => `between ${from} and ${to}`,
	},
	es: {
		result: 'Resultado de lo escrito',
		asSaved: 'tal como está guardada',
		tried: (age: string) => `probado hace ${age}`,
		trying: 'probando…',
		noResult: 'Sin resultado',
		fieldErrors: 'Faltan campos o son erróneos.',
		incomplete: 'Aún no hay nada que probar.',
		storedShows: 'Lo guardado sigue mostrando',
		points: (count: number) => (count === 1 ? '1 valor' : `${count} valores`),
		typed24: 'Lo escrito, últimas 24 h',
		windows: (period: string) => `en ventanas de ${period}`,
		noCurve: 'Nada que dibujar mientras la fórmula tenga errores',
		noCurveSimple: 'Nada que dibujar mientras haya campos erróneos',
		noPoints: 'Ningún valor en las últimas 24 h',
		longWindows: (period: string) => `Ventanas de ${period}: un día tiene muy pocas para dibujarlas`,
		curveFailed: 'No se pudieron leer las últimas 24 h.',
		curveLabel: (from: string, to: string) => `entre ${from} y ${to}`,
	},
});

/** The texts of deleting a variable, and of the list of its uses. */
export const deleteText = messages({
	en: {
		deleteUsed: 'It is used by:',
		deleteBoards:
			'Charts, diagrams and reports lose it and stay. Its alarms and corrections are deleted. The panel keeps its items, which then show nothing.',
		restorable: 'It can be restored from the changes. What used it is then restored one by one.',
		usagesUnknown: 'What uses it could not be read.',
		deleted: (name: string) => `Deleted: ${name}`,
	},
	es: {
		deleteUsed: 'La usan:',
		deleteBoards:
			'Los gráficos, sinópticos e informes la pierden y se conservan. Sus alarmas y correcciones se borran. El panel conserva sus elementos, que ya no mostrarán nada.',
		restorable: 'Se puede restaurar desde los cambios. Lo que la usaba se restaura después, uno por uno.',
		usagesUnknown: 'No se pudo leer qué la usa.',
		deleted: (name: string) => `Borrada: ${name}`,
	},
});
