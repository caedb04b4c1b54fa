import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';

const cdkSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ context: v.objectWithRest({ environments: v.record(v.string(), v.unknown()) }, v.unknown()) }),
);

/**
 * Reads the settings of an environment from cdk.json. Settings given on the command line of a deployment are not known here.
 * @returns undefined when cdk.json has no such environment
 * @throws ConfigError when the settings are wrong
 */
export function settingsOf(environment: string): Environment | undefined {
	const { context } = v.parse(cdkSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
	if (!Object.hasOwn(context.environments, environment)) return undefined;
	return readEnvironment((key) => (key === 'env' ? environment : context[key]));
}
