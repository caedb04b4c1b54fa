import type * as v from 'valibot';

/** A schema that the document names, with its texts. */
export interface Component<Schema extends v.GenericSchema = v.GenericSchema> {
	readonly schema: Schema;
	readonly description: string;
	/** The description of each field of an object. */
	readonly fields: Readonly<Record<string, string>>;
}

type ObjectSchema = v.GenericSchema<object> & { readonly entries: v.ObjectEntries };

/** The texts for every field of a schema's objects, the optional ones too. */
type FieldTexts<Schema extends ObjectSchema> = { readonly [Field in keyof Schema['entries'] & string]: string };

/** Describes an object. A field without a description is an error of types. */
export function describedObject<Schema extends ObjectSchema>(
	schema: Schema,
	description: string,
	fields: FieldTexts<Schema>,
): Component<Schema> {
	return { schema, description, fields };
}

/** Describes any other schema, such as a choice between objects. */
export function described<Schema extends v.GenericSchema>(schema: Schema, description: string): Component<Schema> {
	return { schema, description, fields: {} };
}
