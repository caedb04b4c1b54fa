import type { ErrorParam } from '#domain/validation/problem.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';

/** Writes a number, a whole one with its digits in groups. A text stays as it is. */
export function number(param: ErrorParam | undefined): string {
	if (typeof param !== 'number') return String(param ?? '');
	return Number.isInteger(param) ? formatNumber(param, { decimals: 0 }) : formatExact(param);
}

/** Returns the Spanish word for a word that the service puts into params; any other text stays as it is. */
export function word(param: ErrorParam | undefined): string {
	const text = String(param ?? '');
	return words.get(text) ?? text;
}

/** Puts a text in quotes. */
export function quoted(param: ErrorParam | undefined): string {
	return `"${String(param ?? '')}"`;
}

/** Joins the items of a list with a text between them. */
export function list(param: ErrorParam | undefined, between: string): string {
	return itemsOf(param).join(between);
}

/** Returns the words for sides of a symbol: `izquierda o derecha`. */
export function sidesOf(param: ErrorParam | undefined): string {
	return itemsOf(param)
		.map((side) => word(side))
		.join(' o ');
}

/** Returns what uses a variable, in words: each kind with its name. */
export function users(kinds: ErrorParam | undefined, names: ErrorParam | undefined): string {
	const userNames = itemsOf(names);
	return itemsOf(kinds)
		.map((kind, index) => `${word(kind)} ${userNames[index] ?? ''}`)
		.join(', ');
}

/** Returns the value that was sent: a text in quotes, a number with its digits, or the word for an object, a list or nothing. */
export function received(param: ErrorParam | undefined): string {
	if (typeof param === 'number') return formatExact(param);
	if (typeof param !== 'string') return String(param ?? '');
	return ['object', 'array', 'null'].includes(param) ? word(param) : quoted(param);
}

/** Returns the word for the things of which there are too many, with the id of the variable that they belong to, if any. */
export function countedThings(param: ErrorParam | undefined, variable: ErrorParam | undefined): string {
	return variable === undefined ? word(param) : `${word(param)} ${variable}`;
}

/** Returns the items of a list. A single text counts as a list of one. */
function itemsOf(param: ErrorParam | undefined) {
	return Array.isArray(param) ? param : [param ?? ''];
}

/** The words that `word` knows. */
const words: ReadonlyMap<string, string> = new Map(
	Object.entries({
		object: 'un objeto',
		array: 'una lista',
		string: 'texto',
		number: 'un número',
		boolean: 'sí o no',
		null: 'nada',
		tokens: 'elementos de fórmula',
		queries: 'entradas',
		bits: 'bits',
		ids: 'ids',
		fields: 'campos',
		aggregates: 'agregados',
		removed: 'se ha eliminado',
		expired: 'ha caducado',
		revoked: 'ya no tiene secretos',
		series: 'series',
		items: 'elementos',
		shapes: 'formas',
		pipes: 'tuberías',
		bends: 'codos',
		'items, shapes and pipes': 'elementos, formas y tuberías',
		pumps: 'bombas',
		states: 'estados',
		windows: 'ventanas',
		'minutes of all inputs': 'minutos de todas las entradas',
		'boards that refer to variable': 'usos de la variable',
		variables: 'variables',
		streams: 'grupos de series con el mismo tiempo, periodo y agregado',
		'variables in the schema': 'variables en el esquema',
		'charts in the schema': 'gráficos en el esquema',
		'diagrams in the schema': 'sinópticos en el esquema',
		'alarms in the schema': 'alarmas en el esquema',
		'corrections in the schema': 'correcciones en el esquema',
		'reports in the schema': 'informes en el esquema',
		'bytes to store': 'bytes que guardar',
		'bytes to store in one row': 'bytes que guardar en una fila',
		'bytes to store at once': 'bytes que guardar a la vez',
		'bytes of the query to the time-series database': 'bytes de la consulta a la base de datos temporal',
		'values (windows x ids x aggregates)': 'valores (ventanas por variables por agregados)',
		'values to read (windows x the inputs of all ids)': 'valores que leer (ventanas por entradas)',
		'own periods of all ids in the range': 'periodos propios de las variables en el intervalo',
		chart: 'el gráfico',
		diagram: 'el sinóptico',
		alarm: 'la alarma',
		correction: 'la corrección',
		report: 'el informe',
		panel: 'el panel',
		variable: 'la variable',
		tsdb: 'La base de datos temporal',
		identityProvider: 'El proveedor de identidad',
		signingKey: 'La clave de firma',
		viewer: 'consulta',
		operator: 'operador',
		engineer: 'ingeniero',
		administrator: 'administrador',
		value: 'valor',
		tank: 'depósito',
		pump: 'bomba',
		valve: 'válvula',
		filter: 'filtro',
		source: 'captación',
		network: 'red',
		text: 'texto',
		frame: 'marco',
		join: 'unión',
		left: 'izquierda',
		right: 'derecha',
		top: 'arriba',
		bottom: 'abajo',
		in: 'entrada',
		out: 'salida',
		bit: 'el bit',
		over: 'el límite',
		before: 'antes',
		after: 'después',
		empty: 'está vacío',
		too_long: 'es demasiado largo',
		not_well_formed: 'no es Unicode válido',
		bad_character: 'contiene un carácter no permitido',
		running: 'La primera petición con esta clave sigue en curso: espere un poco.',
		other_request: 'Esta clave ya se usó con otra petición.',
		changed_since: 'Otros lo han cambiado.',
	}),
);
