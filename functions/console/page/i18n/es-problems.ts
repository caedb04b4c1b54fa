import type { ErrorParams } from '#domain/validation/problem.ts';
import { formatSent } from '#page/format/time.ts';
import { countedThings, list, number, quoted, received, sidesOf, users, word } from './es-problem-words.ts';

/**
 * The sentence about an error by its code, made from the error's params. A param that is missing leaves a gap or the word `undefined`, never
 * an exception.
 */
export type ProblemTexts = ReadonlyMap<string, (params: ErrorParams) => string>;

/** The Spanish sentence of every error code (functions/README.md#codes). `p` holds the params of the error. */
export const problemTexts: ProblemTexts = new Map(
	Object.entries<(params: ErrorParams) => string>({
		// Any field
		required: () => 'Es obligatorio.',
		wrong_type: (p) => `Se espera ${word(p['expected'])}, no ${received(p['received'])}.`,
		not_an_object: () => 'Se espera un objeto.',
		not_a_list: () => 'Se espera una lista.',
		not_a_choice: (p) => `Se espera ${list(p['choices'], ' o ')}, no ${received(p['received'])}.`,
		invalid_value: () => 'El valor no es válido.',
		unknown_field: (p) => `No existe ese campo: envíe ${p['meant']}.`,
		given_twice: () => 'Está más de una vez: envíelo una sola vez.',
		more_errors: () => 'Hay más campos erróneos que no se muestran: corrija primero estos.',
		// Text
		empty: () => 'No puede quedar vacío.',
		not_well_formed: () => 'No es Unicode válido (contiene medio par sustituto).',
		bad_character: (p) =>
			`No puede contener ${p['character']}: los caracteres de control y las marcas de dirección sin cerrar alteran el texto de alrededor. Quítelo.`,
		too_long: (p) => `Como máximo ${number(p['limit'])} caracteres.`,
		too_short: (p) => `Al menos ${number(p['limit'])} caracteres.`,
		password_guessable: () =>
			'Otros la adivinarían pronto: es poco más que palabras muy usadas, el correo, secuencias y repeticiones. Elija varias palabras que no tengan nada que ver entre sí.',
		// Numbers
		not_finite: () => 'Debe ser un número finito.',
		negative_zero: () => 'No puede ser -0.',
		not_positive: () => 'Debe ser mayor que 0.',
		not_whole_number: () => 'Debe ser un número entero.',
		number_out_of_range: (p) => `Debe ser un número entre ${number(p['minimum'])} y ${number(p['maximum'])}.`,
		whole_number_out_of_range: (p) => `Debe ser un número entero entre ${number(p['minimum'])} y ${number(p['maximum'])}.`,
		// Lists
		too_many_items: (p) => `Como máximo ${number(p['limit'])} ${word(p['items'])}; hay ${number(p['actual'])}.`,
		not_unique: (p) => `No puede repetirse: el elemento ${p['entry']} también tiene ${p['field']} ${p['value']}.`,
		repeated: (p) => `No puede repetirse: el elemento ${p['entry']} es igual.`,
		kind_required: () => 'Indique también el tipo de elemento.',
		ids_and_page: () => 'Indique los identificadores o la página, no ambos.',
		no_items: (p) => `La lista está vacía: faltan ${word(p['items'])}.`,
		// Variables and their queries
		calculated_and_compressed: () => 'Una variable con fórmula no puede ser además un byte con bits.',
		compression_unclear: () => 'La variable guardada es un byte con bits: indique si los conserva o los descarta.',
		one_query_expected: (p) => `Debe tener exactamente una entrada, con el nombre de la variable; hay ${number(p['actual'])}.`,
		bad_query_name: (p) => `El nombre de entrada ${quoted(p['name'])} no es válido: ${word(p['reason'])}.`,
		query_name_differs: (p) => `La entrada debe llamarse como la variable: ${quoted(p['name'])}.`,
		query_not_used: () => 'La fórmula no usa esta entrada: quítela o úsela.',
		unit_required: () => 'Falta la unidad del tiempo hacia atrás.',
		units_differ: (p) => `Las dos unidades del tiempo hacia atrás deben ser iguales (${p['unit']}).`,
		reserved_tag: () => 'Los nombres que empiezan por _ son de InfluxDB, salvo _measurement.',
		duration_not_whole: (p) => `Debe ser un número entero de ${p['unit']}.`,
		duration_too_short: () => 'Debe durar al menos 1 ms.',
		duration_too_long: () => 'Como máximo 100 y, que son 1200 mo o 36600 d.',
		too_many_windows: (p) =>
			`Como máximo ${number(p['limit'])} ventanas, y el tiempo dividido por el periodo da ${number(p['actual'])}: elija un periodo más largo o menos tiempo.`,
		variable_too_large: (p) =>
			`Sus entradas suman ${number(p['actual'])} ${word(p['item'])}, como máximo ${number(p['limit'])}: elija periodos más largos o menos tiempo.`,
		bits_required: () => 'Un byte con bits necesita al menos un bit.',
		mean_of_bits: () => 'Un byte con bits se lee con el último valor: la media de bytes no tiene bits.',
		// Equations
		equation_empty: () => 'La fórmula está vacía: se espera una variable, un número o «(».',
		not_a_token: () => 'No es un elemento de fórmula.',
		unknown_token_type: (p) => `Tipo ${quoted(p['value'])} desconocido: se espera ${list(p['suggestion'], ' o ')}.`,
		unknown_name: (p) => `No hay ninguna entrada ${quoted(p['name'])}.`,
		unknown_operator: (p) => `Operador ${quoted(p['value'])} desconocido: se espera uno de ${list(p['suggestion'], ' ')}.`,
		bad_number: (p) => `${quoted(p['value'])} no es un número: se espera uno como 3, -0.5 o 1e-3.`,
		number_too_large: () => 'El número es demasiado grande.',
		number_not_text: (p) => `El número debe enviarse como texto: "${p['suggestion']}".`,
		two_operands: (p) => `Dos valores seguidos: falta un operador o «)» antes de ${quoted(p['before'])}.`,
		missing_operand: (p) => `Falta un valor ${word(p['place'])} del operador: una variable, un número o «(».`,
		empty_parentheses: () => 'Paréntesis vacíos: se espera una variable, un número o «(» antes de «)».',
		parenthesis_not_closed: () => 'Este «(» no se cierra: falta «)».',
		parenthesis_not_opened: () => 'Este «)» no cierra nada.',
		nested_too_deeply: (p) => `Los paréntesis pueden anidarse como máximo ${number(p['limit'])} veces.`,
		parenthesis_expected: (p) => `Los valores de ${p['function']} van entre paréntesis: falta «(».`,
		comma_outside_function: () => 'Una coma solo separa los valores de una función; los decimales llevan punto.',
		wrong_argument_count: (p) => `La función ${p['function']} no admite ${number(p['actual'])} valores.`,
		argument_not_constant: (p) => `Solo el primer valor de ${p['function']} puede ser una fórmula; los demás son números.`,
		curve_not_ascending: () => 'La x de cada punto debe ser mayor que la del anterior.',
		chained_comparison: () => 'No se encadenan comparaciones: compare dos valores y ponga las demás entre paréntesis.',
		exponent_not_constant: () => 'El exponente debe ser un número, como 2, -1 o 1.5.',
		ambiguous_power: () => 'La potencia se lee de dos maneras: escriba (-2)^2 o -(2^2), y (2^3)^2 o 2^6.',
		// Ranges
		not_a_time: () => 'Debe ser un instante como 2026-11-21T10:00:00Z, entre 1970 y 9999.',
		not_epoch_ms: (p) => `Debe ser un número entero de milisegundos entre ${number(p['minimum'])} y ${number(p['maximum'])}.`,
		epoch_seconds: () => 'Debe ser en milisegundos; parece estar en segundos: multiplíquelo por 1000.',
		not_a_time_of_day: () => 'Debe ser una hora entre 00:00 y 23:59.',
		not_a_date: () => 'Debe ser una fecha como 2026-11-20.',
		day_not_over: () => 'Debe ser un día que ya ha terminado.',
		not_a_time_zone: () => 'Debe ser una zona horaria IANA, como Europe/Madrid o UTC.',
		start_not_past: (p) => `Debe ser anterior al momento actual, y ${formatSent(p['start'])} no lo es.`,
		start_not_before_end: () => 'Debe ser anterior al final.',
		range_too_long: (p) => `Como máximo ${number(p['limit'])} días antes del final.`,
		period_does_not_fit: () => 'Debe dividir 24 h, o ser de días, meses o años enteros.',
		period_and_points: () => 'Indique el periodo o el número de puntos, no ambos.',
		date_and_range: () => 'Indique la fecha o el intervalo, no ambos.',
		// Totals
		dip_too_large: () => 'Debe ser como máximo una décima parte del tamaño.',
		range_reversed: () => 'El primer número no puede ser mayor que el segundo.',
		same_times: () => 'Deben ser dos horas distintas.',
		no_limit: () => 'Al menos uno de los dos debe ser un número.',
		limits_and_above: () => 'Indique un valor o los límites, no ambos.',
		not_part_of_day: () => 'Debe dividir 86400, los segundos de un día.',
		only_percent: () => 'Debe ser 0: un avance es una diferencia de lecturas, sin su error absoluto.',
		hours_cut_by_day: () => 'Deben estar en un solo día: haga que los días empiecen a otra hora, como las 12:00.',
		longer_than_hours: () => 'No debe ser más largo que las horas indicadas.',
		no_reading_in_hours: () => 'Debe empezar alguna lectura en las horas indicadas: se cuentan de nuevo cada día.',
		period_too_short: () => 'Debe ser un día o más para una media mínima, que es la de una noche.',
		only_in_reports: () => 'Solo hay datos introducidos en los informes.',
		too_many_references: (p) => `Como máximo ${p['limit']} referencias distintas en las líneas.`,
		no_entered_line: (p) => `El informe no tiene ninguna línea de datos introducidos con la clave ${quoted(p['key'])}.`,
		repeated_key: () => 'No puede repetirse: una línea anterior tiene la misma clave.',
		required_by_function: (p) => `Hace falta para la función ${p['function']}.`,
		not_of_function: (p) => `No tiene efecto en la función ${p['function']}: quítelo.`,
		required_by_type: (p) => `Hace falta para el tipo ${p['type']}.`,
		not_of_type: (p) => `No tiene efecto en el tipo ${p['type']}: quítelo.`,
		hold_required: (p) =>
			`Hace falta: la variable lee ventanas (${p['aggregate']}), que no dicen cada cuánto envía datos su fuente.`,
		formula_has_no_counter: () => 'Una variable calculada no tiene contador: tome el avance de sus entradas.',
		// Machines
		at_sign_in_name: () => 'No debe tener @, por la que parecería una persona: dele otro nombre.',
		expiry_out_of_range: (p) => `Debe ser después de ahora y a ${p['days']} días como máximo.`,
		// Boards and the panel
		not_a_variable_id: () => 'Debe ser el id de una variable.',
		no_such_variable: (p) => `No hay ninguna variable ${p['variable']}.`,
		variable_without_bits: () => 'Solo un byte con bits tiene bits: quite el bit o elija otra variable.',
		no_such_bit: (p) => `La variable no define el bit ${p['bit']}; tiene ${list(p['bits'], ', ')}.`,
		too_many_variables: (p) => `Como máximo ${number(p['limit'])} variables distintas; hay ${number(p['actual'])}.`,
		panel_empty: () => 'Hace falta al menos una bomba o un estado.',
		// Diagrams
		required_by_kind: (p) => `Hace falta en el tipo «${word(p['kind'])}».`,
		not_of_kind: (p) => `No tiene efecto en el tipo «${word(p['kind'])}»: quítelo.`,
		not_of_shape: () => 'Una forma no muestra ninguna variable: quítela, o pase la forma a los elementos.',
		required_by_field: (p) => `Hace falta con ${word(p['field'])}.`,
		key_not_unique: (p) => `No puede repetirse: ${p['entry']} tiene la misma clave.`,
		no_such_key: (p) => `No hay ningún símbolo con la clave ${quoted(p['key'])}: lleve la tubería a uno que exista.`,
		no_pipe_at_kind: (p) => `Una tubería no puede acabar en el tipo «${word(p['kind'])}».`,
		no_such_side: (p) => `El tipo «${word(p['kind'])}» no tiene ese lado: use ${sidesOf(p['sides'])}.`,
		not_of_side: (p) => `No tiene efecto en el lado «${word(p['side'])}»: quítelo.`,
		not_ascending: () => 'El segundo número debe ser mayor que el primero.',
		not_a_quarter_turn: () => 'Debe ser 0, 90, 180 o 270.',
		too_many_bytes: (p) => `Como máximo ${number(p['limit'])} bytes.`,
		not_svg: () => 'Debe ser un SVG: su primer elemento es svg, con xmlns="http://www.w3.org/2000/svg".',
		not_xml: (p) => `No es XML válido en la línea ${p['line']}, columna ${p['column']}.`,
		not_allowed_in_svg: (p) =>
			`Contiene ${p['found']} en la línea ${p['line']}, columna ${p['column']}, que un fondo no puede tener: quítelo.`,
		// Alarms
		below_minimum: (p) => `Debe ser al menos ${number(p['minimum'])}.`,
		between_zero_and_minimum: (p) => `Debe ser 0 (nunca) o al menos ${number(p['minimum'])}.`,
		deadband_not_possible: () => 'Debe ser 0 con = y ≠, y con un bit.',
		deadband_without_effect: () =>
			'Es demasiado pequeña o demasiado grande: el límite que se desplaza con ella debe ser otro número.',
		// The request
		content_encoding_not_supported: () => 'El cuerpo debe enviarse sin Content-Encoding.',
		content_type_not_json: () => 'El cuerpo debe ser application/json en UTF-8.',
		body_too_large: (p) => `El cuerpo tiene ${number(p['actual'])} bytes; como máximo ${number(p['limit'])}.`,
		body_not_utf8: () => 'El cuerpo no es UTF-8.',
		body_not_json: () => 'El cuerpo no es JSON.',
		body_not_an_object: () => 'El cuerpo debe ser un objeto JSON.',
		body_required: () => 'Falta el cuerpo, un objeto JSON.',
		bad_path_id: () => 'El id de la dirección debe ser un número entero positivo.',
		bad_dry_run: () => 'No está claro si solo hay que comprobar: inténtelo otra vez.',
		no_idempotency_key: () => 'Esta respuesta contiene un secreto y no se guarda: repita sin clave.',
		no_dry_run: () => 'Aquí no se puede comprobar sin guardar.',
		bad_idempotency_key: () => 'La clave de idempotencia debe tener de 1 a 255 caracteres ASCII visibles.',
		bad_if_match: () => 'If-Match debe llevar el ETag leído, entre comillas.',
		bad_after: () => 'La continuación no es de esta consulta: consulte de nuevo desde el principio.',
		no_tenant: () => 'La sesión no indica esquema ni base de datos: entre de nuevo.',
		answer_too_large: (p) => `La respuesta supera ${number(p['limit'])} bytes: pida menos de una vez.`,
		listing_too_large: (p) => `La lista supera ${number(p['limit'])} bytes: pídala por páginas.`,
		// What is stored
		no_such_change: (p) => `El diario no tiene esa entrada (${word(p['kind'])} ${p['itemId']}, ${p['rowVersion']}).`,
		not_deleted: (p) =>
			`Ya está guardado (${word(p['kind'])} ${p['id']}), o esta no es la entrada de su último borrado: lea sus cambios.`,
		not_found: (p) => `Ya no existe ${word(p['kind'])}${p['id'] === undefined ? '' : ` ${p['id']}`}.`,
		too_large: (p) =>
			`Demasiado: ${number(p['actual'])} ${countedThings(p['counted'], p['variable'])}, como máximo ${number(p['limit'])}.`,
		in_use: (p) =>
			`No se pueden quitar bits en uso: ${list(p['bits'], ', ')}. Usos (${p['usages']}): ${users(p['kinds'], p['names'])}. Cambie antes quien los usa.`,
		version_mismatch: (p) =>
			p['stored'] === undefined
				? 'Ya no hay nada guardado.'
				: `Otra persona ha guardado antes: ahora hay la versión ${p['stored']}.`,
		key_in_use: (p) => word(p['reason']),
		schema_busy: (p) =>
			`Esta planta ya tiene ${number(p['limit'])} peticiones a la vez, el máximo (${p['setting']}): inténtelo de nuevo en un momento.`,
		write_contention: () => 'Demasiados cambios a la vez; no se ha guardado nada. Inténtelo de nuevo.',
		outcome_unknown: () => 'No se sabe si se ha guardado. Vuelva a leer para comprobarlo.',
		store_failed: () => 'El almacén ha fallado; no se ha guardado nada. Inténtelo de nuevo.',
		// Roles
		role_too_low: (p) => `Su rol es ${word(p['has'])} y hace falta ${word(p['needs'])}: pregunte a un administrador.`,
		machine_refused: (p) => `La máquina ${word(p['reason'])}: pregunte a un administrador.`,
		no_such_machine: (p) => `No hay ninguna máquina ${p['machine']}.`,
		secrets_full: (p) => `Una máquina tiene como máximo ${p['limit']} secretos: elimine uno antes.`,
		own_role: () => 'Nadie cambia su propio rol.',
		no_such_person: () => 'No existe esa persona: las de un proveedor de acceso se conocen desde su primera entrada.',
		role_from_provider: (p) => `El proveedor de acceso da el rol ${word(p['role'])}: para bajarlo, cambie la concesión.`,
		// Sign-in
		credentials_refused: () => 'Acceso denegado: revise el correo, el código de aplicación, el esquema y la base de datos.',
		password_refused: () => 'Acceso denegado: revise el correo y la contraseña.',
		code_required: () => 'Escriba también el código de su aplicación de autenticación, o uno de recuperación.',
		code_refused: () => 'Este código no es correcto o ya se usó: escriba el siguiente.',
		second_factor_required: () => 'Este servicio exige un segundo factor: configúrelo primero.',
		second_factor_late: () =>
			'El segundo factor se configura en la hora siguiente a fijar la contraseña: pida un enlace nuevo a quien administra el servicio.',
		second_factor_set: () => 'Esta cuenta ya tiene un segundo factor: pida a quien administra el servicio que lo quite.',
		link_ended: () => 'Este enlace ya se usó o ha caducado: pida uno nuevo a quien administra el servicio.',
		sign_in_blocked: () => 'Demasiados intentos fallidos: espere antes de probar de nuevo.',
		session_ended: () => 'La sesión ha terminado: vuelva a iniciarla.',
		renewal_refused: () => 'La sesión no se puede prolongar: vuelva a iniciarla.',
		sign_in_refused: () => 'El proveedor no ha confirmado esta entrada: empiece de nuevo.',
		no_grant: (p) =>
			`Aún no tiene acceso: diga al administrador lo que ${p['provider']} dice de usted (${list(p['claims'], ', ')}).`,
		groups_not_in_token: (p) =>
			`${p['provider']} no incluye sus grupos, porque son demasiados: pida a su administrador que envíe menos.`,
		no_such_provider: () => 'No existe ese proveedor: vuelva a cargar la página.',
		renewal_under_way: () => 'Otra petición está prolongando esta sesión: inténtelo de nuevo.',
		no_published_key: () => 'Aún no hay ninguna clave publicada: avise al administrador.',
		// Dependencies
		dependency_failed: (p) => `${word(p['dependency'])} ha fallado: inténtelo de nuevo y, si continúa, avise al administrador.`,
		dependency_slow: (p) => `${word(p['dependency'])} no ha respondido a tiempo: inténtelo de nuevo.`,
		// Bugs
		internal_error: (p) => `Error interno. Indique al administrador esta petición: ${p['requestId']}`,
	}),
);
