import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { keywordsOf } from '#domain/validation/keywords.ts';
import type { Component } from './component.ts';

/**
 * Converts the components to JSON Schema (draft 2020-12). A schema inside another one becomes a reference where it is a component itself.
 * @throws Error for a schema or an action that JSON Schema cannot express, except the rules that descriptions say in words
 */
export function toComponentSchemas(components: Readonly<Record<string, Component>>): Readonly<Record<string, JsonSchema>> {
	const schemas = Object.fromEntries(Object.entries(components).map(([name, { schema }]) => [name, schema]));
	const converted = toJsonSchemaDefs(
		schemas,
		conversion(new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]))),
	);
	return Object.fromEntries(
		Object.entries(components).map(([name, component]) => [name, withTexts(converted[name] ?? {}, component)]),
	);
}

/** Where the document keeps its schemas. */
export const schemaPointer = '#/components/schemas';

/** Rules over several fields, the form of text and finiteness: the descriptions say the first ones, JSON has no other numbers. */
const unsaid: ReadonlySet<string> = new Set(['raw_check', 'check', 'finite', 'is_well_formed']);

function conversion(names: ReadonlyMap<v.GenericSchema, string>): ConversionConfig {
	const config: ConversionConfig = {
		target: 'draft-2020-12',
		overrideRef: ({ referenceId }) => `${schemaPointer}/${referenceId}`,
		overrideSchema: ({ valibotSchema: { type }, jsonSchema }) => {
			// The domain's lists begin with `listSchema`, and their items are parsed by an action.
			if (type === 'instance') return { type: 'array' };
			if (type === 'literal') return { type: typeof jsonSchema.const === 'boolean' ? 'boolean' : 'string', ...jsonSchema };
			if (type === 'nullable' || type === 'nullish') return nullable(jsonSchema);
			if (type === 'strict_tuple') return closedTuple(jsonSchema);
			if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
			return type === 'record' && Object.keys(jsonSchema.propertyNames ?? {}).join() === 'type'
				? withoutPropertyNames(jsonSchema)
				: null;
		},
		overrideAction: ({ valibotAction, jsonSchema }) => {
			const keywords = keywordsOf(valibotAction);
			if (keywords === undefined) return unsaid.has(valibotAction.type) ? jsonSchema : null;
			const { items, ...limits } = keywords;
			return { ...jsonSchema, ...limits, ...(items === undefined ? {} : { items: itemsOf(items) }) };
		},
	};
	const itemsOf = (schema: v.GenericSchema): JsonSchema => {
		const name = names.get(schema);
		return name === undefined ? toJsonSchemaDefs({ schema }, config).schema : { $ref: `${schemaPointer}/${name}` };
	};
	return config;
}

/** Writes `anyOf: [{ type: 'number' }, { type: 'null' }]` as `type: ['number', 'null']`, which generators of clients read better. */
function nullable(jsonSchema: JsonSchema): JsonSchema {
	const [wrapped] = jsonSchema.anyOf ?? [];
	if (
		typeof wrapped !== 'object' ||
		typeof wrapped.type !== 'string' ||
		wrapped.enum !== undefined ||
		wrapped.const !== undefined
	)
		return jsonSchema;
	return { ...wrapped, type: [wrapped.type, 'null'] };
}

/** Writes `items: false` as a number of items, because some generators of clients require a schema of items. */
function closedTuple({ prefixItems = [], ...rest }: JsonSchema): JsonSchema {
	return { ...rest, prefixItems, items: { anyOf: prefixItems }, maxItems: prefixItems.length };
}

/** Any text is a property's name in JSON. */
function withoutPropertyNames({ propertyNames: _, ...rest }: JsonSchema): JsonSchema {
	return rest;
}

function withTexts(schema: JsonSchema, { description, fields }: Component): JsonSchema {
	const { properties, ...rest } = schema;
	if (properties === undefined) return { description, ...rest };
	const described = Object.entries(properties).map(([name, property]) => {
		const text = fields[name];
		return [name, typeof property === 'object' && text !== undefined ? { description: text, ...property } : property];
	});
	return { description, ...rest, properties: Object.fromEntries(described) };
}
