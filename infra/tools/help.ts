import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { print } from '#infra/cli/print.ts';

const manifestSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ scripts: v.record(v.string(), v.string()), 'scripts-info': v.record(v.string(), v.string()) }),
);

/** `npm run help`: prints each script of package.json with its description. */
const manifest = v.parse(manifestSchema, readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const width = Math.max(...Object.keys(manifest.scripts).map((name) => name.length));
for (const name of Object.keys(manifest.scripts)) print(`${name.padEnd(width)}  ${manifest['scripts-info'][name] ?? ''}`);
