import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Diagram } from '#page/core/definitions.ts';
import { session } from '#page/core/session.ts';
import { cleanBackground } from '../background.ts';
import { forgetKeptBackground, readKeptBackground } from '../kept-background.ts';
import { applyBackground, type FileNotice } from './chosen-file.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

/**
 * Adds the background that this browser keeps for a diagram to its drawing, so that the next save stores it for everybody. The browser
 * forgets it once the diagram has a stored background. A background that the service would refuse stays in the browser, and the notice says
 * why.
 */
export function useKeptBackground(stored: Diagram | null, edits: DrawingEdits, notice: Signal<FileNotice | null>): void {
	const id = stored?.id ?? null;
	const isStored = (stored?.background ?? null) !== null;
	useEffect(() => {
		const schema = session.peek()?.schema;
		if (id === null || schema === undefined) return;
		if (isStored) forgetKeptBackground(schema, id);
		const kept = isStored ? null : readKeptBackground(schema, id);
		if (kept !== null)
			void cleanBackground(kept).then((cleaned) => {
				if (edits.editor.content.peek().background === null) applyBackground(edits, cleaned, notice);
			});
	}, [id, isStored]);
}
