import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as v from 'valibot';

const sbomSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		components: v.array(v.object({ type: v.string(), name: v.string(), 'bom-ref': v.string() })),
		dependencies: v.array(v.object({ ref: v.string(), dependsOn: v.optional(v.array(v.string()), []) })),
	}),
);

const folder = new URL('res/schema/', import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'));
const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const imported = ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'];
const schemas = Object.fromEntries(imported.map((name) => [`http://cyclonedx.org/schema/${name}`, read(name)]));
// No field of ours has a format, and no library knows all that the schema names.
const isValid = new Ajv({ strict: false, validateFormats: false, schemas }).compile(read('bom-1.6.SNAPSHOT.schema.json'));

/** Returns why a bill of materials is not as the schema of CycloneDX 1.6 says; empty when it is. */
export function schemaFaults(text: string): readonly string[] {
	return isValid(JSON.parse(text)) ? [] : (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Returns the packages of a bill of materials, as NAME@VERSION, by the part of the product that has them. */
export function packagesByPart(text: string): Readonly<Record<string, readonly string[]>> {
	const { components, dependencies } = v.parse(sbomSchema, text);
	const packagesOf = (ref: string) => dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];
	return Object.fromEntries(
		components
			.filter(({ type }) => type === 'application')
			.map(({ name, 'bom-ref': ref }) => [name, packagesOf(ref).map((purl) => decodeURIComponent(purl.replace('pkg:npm/', '')))]),
	);
}
