import { type PackAllDeps, packAllDefinitions } from '#domain/use-cases/pack-all-definitions.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler } from '#http/task-handler.ts';

/** The dependencies of `packDefinitions`. */
export interface PackDefinitionsDeps extends TaskDeps, PackAllDeps {}

/** Packs the definitions of all schemas. */
export function createHandler(deps: PackDefinitionsDeps): TaskHandler {
	return createTaskHandler(deps, async () => {
		const { failed, ...done } = await packAllDefinitions(deps);
		for (const [schema, error] of failed)
			deps.log.error('The definitions of a schema could not be packed.', { schema, error: formatError(error) });
		return { ...done, failing: failed.size };
	});
}
