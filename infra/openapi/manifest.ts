import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string(), license: v.string() }));

/** Returns the version and the license in package.json. `GET /health` and the OpenAPI document answer the version. */
export function readManifest(): v.InferOutput<typeof manifestSchema> {
	return v.parse(manifestSchema, readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}
