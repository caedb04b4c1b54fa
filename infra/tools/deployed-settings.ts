import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';

const cdkSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ context: v.objectWithRest({ environments: v.record(v.string(), v.unknown()) }, v.unknown()) }),
);

/**
 * The settings that an environment is deployed with, from cdk.json; undefined where that has no such environment. What was given to
 * a deployment on its command line instead is not known here. Throws SettingsError where they are wrong.
 */
export function settingsOf(environment: string): Environment | undefined {
	const { context } = v.parse(cdkSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
	if (!Object.hasOwn(context.environments, environment)) return undefined;
	return readEnvironment((key) => (key === 'env' ? environment : context[key]));
}
