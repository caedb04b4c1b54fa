import { boardKinds } from '../board/board.ts';
import type { BoardRow, PanelRow, SchemaMetadata, VariableRow } from '../ports/schema-store.ts';
import { panelKey } from '../transaction/read-set.ts';
import type { WriteDeps } from '../transaction/run-transaction.ts';

/** How often everything is read again where a write came between. */
const maxAttempts = 12;

/** Everything stored in a schema. */
export interface Stored {
	readonly variables: readonly VariableRow[];
	/** By kind, and by ascending id within each. */
	readonly boards: readonly BoardRow[];
	readonly panel: PanelRow | null;
	readonly head: SchemaMetadata;
	/** Whether all of it stood beside each other at the head's revision. */
	readonly together: boolean;
}

/** What is read, one after another. */
export const parts = [...boardKinds, 'panel', 'variable'] as const;

export type Part = (typeof parts)[number];

/** Told before each part is read, with how many rows were read so far; from the first again where a write came between. */
export type OnPart = (part: Part, rows: number) => void;

/**
 * Reads everything stored in a schema, again and again until no write came between. Where writes keep coming it answers what it
 * read last, and says so. The snapshots before and after tell: unlike plain reads they see a commit whole or not at all (design
 * section 6).
 */
export async function readStored({ store, pause }: WriteDeps, schema: string, onPart: OnPart = () => undefined): Promise<Stored> {
	for (let attempt = 1; ; attempt += 1) {
		const { revision: before } = await store.snapshot(schema, []);
		const boards: BoardRow[] = [];
		for (const kind of boardKinds) {
			onPart(kind, boards.length);
			boards.push(...(await store.list(schema, kind)));
		}
		onPart('panel', boards.length);
		const [panel = null] = await store.get(schema, [panelKey]);
		onPart('variable', boards.length + (panel === null ? 0 : 1));
		const { revision, variables } = await store.snapshot(schema, 'all');
		// Last: the ids of what was read were given before.
		const head = await store.schemaMetadata(schema);
		const together = before === revision && head.revision === revision;
		const byId = [...variables.values()].sort((a, b) => a.variable.id - b.variable.id);
		if (together || attempt === maxAttempts) return { variables: byId, boards, panel, head, together };
		await pause(attempt);
	}
}
