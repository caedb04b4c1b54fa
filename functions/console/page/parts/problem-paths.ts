import type { Failure, FieldError } from '#page/core/api.ts';

/** Whether a form shows every problem of a failure at a field. A failure without problems has none at a field. */
export function areAtFields({ errors }: Failure, isFieldPath: (path: string) => boolean): boolean {
	const paths = Object.keys(errors);
	return paths.length > 0 && paths.every(isFieldPath);
}

/** Returns the paths of the problems of a field, and of its parts. */
export function pathsAt(problems: ReadonlyMap<string, FieldError>, path: string): readonly string[] {
	return [...problems.keys()].filter((each) => each === path || each.startsWith(`${path}.`));
}
