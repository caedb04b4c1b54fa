import * as v from 'valibot';

/** Printable ASCII that is not blank. */
const text = (maxLength: number) => v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/), v.regex(/\S/), v.maxLength(maxLength));

const units = [
	'Seconds',
	'Microseconds',
	'Milliseconds',
	'Bytes',
	'Kilobytes',
	'Megabytes',
	'Gigabytes',
	'Terabytes',
	'Bits',
	'Kilobits',
	'Megabits',
	'Gigabits',
	'Terabits',
	'Percent',
	'Count',
	'Bytes/Second',
	'Kilobytes/Second',
	'Megabytes/Second',
	'Gigabytes/Second',
	'Terabytes/Second',
	'Bits/Second',
	'Kilobits/Second',
	'Megabits/Second',
	'Gigabits/Second',
	'Terabits/Second',
	'Count/Second',
	'None',
] as const;

const metric = v.strictObject({
	Name: text(1024),
	Unit: v.optional(v.picklist(units)),
	StorageResolution: v.optional(v.picklist([1, 60])),
});

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

const directive = v.strictObject({
	Namespace: v.pipe(
		text(1024),
		v.check((name) => !name.startsWith('AWS/'), 'is reserved for AWS'),
	),
	Dimensions: v.pipe(
		v.array(
			v.pipe(
				v.array(text(250)),
				v.maxLength(30),
				v.check((names) => unique(names), 'names a dimension twice'),
			),
		),
		v.minLength(1),
	),
	Metrics: v.pipe(
		v.array(metric),
		v.maxLength(100),
		v.check((metrics) => unique(metrics.map(({ Name }) => Name)), 'names a metric twice'),
	),
});

/** The values that CloudWatch's PutMetricData accepts: finite numbers from -2^360 to 2^360. */
const value = v.pipe(v.number(), v.finite(), v.minValue(-(2 ** 360)), v.maxValue(2 ** 360));
const target = v.union([value, v.pipe(v.array(value), v.minLength(1), v.maxLength(100))]);
const dimension = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1024), v.regex(/^[\x20-\x7e]+$/));

/**
 * A log event in CloudWatch's embedded metric format ("Embedded metric format specification" in the CloudWatch user guide): a
 * metadata object, and at the root every metric and dimension that it names.
 */
export const emfSchema = v.pipe(
	v.looseObject({
		_aws: v.looseObject({
			Timestamp: v.pipe(v.number(), v.integer(), v.minValue(0)),
			CloudWatchMetrics: v.array(directive),
		}),
	}),
	v.check(
		(root) =>
			root._aws.CloudWatchMetrics.every(
				({ Metrics, Dimensions }) =>
					Metrics.every(({ Name }) => v.is(target, root[Name])) && Dimensions.flat().every((name) => v.is(dimension, root[name])),
			),
		'names a metric or a dimension that is missing or invalid at the root',
	),
);

/** Parses a line in embedded metric format. Throws when the line breaks a rule of the format. */
export const emfOf = (line: string): v.InferOutput<typeof emfSchema> => v.parse(emfSchema, JSON.parse(line));

/** Returns the unit and the values of each metric in a line. */
export const metricsOf = (line: string): Record<string, { readonly unit: string | undefined; readonly values: number[] }> => {
	const root = emfOf(line);
	const metrics = root._aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics);
	return Object.fromEntries(
		metrics.map(({ Name, Unit }) => [Name, { unit: Unit, values: v.parse(v.array(v.number()), [root[Name]].flat()) }]),
	);
};
