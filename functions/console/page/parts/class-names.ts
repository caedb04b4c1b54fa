/** Joins the names of classes that apply. `false`, `undefined` and '' are left out. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
	return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
