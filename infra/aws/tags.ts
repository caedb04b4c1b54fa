import type { Environment } from './environment.ts';

/** Returns the tags of a stack. CloudFormation gives them to every resource that can have tags. The operator's own cannot replace ours. */
export function tagsOf({ name, tags }: Pick<Environment, 'name' | 'tags'>): Readonly<Record<string, string>> {
	return { ...tags, application: 'caudal', environment: name };
}
