import { useEffect } from 'preact/hooks';
import type { Diagram } from '#page/core/definitions.ts';
import { session } from '#page/core/session.ts';
import { cleanBackground } from '../background.ts';
import { forgetKeptBackground, readKeptBackground } from '../kept-background.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

/**
 * Takes the background that this browser keeps for a diagram into its drawing, so that the next save stores it for everybody. It is forgotten
 * here once the diagram has one. What the service would refuse stays where it is.
 */
export function useKeptBackground(stored: Diagram | null, edits: DrawingEdits): void {
	const id = stored?.id ?? null;
	const isStored = (stored?.background ?? null) !== null;
	useEffect(() => {
		const schema = session.peek()?.schema;
		if (id === null || schema === undefined) return;
		if (isStored) forgetKeptBackground(schema, id);
		const kept = isStored ? null : readKeptBackground(schema, id);
		if (kept !== null)
			void cleanBackground(kept).then((cleaned) => {
				if (cleaned.fault !== null || edits.editor.content.peek().background !== null) return;
				edits.apply('background', (draft) => ({ ...draft, background: cleaned.svg }));
				edits.pause();
			});
	}, [id, isStored]);
}
