import { kept } from '#page/core/storage.ts';

/**
 * Returns the background that this browser keeps for a diagram; null without one. Earlier releases kept backgrounds in the browser. Now
 * they are stored with their diagrams, and no new ones are kept.
 */
export function readKeptBackground(schema: string, diagram: number): string | null {
	return kept.read(keyOf(schema, diagram));
}

/** Forgets the background that this browser keeps for a diagram, once it is stored with the diagram. */
export function forgetKeptBackground(schema: string, diagram: number): void {
	kept.remove(keyOf(schema, diagram));
}

function keyOf(schema: string, diagram: number): string {
	return `caudal.background.${schema}.${diagram}`;
}
