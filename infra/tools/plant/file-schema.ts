import { components } from '#infra/openapi/components.ts';
import { schemaPointer, toComponentSchemas } from '#infra/openapi/json-schema.ts';
import { isList, isObject, type Json, type JsonObject, objectOf } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import { fileFormat } from './plant-file.ts';

/** The schema of the API for the body of a save, by kind. */
const inputs = {
	variable: ['SimpleVariableInput', 'CalculatedVariableInput', 'BitCompressedVariableInput'],
	chart: ['ChartInput'],
	diagram: ['DiagramInput'],
	report: ['ReportInput'],
	panel: ['PanelInput'],
	alarm: ['AlarmInput'],
} as const satisfies Record<PlantKind, readonly (keyof typeof components)[]>;

const nameText =
	'Names the item, in the normal form C of Unicode. Name#12 where several have one name; number signs at the end of a name are written twice.';
const wasText = 'The name before a rename. Has no effect where an item of the new name is there.';

/**
 * Returns the JSON Schema of a plant's file as text. It consists of the API's schemas for saves, with variables by name and formulas as
 * text. A copy is kept in infra/tools/plant/plant.schema.json.
 */
export function fileSchemaText(): string {
	const apiSchemas = objectOf(toComponentSchemas(components));
	const definitions = new Map<string, Json>();
	const define = (name: string): void => {
		if (definitions.has(name)) return;
		// Reserves the name, because a schema may refer to itself.
		definitions.set(name, null);
		definitions.set(name, portableSchema(apiSchemas[name] ?? {}, define));
	};
	const items = Object.fromEntries(plantKinds.map((kind) => [kind, itemSchema(kind, apiSchemas, define)]));
	const properties = plantKinds.map((kind): readonly [string, Json] => {
		const { list, maxItems } = kinds[kind];
		const item = items[kind] ?? {};
		return [list, kind === 'panel' ? { anyOf: [item, { type: 'null' }] } : { type: 'array', maxItems, items: item }];
	});
	const schema = {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		title: 'A plant of Caudal',
		description: 'The definitions of a plant. Corrections and entries are no part of it.',
		type: 'object',
		required: ['format', 'schema'],
		additionalProperties: false,
		properties: {
			$schema: { type: 'string' },
			format: { const: fileFormat, description: 'The form of this file.' },
			schema: { type: 'string', minLength: 1, description: 'The schema that the file was pulled from.' },
			thisPlantOnly: { type: 'boolean', description: 'Items are named with their ids, so the file is for this plant only.' },
			...Object.fromEntries(properties),
		},
		$defs: Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
	};
	return `${JSON.stringify(schema, null, '\t')}\n`;
}

/**
 * Returns the schema of an item of the file: that of the API's save without the id, with the name and the name before a rename first.
 * @param define adds a schema that another one refers to
 */
function itemSchema(kind: PlantKind, apiSchemas: JsonObject, define: (name: string) => void): Json {
	const { nameField } = kinds[kind];
	const choices = inputs[kind].map((name): JsonObject => {
		const { properties, required, ...rest } = objectOf(portableSchema(apiSchemas[name] ?? {}, define));
		const { id: _id, [nameField]: _name, ...fields } = isObject(properties) ? properties : {};
		const renaming: JsonObject = kind === 'panel' ? {} : { was: { type: 'string', description: wasText } };
		const named: JsonObject = { [nameField]: { type: 'string', minLength: 1, description: nameText }, ...renaming };
		const requiredFields = isList(required) ? required.filter((field) => field !== 'id') : [];
		return { ...rest, properties: { ...named, ...fields }, required: requiredFields, additionalProperties: false };
	});
	const [only = {}, ...more] = choices;
	return more.length === 0 ? only : { anyOf: choices };
}

/** Converts a schema of the API to the form of the file: `variable` for `varId`, formulas as text, and no further fields. */
function portableSchema(schema: Json, define: (name: string) => void): Json {
	if (isList(schema)) return schema.map((item) => portableSchema(item, define));
	if (!isObject(schema)) return schema;
	const { $ref: reference } = schema;
	if (typeof reference === 'string') {
		const name = reference.slice(schemaPointer.length + 1);
		define(name);
		return { ...schema, $ref: `#/$defs/${name}` };
	}
	const mapped = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, portableSchema(value, define)]));
	const { properties, required } = mapped;
	if (!isObject(properties) || mapped['type'] !== 'object') return mapped;
	const fields = Object.entries(properties).map(([name, field]): readonly [string, Json] => {
		if (name === 'varId') return ['variable', { type: 'string', description: 'The name of a variable.' }];
		return [name, name === 'equation' ? { type: 'string', description: 'A formula, such as `{Flow A} * 2`.' } : field];
	});
	const requiredFields = isList(required) ? required.map((field) => (field === 'varId' ? 'variable' : field)) : [];
	return { ...mapped, properties: Object.fromEntries(fields), required: requiredFields, additionalProperties: false };
}
