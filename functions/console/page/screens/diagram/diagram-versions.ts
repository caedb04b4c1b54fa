import { diagramSchema } from '#domain/board/diagram.ts';
import { parse } from '#domain/validation/parse.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Diagram } from '#page/core/definitions.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { type DiagramDraft, storedDraftOf } from './diagram-draft.ts';
import { diagramRequests } from './diagram-requests.ts';
import { diagramVersionFields } from './diagram-version-fields.ts';

/** Compares and saves versions of diagrams. */
export const versions = createItemVersions<DiagramDraft>({
	draftOf: ({ content, version }) => {
		const row = { ...content, version };
		return isDiagram(row) ? storedDraftOf(row).content : null;
	},
	fieldsOf: diagramVersionFields,
	requests: diagramRequests,
});

/** Whether a version is a diagram by the service's own rules. */
function isDiagram(row: unknown): row is Diagram {
	return checkInput((input) => parse(diagramSchema, input), row).size === 0;
}
