import type { MachineRefusal } from '#domain/access/machine.ts';
import type { Role } from '#domain/access/role.ts';
import type { Side, SymbolKind } from '#domain/board/symbol-kinds.ts';
import type { ItemKind } from '#domain/changes/change-entry.ts';
import type { Dependency, ErrorPayloads } from '#domain/errors.ts';
import type { CountedThing } from '#domain/validation/counted.ts';
import type { ErrorParam, ProblemCode } from '#domain/validation/problem.ts';
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

type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
type NameFlaw = Extract<ProblemCode, 'empty' | 'too_long' | 'not_well_formed' | 'bad_character'>;
type OperandPlace = 'before' | 'after';
type FieldOfVariable = 'bit' | 'over';

/** The words that the service puts into params. The type check demands a translation of each. */
type ParamWord =
	| (CountedThing | Dependency | ErrorPayloads['key_in_use']['reason'] | ItemKind | MachineRefusal | Role | Side | SymbolKind)
	| (JsonType | NameFlaw | OperandPlace | FieldOfVariable);

/** The Spanish words, in a map because a text of a client may be the name of a method. */
const words: ReadonlyMap<string, string> = new Map(
	Object.entries<string>({
		object: 'un objeto',
		array: 'una lista',
		string: 'texto',
		number: 'un número',
		boolean: 'sí o no',
		null: 'nada',
		tags: 'etiquetas',
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
		drawing_parts: 'elementos, formas y tuberías',
		pumps: 'bombas',
		alarms: 'alarmas',
		charts: 'gráficos',
		corrections: 'correcciones',
		entries: 'datos introducidos',
		days: 'días',
		diagrams: 'sinópticos',
		lines: 'líneas',
		parameters: 'parámetros',
		reports: 'informes',
		topics: 'topics',
		samples_in_range: 'muestras en el intervalo',
		samples_for_formulas: 'muestras en el intervalo, contadas por cada fórmula',
		alarm_entries_in_range: 'entradas del diario de alarmas en el intervalo y la semana anterior',
		states: 'estados',
		windows: 'ventanas',
		input_minutes: 'minutos de todas las entradas',
		boards_of_variable: 'usos de la variable',
		variables: 'variables',
		streams: 'grupos de series con el mismo tiempo, periodo y agregado',
		variables_in_schema: 'variables en el esquema',
		charts_in_schema: 'gráficos en el esquema',
		diagrams_in_schema: 'sinópticos en el esquema',
		alarms_in_schema: 'alarmas en el esquema',
		corrections_in_schema: 'correcciones en el esquema',
		reports_in_schema: 'informes en el esquema',
		entries_in_schema: 'datos introducidos en el esquema',
		bytes_to_store: 'bytes que guardar',
		bytes_of_row: 'bytes que guardar en una fila',
		bytes_of_commit: 'bytes que guardar a la vez',
		bytes_of_query: 'bytes de la consulta a la base de datos temporal',
		values_to_answer: 'valores (ventanas por variables por agregados)',
		values_to_read: 'valores que leer (ventanas por entradas)',
		own_periods_in_range: 'periodos propios de las variables en el intervalo',
		chart: 'el gráfico',
		diagram: 'el sinóptico',
		alarm: 'la alarma',
		correction: 'la corrección',
		report: 'el informe',
		entry: 'el dato',
		panel: 'el panel',
		variable: 'la variable',
		person: 'la persona',
		machine: 'la máquina',
		grant: 'la concesión',
		session: 'el inicio de sesión',
		tsdb: 'La base de datos temporal',
		identityProvider: 'El proveedor de identidad',
		openIdProvider: 'El proveedor de acceso',
		signingKey: 'La clave de firma',
		notifier: 'El servicio de avisos',
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
	} satisfies Readonly<Record<ParamWord, string>>),
);
