import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Diagram } from '#page/core/definitions.ts';
import { session } from '#page/core/session.ts';
import { cleanBackground } from '../background.ts';
import { forgetKeptBackground, readKeptBackground } from '../kept-background.ts';
import { applyBackground, type FileNotice } from './background-edits.ts';
import type { DrawingEdits } from './drawing-edits.ts';

/**
 * Moves a background that an earlier release kept in this browser into the drawing, so that the next save stores it for everybody. Once the
 * service stores a background of the diagram, the browser forgets its own. A background that the service would refuse stays in the browser,
 * and the notice says why.
 * @param diagram the stored diagram; null: it is new
 */
export function useKeptBackground(diagram: Diagram | null, edits: DrawingEdits, notice: Signal<FileNotice | null>): void {
	const id = diagram?.id ?? null;
	const hasStoredBackground = (diagram?.background ?? null) !== null;
	useEffect(() => {
		const schema = session.peek()?.schema;
		if (id === null || schema === undefined) return;
		if (hasStoredBackground) {
			forgetKeptBackground(schema, id);
			return;
		}
		const kept = readKeptBackground(schema, id);
		if (kept === null) return;
		void cleanBackground(kept).then((cleaned) => {
			// The person may have chosen a background meanwhile.
			if (edits.editor.content.peek().background === null) applyBackground(edits, cleaned, notice);
		});
	}, [id, hasStoredBackground]);
}
