import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { maxLines } from '#domain/board/line.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { orderText } from '#page/parts/order-buttons.tsx';
import { useNextFocus } from '#page/parts/use-next-focus.ts';
import type { LineDraft } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { withLine, withLineMoved, withNewLine, withoutLine } from './line-edits.ts';

/** The edits of a report's lines. Adding, moving and removing a line move the focus to the place where the person probably continues. */
export interface LineEdits {
	/** The element that contains all targets of the focus. */
	readonly root: RefObject<HTMLDivElement | null>;
	/** The id of the line whose form is open. */
	readonly selected: Signal<number | null>;
	/** A sentence about the last edit, for the status line. */
	readonly announcement: Signal<string>;
	select(id: number): void;
	add(): void;
	change(id: number, part: Partial<LineDraft>): void;
	/** Moves a line by one place. `focus` is the selector of the element that then gets the focus. */
	move(id: number, step: -1 | 1, focus: string): void;
	remove(id: number): void;
	/** Opens the line of the first problem, and moves the focus to the field. */
	showFirstProblem(): void;
	/** Moves the focus into a form that was just added to the page. */
	moveFocus(): void;
}

/** Creates the edits of the lines of a report's draft. */
export function useLineEdits(editor: DraftEditor<ReportDraft>): LineEdits {
	const selected = useSignal<number | null>(null);
	const announcement = useSignal('');
	const { root, focusNext, moveFocus } = useNextFocus<HTMLDivElement>();
	const select = (id: number): void => {
		selected.value = id;
		focusNext.current = [`[data-form="${id}"] input`];
	};
	return {
		root,
		selected,
		announcement,
		moveFocus,
		select,
		add: () => {
			const draft = editor.content.peek();
			if (draft.lines.length >= maxLines) return;
			const [next, line] = withNewLine(draft, selected.value);
			editor.change(next);
			select(line.id);
		},
		change: (id, part) => editor.change(withLine(editor.content.peek(), id, part)),
		move: (id, step, focus) => {
			const draft = editor.content.peek();
			const next = withLineMoved(draft, id, step);
			if (next === draft) return;
			editor.change(next);
			focusNext.current = [focus];
			const index = next.lines.findIndex((line) => line.id === id);
			announcement.value = orderText().moved(next.lines[index]?.name ?? '', index + 1);
		},
		remove: (id) => {
			const draft = editor.content.peek();
			const index = draft.lines.findIndex((line) => line.id === id);
			const next = withoutLine(draft, id);
			announcement.value = orderText().removed(draft.lines[index]?.name ?? '');
			editor.change(next);
			if (selected.value === id) selected.value = null;
			const neighbour = next.lines[Math.min(index, next.lines.length - 1)];
			focusNext.current = [neighbour === undefined ? '[data-add]' : `[data-act="remove ${neighbour.id}"]`];
		},
		showFirstProblem: () => {
			const paths = [...editor.problems.peek().keys()];
			// The fields of the report itself are above the lines: while one of them is wrong, no line is opened.
			const hasReportProblem = paths.some((path) => !path.startsWith('lines.'));
			// In `lines.3.name`, the second part is the index of the line.
			const [, index] = paths[0]?.split('.') ?? [];
			const line = editor.content.peek().lines[Number(index)];
			if (!hasReportProblem && line !== undefined) selected.value = line.id;
			focusNext.current = ['[aria-invalid=true]'];
			// The form moves the focus after it is drawn. If nothing changes, it is not drawn again, so the focus is moved here, too.
			requestAnimationFrame(moveFocus);
		},
	};
}
