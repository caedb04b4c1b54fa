/**
 * Returns the background that this browser keeps for a diagram, as every browser did before backgrounds were stored with their diagrams; null
 * without one. Nothing is kept here any more.
 */
export function readKeptBackground(schema: string, diagram: number): string | null {
	try {
		return localStorage.getItem(keyOf(schema, diagram));
	} catch {
		return null;
	}
}

/** Forgets the background that this browser keeps for a diagram, once it is stored with the diagram. */
export function forgetKeptBackground(schema: string, diagram: number): void {
	try {
		localStorage.removeItem(keyOf(schema, diagram));
	} catch {
		// A browser that keeps nothing has nothing to forget.
	}
}

function keyOf(schema: string, diagram: number): string {
	return `caudal.background.${schema}.${diagram}`;
}
