import { Button } from '#page/parts/button.tsx';
import { type DrawingAction, notByKey } from './drawing-actions.ts';
import type { DrawingEdits } from './drawing-edits.ts';

interface ActionButtonProps {
	readonly action: Required<Pick<DrawingAction, 'label' | 'perform'>>;
	readonly edits: DrawingEdits;
	readonly wide?: boolean;
}

/** A button of a form, which performs an action on the selection. */
export function ActionButton({ action, edits, wide }: ActionButtonProps) {
	return (
		<Button wide={wide} onClick={() => action.perform(edits, notByKey)}>
			{action.label()}
		</Button>
	);
}
