import type * as v from 'valibot';

/** A schema that the document names, with its texts. */
export interface Component {
	readonly schema: v.GenericSchema;
	readonly description: string;
	/** The description of each field of an object. */
	readonly fields: Readonly<Record<string, string>>;
}

/** The texts for every field of a schema's objects, the optional ones too. */
type FieldTexts<Schema extends v.GenericSchema> = {
	readonly [Field in keyof v.InferInput<Schema> & string]-?: string;
};

/** Describes an object. A field without a description is an error of types. */
export function describedObject<Schema extends v.GenericSchema<object>>(
	schema: Schema,
	description: string,
	fields: FieldTexts<Schema>,
): Component {
	return { schema, description, fields };
}

/** Describes any other schema, such as a choice between objects. */
export function described(schema: v.GenericSchema, description: string): Component {
	return { schema, description, fields: {} };
}
