import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { createActs } from '#page/core/acts.ts';
import type { Failure } from '#page/core/api.ts';
import { type Diagram, diagrams } from '#page/core/definitions.ts';
import { leaveGuard } from '#page/core/route.ts';
import { type DiagramDraft, draftOf, emptyDraft, isChanged } from './diagram-draft.ts';
import { deleteDiagram, saveDiagram } from './store-diagram.ts';
import { diagramText } from './texts.ts';

/** A diagram that is edited, and what happens when it is saved. */
export interface DraftState {
	/** The changed diagram; null while it is only viewed. */
	readonly draft: Signal<DiagramDraft | null>;
	readonly isChanged: boolean;
	readonly isBusy: boolean;
	/** Why the last save or deletion failed; null when it did not. */
	readonly failure: Failure | null;
	/** The diagram as somebody else saved it meanwhile; null without a conflict. */
	readonly theirs: Diagram | null;
	/** Saves. Resolves to the stored diagram, or null where it was refused. */
	readonly save: () => Promise<Diagram | null>;
	/** Deletes the stored diagram. Resolves to whether it is gone. */
	readonly remove: () => Promise<boolean>;
	/** Goes on with the draft after a conflict: saving it then is a second act. */
	readonly keepMine: () => void;
	/** Drops the changes. After a conflict the draft is what somebody else saved. */
	readonly discard: () => void;
}

/** Keeps the draft of a diagram. Leaving the screen with changes asks first. `stored` is null for a diagram that is not stored yet. */
export function useDiagramDraft(stored: Diagram | null): DraftState {
	const draft = useSignal<DiagramDraft | null>(null);
	const base = useRef<DiagramDraft>(emptyDraft);
	const acts = useMemo(createActs, []);
	const isBusy = useSignal(false);
	const failure = useSignal<Failure | null>(null);
	const theirs = useSignal<Diagram | null>(null);
	// A draft begins with what is stored when its first change is made.
	if (draft.value === null) base.current = stored === null ? emptyDraft : draftOf(stored);
	const changed = draft.value !== null && isChanged(draft.value, base.current);

	// Not after the next frame: somebody may leave before it.
	useLayoutEffect(() => {
		if (!changed) return undefined;
		leaveGuard.editor = { isChanged: () => true, ask: () => confirm(diagramText().leave) };
		return () => {
			leaveGuard.editor = null;
		};
	}, [changed]);

	/** The next step may be to leave, before the effect has run. */
	const endDraft = (): void => {
		draft.value = null;
		leaveGuard.editor = null;
	};
	const findTheirs = async (failed: Failure, id: number): Promise<void> => {
		if (failed.status !== 412 && failed.status !== 404) return;
		await diagrams.load();
		theirs.value = diagrams.rows.value?.find((each) => each.id === id) ?? null;
		// It is deleted: what is left can be saved as a new one.
		if (theirs.value === null && draft.value !== null) draft.value = { ...draft.value, id: 0, version: 0 };
	};
	return {
		draft,
		isChanged: changed,
		isBusy: isBusy.value,
		failure: failure.value,
		theirs: theirs.value,
		save: async () => {
			const current = draft.value;
			if (current === null || isBusy.value) return null;
			isBusy.value = true;
			const result = await saveDiagram(current, acts);
			failure.value = result.ok ? null : result.failure;
			if (result.ok) {
				await diagrams.load();
				base.current = draftOf(result.data);
				// What was changed while it was being saved stays.
				if (draft.value === current) endDraft();
				else draft.value = { ...(draft.value ?? current), id: result.data.id, version: result.data.version };
			} else await findTheirs(result.failure, current.id);
			isBusy.value = false;
			return result.ok ? result.data : null;
		},
		remove: async () => {
			if (stored === null || isBusy.value) return false;
			isBusy.value = true;
			const result = await deleteDiagram(stored);
			failure.value = result.ok ? null : result.failure;
			if (result.ok) endDraft();
			await diagrams.load();
			isBusy.value = false;
			return result.ok;
		},
		keepMine: () => {
			if (theirs.value === null || draft.value === null) return;
			base.current = draftOf(theirs.value);
			draft.value = { ...draft.value, version: theirs.value.version };
			theirs.value = null;
			failure.value = null;
		},
		discard: () => {
			endDraft();
			theirs.value = null;
			failure.value = null;
		},
	};
}
