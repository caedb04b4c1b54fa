/**
 * Returns the background that this browser keeps for a diagram; null without one. Earlier releases kept backgrounds in the browser. Now
 * they are stored with their diagrams, and no new ones are kept.
 */
export function readKeptBackground(schema: string, diagram: number): string | null {
	try {
		return localStorage.getItem(keyOf(schema, diagram));
	} catch {
		// A browser that refuses storage keeps no background.
		return null;
	}
}

/** Forgets the background that this browser keeps for a diagram, once it is stored with the diagram. */
export function forgetKeptBackground(schema: string, diagram: number): void {
	try {
		localStorage.removeItem(keyOf(schema, diagram));
	} catch {
		// There is nothing to forget.
	}
}

function keyOf(schema: string, diagram: number): string {
	return `caudal.background.${schema}.${diagram}`;
}
