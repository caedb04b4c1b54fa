/** What a person may do in a schema, from the least to the most (shared/domain/access/README.md#roles). */
export const roles = ['viewer', 'operator', 'engineer', 'administrator'] as const;

/** The name of a role. Each may do what those before it may. */
export type Role = (typeof roles)[number];

/** Returns whether a person with the role `has` may do what needs the role `needs`. */
export function mayAct(has: Role, needs: Role): boolean {
	return roles.indexOf(has) >= roles.indexOf(needs);
}

/** Returns the higher of two roles. */
export function higherRole(a: Role, b: Role): Role {
	return mayAct(a, b) ? a : b;
}
