import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { conditions } from '#domain/board/condition.ts';
import { keywordsOf } from '#domain/validation/keywords.ts';
import { exchangeGrantType } from '#http/token-exchange.ts';
import type { Component } from './component.ts';

/**
 * Converts the components to JSON Schema (draft 2020-12). A schema inside another one becomes a reference where it is a component itself.
 * @throws Error for a schema or an action that JSON Schema cannot express, except the rules that descriptions say in words
 */
export function toComponentSchemas(components: Readonly<Record<string, Component>>): Readonly<Record<string, JsonSchema>> {
	const schemas = Object.fromEntries(Object.entries(components).map(([name, { schema }]) => [name, schema]));
	const componentNames = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
	const converted = toJsonSchemaDefs(schemas, conversionConfig(componentNames));
	return Object.fromEntries(
		Object.entries(components).map(([name, component]) => {
			const schema = withDiscriminator(converted[name] ?? {}, converted);
			return [name, withTexts(withHints(schema), component)];
		}),
	);
}

/** Where the document keeps its schemas. */
export const schemaPointer = '#/components/schemas';

/** Names of the conditions of alarms, which are no identifiers. Generators of clients use them. */
const conditionNames: Readonly<Record<(typeof conditions)[number], string>> = {
	'>': 'greater',
	'>=': 'greater_or_equal',
	'<': 'less',
	'<=': 'less_or_equal',
	'==': 'equal',
	'!=': 'not_equal',
};

const namesByEnumValue: ReadonlyMap<unknown, string> = new Map([
	...Object.entries(conditionNames),
	[exchangeGrantType, 'token_exchange'],
]);

/** The largest number of 32 bits. Generators of clients take an integer for one of 32 bits where its format does not say otherwise. */
const maxInt32 = 2 ** 31 - 1;

/**
 * The checks that are left out of JSON Schema: rules over several fields, which the descriptions state; well-formed text; and finiteness,
 * as JSON has no infinite numbers.
 */
const omittedChecks: ReadonlySet<string> = new Set(['raw_check', 'check', 'finite', 'is_well_formed']);

/** Says how the converter treats schemas and actions. A hook that returns null leaves it to the converter, which throws what it does not know. */
function conversionConfig(componentNames: ReadonlyMap<v.GenericSchema, string>): ConversionConfig {
	const config: ConversionConfig = {
		target: 'draft-2020-12',
		overrideRef: ({ referenceId }) => `${schemaPointer}/${referenceId}`,
		overrideSchema: ({ valibotSchema, jsonSchema }) => convertSchema(valibotSchema.type, jsonSchema),
		overrideAction: ({ valibotAction, jsonSchema }) => {
			// A check that valibot knows only as a function has its keywords from the domain.
			const keywords = keywordsOf(valibotAction);
			if (keywords === undefined) return omittedChecks.has(valibotAction.type) ? jsonSchema : null;
			const { items, values, ...limits } = keywords;
			if (values !== undefined) return { type: 'object', ...limits, additionalProperties: referenceOrSchema(values) };
			if (items === undefined) return { ...jsonSchema, ...limits };
			const { prefixItems: _, ...list } = jsonSchema;
			return { ...list, ...limits, items: referenceOrSchema(items) };
		},
	};
	const referenceOrSchema = (schema: v.GenericSchema): JsonSchema => {
		const name = componentNames.get(schema);
		return name === undefined ? toJsonSchemaDefs({ schema }, config).schema : { $ref: `${schemaPointer}/${name}` };
	};
	return config;
}

/** Returns what the document says instead of `jsonSchema`, mostly for generators of clients; null where that is right as it is. */
function convertSchema(type: string, jsonSchema: JsonSchema): JsonSchema | null {
	// The domain's lists begin with an instance of Array, and an action parses their items (`listUpTo`).
	if (type === 'instance') return { type: 'array' };
	// Its form is in the keywords of the action that parses it.
	if (type === 'custom') return {};
	// Generators fail on a boolean that is a constant.
	if (type === 'literal') return typeof jsonSchema.const === 'boolean' ? { type: 'boolean' } : { type: 'string', ...jsonSchema };
	if (type === 'nullable' || type === 'nullish') return nullable(jsonSchema);
	if (type === 'strict_tuple') return closedTuple(jsonSchema);
	if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
	if (type === 'record' && allowsAnyName(jsonSchema)) return withoutPropertyNames(jsonSchema);
	return null;
}

/**
 * Writes `anyOf: [{ type: 'number' }, { type: 'null' }]` as `type: ['number', 'null']`, and a choice that can be null as one flat choice.
 * Generators of clients read both better.
 */
function nullable(jsonSchema: JsonSchema): JsonSchema {
	const [wrapped, nullSchema] = jsonSchema.anyOf ?? [];
	if (typeof wrapped !== 'object' || nullSchema === undefined) return jsonSchema;
	if (wrapped.anyOf !== undefined) return { ...jsonSchema, anyOf: [...wrapped.anyOf, nullSchema] };
	if (typeof wrapped.type !== 'string' || wrapped.enum !== undefined || wrapped.const !== undefined) return jsonSchema;
	return { ...wrapped, type: [wrapped.type, 'null'] };
}

/** Writes `items: false` as a number of items, because some generators of clients require a schema of items. */
function closedTuple({ prefixItems = [], ...rest }: JsonSchema): JsonSchema {
	return { ...rest, prefixItems, items: {}, maxItems: prefixItems.length };
}

/** Whether a record says of the names of its properties only that they are text, which is true of every name in JSON. */
const allowsAnyName = ({ propertyNames }: JsonSchema): boolean => Object.keys(propertyNames ?? {}).join() === 'type';

function withoutPropertyNames({ propertyNames: _, ...rest }: JsonSchema): JsonSchema {
	return rest;
}

/**
 * Adds what generators of clients need: the format of each number (values are doubles; ids, versions and epoch milliseconds need 64 bits)
 * and names for values that are no identifiers.
 */
function withHints(schema: JsonSchema): JsonSchema {
	return JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
		if (typeof part !== 'object' || part === null || !('type' in part)) return part;
		const types = [part.type].flat();
		if (types.includes('number')) return { ...part, format: 'double' };
		if (types.includes('integer'))
			return 'maximum' in part && Number(part.maximum) <= maxInt32 ? part : { ...part, format: 'int64' };
		const values = 'enum' in part && Array.isArray(part.enum) ? part.enum : [];
		if (!values.some((value) => namesByEnumValue.has(value))) return part;
		return { ...part, 'x-enum-varnames': values.map((value) => namesByEnumValue.get(value) ?? value) };
	});
}

/** Adds to a choice between components which `kind` each of them has, by which generators of clients choose the type of an answer. */
function withDiscriminator(schema: JsonSchema, converted: Readonly<Record<string, JsonSchema>>): JsonSchema {
	if (schema.oneOf === undefined) return schema;
	const referenceOf = (part: JsonSchema | boolean | undefined): string => (typeof part === 'object' && part.$ref) || '';
	const componentOf = (reference: string): JsonSchema => converted[reference.slice(schemaPointer.length + 1)] ?? {};
	const mapping = schema.oneOf.map((member) => {
		const kind = componentOf(referenceOf(componentOf(referenceOf(member)).properties?.['kind']));
		return [kind.enum?.[0], referenceOf(member)];
	});
	return Object.assign({ discriminator: { propertyName: 'kind', mapping: Object.fromEntries(mapping) } }, schema);
}

/** Adds the description of a component, and those of its fields. */
function withTexts(schema: JsonSchema, { description, fields }: Component): JsonSchema {
	const { properties, ...rest } = schema;
	if (properties === undefined) return { description, ...rest };
	const described = Object.entries(properties).map(([name, property]) => {
		const text = fields[name];
		return [name, typeof property === 'object' && text !== undefined ? { description: text, ...property } : property];
	});
	return { description, ...rest, properties: Object.fromEntries(described) };
}
