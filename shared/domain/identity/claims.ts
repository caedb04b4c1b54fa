/** The claims of a token or of a userinfo answer, as JSON. Nothing of them is checked but where it says so. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the values of a claim as texts: those of a list, the keys of an object, numbers and truth values as text. The claim is the own
 * property of that whole name, otherwise the path at its dots: `cognito:groups`, `realm_access.roles`. `email` has no value unless
 * `email_verified` is true: anybody may write any e-mail at some providers.
 */
export function claimValues(claims: Claims, name: string): readonly string[] {
	const verified = own(claims, 'email_verified');
	if (name === 'email' && verified !== true && verified !== 'true') return [];
	return textsOf(claimAt(claims, name));
}

/** Returns whether claims say something of a claim, as an empty list does. Of `email` they do where they say whether it is verified, too. */
export function hasClaim(claims: Claims, name: string): boolean {
	const isJudged = name !== 'email' || own(claims, 'email_verified') !== undefined;
	return isJudged && (claimAt(claims, name) ?? null) !== null;
}

/** Returns the own property of a whole name, otherwise what is at the path at its dots. */
function claimAt(claims: Claims, name: string): unknown {
	return Object.hasOwn(claims, name) ? own(claims, name) : name.split('.').reduce<unknown>(own, claims);
}

/** Returns the claims by which a provider says that the values of another claim are elsewhere: Entra does where a person has many groups. */
export function absentClaims(claims: Claims): readonly string[] {
	const elsewhere = own(claims, '_claim_names');
	const names = typeof elsewhere === 'object' && elsewhere !== null ? Object.keys(elsewhere) : [];
	return [...names, ...(own(claims, 'hasgroups') === undefined ? [] : ['groups'])];
}

/** Returns an own property; undefined where there is none, whatever a prototype has. */
function own(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return Object.entries(value).find(([key]) => key === name)?.[1];
}

function textsOf(value: unknown): readonly string[] {
	if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'object' ? [] : textsOf(each)));
	if (typeof value === 'object' && value !== null) return Object.keys(value);
	if (typeof value === 'string' || typeof value === 'boolean') return [String(value)];
	return typeof value === 'number' && Number.isFinite(value) ? [String(value)] : [];
}
