import * as v from 'valibot';
import { finiteNumber, maxTextLength, text } from '../validation/field.ts';
import { type Duration, durationOf, type TimeUnit, timeUnits } from './duration.ts';
import { windowCount } from './window.ts';

/** Most windows that one query may have, for a history or a mean (design section 4). */
export const maxWindowsPerQuery = 10_000;

const countSchema = v.pipe(
	finiteNumber,
	v.check((value) => value > 0, 'Must be greater than 0.'),
);

const unitSchema = v.picklist(timeUnits);

const fieldsSchema = v.object({
	calc_topic: text(maxTextLength),
	calc_field: text(maxTextLength),
	calc_time: countSchema,
	calc_unit: v.optional(unitSchema),
	calc_unit_topic: v.optional(unitSchema),
	calc_period: countSchema,
	calc_unit_period: unitSchema,
	calc_type_period: v.picklist(['last', 'mean']),
});

/** A query's fields by themselves, in the form that the wire and the store have (specification section 2.4). */
export type Query = v.InferOutput<typeof fieldsSchema>;

export type Aggregate = Query['calc_type_period'];

/** The fields of a query that say how long: it may have right ones of these beside wrong others. */
type Span = Pick<Query, 'calc_time' | 'calc_unit' | 'calc_unit_topic' | 'calc_period' | 'calc_unit_period'>;

type LookbackUnits = Pick<Span, 'calc_unit' | 'calc_unit_topic'>;

const lookbackUnit = ({ calc_unit, calc_unit_topic }: LookbackUnits): TimeUnit | undefined => calc_unit ?? calc_unit_topic;

const unitsSchema = v.pick(fieldsSchema, ['calc_unit', 'calc_unit_topic']);

const lookbackSchema = v.pick(fieldsSchema, ['calc_time']);

const periodSchema = v.pick(fieldsSchema, ['calc_period', 'calc_unit_period']);

/**
 * Offences that no single field shows: which unit the lookback has, and durations out of range. Each rule speaks only where
 * the fields it needs are right by themselves; their own offences are told anyway.
 */
const crossFieldRules = <Input extends Span>() =>
	v.rawCheck<Input>(({ dataset, addIssue }) => {
		const given: unknown = dataset.value;
		const fault = (key: keyof Span, message: string) =>
			addIssue({ message, path: [{ type: 'object', origin: 'value', input: { given }, key, value: undefined }] });
		const units = v.safeParse(unitsSchema, given);
		const lookback = v.safeParse(lookbackSchema, given);
		const period = v.safeParse(periodSchema, given);
		if (units.success) {
			const { calc_unit, calc_unit_topic } = units.output;
			const unit = lookbackUnit(units.output);
			const agree = calc_unit === undefined || calc_unit_topic === undefined || calc_unit === calc_unit_topic;
			if (unit === undefined) fault('calc_unit', 'Is required: the unit of calc_time, here or as calc_unit_topic.');
			if (!agree) fault('calc_unit_topic', `Must equal calc_unit (${calc_unit}) where both are given.`);
			if (unit !== undefined && agree && lookback.success) {
				const duration = durationOf(lookback.output.calc_time, unit);
				if (typeof duration === 'string') fault('calc_time', duration);
			}
		}
		if (period.success) {
			const duration = durationOf(period.output.calc_period, period.output.calc_unit_period);
			if (typeof duration === 'string') fault('calc_period', duration);
		}
	});

/** A query as a client sends it. What was sent is what is stored and listed back. */
export const querySchema = v.pipe(fieldsSchema, crossFieldRules<Query>());

/** How far back a parsed query reads: calc_time in its unit. */
export function lookbackOf(query: Pick<Span, 'calc_time'> & LookbackUnits): Duration {
	return parsedDuration(query.calc_time, lookbackUnit(query));
}

/** The length of one aggregation window of a parsed query. */
export function periodOf(query: Pick<Span, 'calc_period' | 'calc_unit_period'>): Duration {
	return parsedDuration(query.calc_period, query.calc_unit_period);
}

/** How many windows a parsed query may have, by itself. */
export function windowsOf(query: Span): number {
	return windowCount(lookbackOf(query), periodOf(query));
}

const spanSchema = v.pipe(
	v.pick(fieldsSchema, ['calc_time', 'calc_unit', 'calc_unit_topic', 'calc_period', 'calc_unit_period']),
	crossFieldRules<Span>(),
);

const aggregateSchema = v.pick(fieldsSchema, ['calc_type_period']);

/** How many windows a query may have, as it came; undefined where the fields that say so are wrong. */
export function uncheckedWindowCount(query: unknown): number | undefined {
	const span = v.safeParse(spanSchema, query);
	return span.success ? windowsOf(span.output) : undefined;
}

/** The aggregate of a query, as it came; undefined where that is wrong. */
export function rawAggregate(query: unknown): Aggregate | undefined {
	const given = v.safeParse(aggregateSchema, query);
	return given.success ? given.output.calc_type_period : undefined;
}

function parsedDuration(count: number, unit: TimeUnit | undefined): Duration {
	const duration = unit === undefined ? 'Has no unit.' : durationOf(count, unit);
	if (typeof duration === 'string') throw new RangeError(`A parsed query holds ${count} ${unit}: ${duration}`);
	return duration;
}
