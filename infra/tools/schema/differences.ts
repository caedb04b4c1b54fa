import { isList, isObject, type Json } from '../plant/json.ts';

/** Most paths that are returned. */
const maxPaths = 100;

/**
 * Returns the paths (`charts.3.title`) at which a value differs from the expected one, at most `maxPaths`. Fields that only `actual` has do not
 * count.
 * @param expected may be nested to any depth. Below a field that `actual` lacks, nothing is compared
 */
export function differencesOf(expected: Json, actual: Json): readonly string[] {
	const paths: string[] = [];
	collect(expected, actual, '', paths);
	return paths;
}

/** Adds the paths below `path` at which the values differ. */
function collect(expected: Json, actual: Json | undefined, path: string, paths: string[]): void {
	if (paths.length === maxPaths || expected === actual) return;
	const pathOf = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
	if (isList(expected) && isList(actual)) {
		for (const [index, item] of expected.entries()) collect(item, actual[index], pathOf(index), paths);
		// Items that only the actual list has count, unlike fields.
		for (let index = expected.length; index < actual.length && paths.length < maxPaths; index += 1) paths.push(pathOf(index));
	} else if (isObject(expected) && isObject(actual)) {
		for (const [key, field] of Object.entries(expected))
			collect(field, Object.hasOwn(actual, key) ? actual[key] : undefined, pathOf(key), paths);
	} else paths.push(path);
}
