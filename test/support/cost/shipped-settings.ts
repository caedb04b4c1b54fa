import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';

const cdkSchema = v.object({ context: v.record(v.string(), v.unknown()) });

/** Returns the settings of an environment as cdk.json ships them, with others in place of some. */
export function shippedSettings(env: string, overrides: Partial<Environment> = {}): Environment {
	const { context } = v.parse(cdkSchema, JSON.parse(readFileSync('cdk.json', 'utf8')));
	const values: Readonly<Record<string, unknown>> = { ...context, ...overrides, env };
	return readEnvironment((key) => values[key]);
}
