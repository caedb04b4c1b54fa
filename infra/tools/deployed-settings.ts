import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';

const cdkSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ context: v.objectWithRest({ environments: v.record(v.string(), v.unknown()) }, v.unknown()) }),
);

/**
 * Reads the settings of an environment from cdk.json. Settings given on the command line of a deployment are known only when they
 * are given here too.
 *
 * @param overrides settings by name, as text
 * @returns undefined when cdk.json has no such environment
 * @throws ConfigError when the settings are wrong
 */
export function settingsOf(environment: string, overrides: Readonly<Record<string, string>> = {}): Environment | undefined {
	const { context } = v.parse(cdkSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
	if (!Object.hasOwn(context.environments, environment)) return undefined;
	const values = new Map(Object.entries({ ...context, ...overrides, env: environment }));
	return readEnvironment((key) => values.get(key));
}
