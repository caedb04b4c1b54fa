import type { CountedThing } from './counted.ts';

/**
 * The problems of fields: every code with the names of its params (shared/http/README.md#errors). Codes are stable, because pages
 * translate by them. The messages are beside the rules. Faults of an equation's token also have the param `position`.
 */
export const problemParams = {
	// Any field
	required: [],
	wrong_type: ['expected', 'received'],
	not_an_object: [],
	not_a_list: [],
	not_a_choice: ['choices', 'received'],
	invalid_value: [],
	more_errors: [],
	unknown_field: ['meant'],
	given_twice: [],
	// Text
	empty: [],
	not_well_formed: [],
	bad_character: ['character'],
	too_long: ['limit'],
	// Numbers
	not_finite: [],
	negative_zero: [],
	not_positive: [],
	not_whole_number: [],
	number_out_of_range: ['minimum', 'maximum'],
	whole_number_out_of_range: ['minimum', 'maximum'],
	// Lists
	too_many_items: ['items', 'limit', 'actual'],
	not_unique: ['entry', 'field', 'value'],
	repeated: ['entry'],
	no_items: ['items'],
	ids_and_page: [],
	kind_required: [],
	// Variables and their queries
	calculated_and_compressed: [],
	compression_unclear: [],
	one_query_expected: ['actual'],
	bad_query_name: ['name', 'reason'],
	query_name_differs: ['name'],
	query_not_used: [],
	unit_required: [],
	units_differ: ['unit'],
	reserved_tag: [],
	duration_not_whole: ['unit'],
	too_short: ['limit'],
	password_guessable: [],
	duration_too_short: [],
	duration_too_long: [],
	too_many_windows: ['limit', 'actual'],
	variable_too_large: ['item', 'limit', 'actual'],
	bits_required: [],
	mean_of_bits: [],
	// Equations
	equation_empty: [],
	not_a_token: [],
	unknown_token_type: ['value', 'suggestion'],
	unknown_name: ['name'],
	unknown_operator: ['value', 'suggestion'],
	bad_number: ['value'],
	number_too_large: [],
	number_not_text: ['suggestion'],
	two_operands: ['before'],
	missing_operand: ['place'],
	empty_parentheses: [],
	parenthesis_not_closed: [],
	parenthesis_not_opened: [],
	nested_too_deeply: ['limit'],
	parenthesis_expected: ['function'],
	comma_outside_function: [],
	wrong_argument_count: ['function', 'actual'],
	argument_not_constant: ['function'],
	curve_not_ascending: [],
	chained_comparison: [],
	exponent_not_constant: [],
	ambiguous_power: [],
	// Ranges
	not_a_time: [],
	not_epoch_ms: ['minimum', 'maximum'],
	epoch_seconds: [],
	not_a_time_of_day: [],
	not_a_date: [],
	day_not_over: [],
	not_a_time_zone: [],
	start_not_past: ['start'],
	start_not_before_end: [],
	range_too_long: ['limit'],
	period_does_not_fit: [],
	period_and_points: [],
	date_and_range: [],
	// Totals
	dip_too_large: [],
	range_reversed: [],
	same_times: [],
	no_limit: [],
	limits_and_above: [],
	not_part_of_day: [],
	only_percent: [],
	hours_cut_by_day: [],
	longer_than_hours: [],
	no_reading_in_hours: [],
	period_too_short: [],
	only_in_reports: [],
	no_entered_line: ['key'],
	too_many_references: ['limit'],
	repeated_key: [],
	required_by_function: ['function'],
	not_of_function: ['function'],
	required_by_type: ['type'],
	not_of_type: ['type'],
	hold_required: ['aggregate'],
	formula_has_no_counter: [],
	// Machines
	expiry_out_of_range: ['days'],
	at_sign_in_name: [],
	// Boards and the panel
	not_a_variable_id: [],
	no_such_variable: ['variable'],
	variable_without_bits: [],
	no_such_bit: ['bit', 'bits'],
	too_many_variables: ['limit', 'actual'],
	panel_empty: [],
	// Diagrams
	required_by_kind: ['kind'],
	not_of_kind: ['kind'],
	not_of_shape: [],
	required_by_field: ['field'],
	key_not_unique: ['entry'],
	no_such_key: ['key'],
	no_pipe_at_kind: ['kind'],
	no_such_side: ['kind', 'sides'],
	not_of_side: ['side'],
	not_ascending: [],
	not_a_quarter_turn: [],
	too_many_bytes: ['limit'],
	not_svg: [],
	not_xml: ['line', 'column'],
	not_allowed_in_svg: ['found', 'line', 'column'],
	// Alarms
	below_minimum: ['minimum'],
	between_zero_and_minimum: ['minimum'],
	deadband_not_possible: [],
	deadband_without_effect: [],
} as const;

/** The code of a problem. */
export type ProblemCode = keyof typeof problemParams;

/** A param of an error: a number, a truth value, a short text without quotes, or a list. */
export type ErrorParam = number | boolean | string | readonly number[] | readonly string[];

/** The data of an error for a translation. */
export type ErrorParams = Readonly<Record<string, ErrorParam>>;

/** The problem of a field: a code with its params, and the same as a sentence in English. */
export interface Problem {
	readonly code: ProblemCode;
	readonly message: string;
	readonly params: ErrorParams;
}

/** The params that name a counted thing. A param of any other name may have any value. */
type ParamOf<Name> = Name extends 'item' | 'items' ? CountedThing : ErrorParam;
type ParamsOf<Code extends ProblemCode> = { readonly [Name in (typeof problemParams)[Code][number]]: ParamOf<Name> };
type CodeWithoutParams = { [Code in ProblemCode]: (typeof problemParams)[Code] extends readonly [] ? Code : never }[ProblemCode];

/**
 * Creates a problem. Text of a client among its params goes through `sentText`, so that it is short.
 * @example
 * problem('too_long', `At most ${limit} characters.`, { limit });
 */
export function problem(code: CodeWithoutParams, message: string): Problem;
export function problem<Code extends ProblemCode>(code: Code, message: string, params: ParamsOf<Code>): Problem;
export function problem(code: ProblemCode, message: string, params: ErrorParams = {}): Problem {
	return { code, message, params };
}
