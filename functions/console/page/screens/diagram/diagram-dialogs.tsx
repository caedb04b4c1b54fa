import type { Diagram, Variable } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { SideBySide } from '#page/parts/side-by-side.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type DiagramDraft, draftOf } from './diagram-draft.ts';
import { diagramLines } from './diagram-lines.ts';
import { diagramText } from './texts.ts';

interface ConflictProps {
	readonly theirs: Diagram;
	readonly mine: DiagramDraft;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly onTakeTheirs: () => void;
	readonly onKeepMine: () => void;
}

/** Shows what somebody else saved beside the draft. Neither choice stores anything. */
export function DiagramConflict({ theirs, mine, variables, onTakeTheirs, onKeepMine }: ConflictProps) {
	const text = diagramText();
	return (
		<Dialog title={text.conflict} onClose={onKeepMine}>
			<p class="dialog-text">{commonText().compareBoth}</p>
			<SideBySide
				theirs={{ head: commonText().theirs, lines: diagramLines(draftOf(theirs), variables) }}
				mine={{ head: commonText().mine, lines: diagramLines(mine, variables) }}
			/>
			<div class="dialog-foot">
				<Button onClick={onTakeTheirs}>{commonText().takeTheirs}</Button>
				<Button look="primary" onClick={onKeepMine}>
					{commonText().keepMine}
				</Button>
			</div>
		</Dialog>
	);
}

interface DeleteDiagramProps {
	readonly title: string;
	readonly isBusy: boolean;
	readonly onDelete: () => void;
	readonly onClose: () => void;
}

/** Asks before a diagram is deleted. */
export function DeleteDiagramDialog({ title, isBusy, onDelete, onClose }: DeleteDiagramProps) {
	const text = diagramText();
	return (
		<Dialog title={text.deleteTitle(title)} onClose={onClose} closeLabel={commonText().close} small>
			<p class="dialog-text">{text.deleteText}</p>
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				<WriteButton look="primary" disabled={isBusy} onClick={onDelete}>
					{commonText().delete}
				</WriteButton>
			</div>
		</Dialog>
	);
}
