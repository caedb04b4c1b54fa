import * as v from 'valibot';
import { fieldOf, storedIdSchema } from '#domain/validation/field.ts';
import { boardSaver } from '#http/board-handlers.ts';
import { sentDiagramSchemaFor } from '#http/sent-diagram.ts';

/** POST /saveDiagram: creates (id 0) or updates a diagram. */
export const createHandler = boardSaver('diagram', {
	schemaFor: async ({ store }, { schema }, body) => {
		const [id, background] = [fieldOf(body, 'id'), fieldOf(body, 'background')];
		const isStored = typeof background === 'string' && v.is(storedIdSchema, id);
		const [row] = isStored ? await store.get(schema, [{ kind: 'diagram', id }]) : [];
		return sentDiagramSchemaFor(body, row?.board.content);
	},
});
