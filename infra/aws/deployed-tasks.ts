import { type Task, type TaskName, tasks } from '#shared/tasks.ts';
import type { Environment } from './environment.ts';

/** A row of shared/tasks.ts. */
export type TaskRow = Task & { readonly name: TaskName };

const allTasks: readonly TaskRow[] = tasks;

/** Returns the tasks that an environment has: those whose setting it has, and those without one. */
export function deployedTasks(environment: Pick<Environment, 'canary'>): readonly TaskRow[] {
	return allTasks.filter(({ setting }) => setting === undefined || environment[setting] !== undefined);
}
