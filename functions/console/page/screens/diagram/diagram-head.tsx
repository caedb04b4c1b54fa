import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { HistoryButton } from '#page/changes/history.tsx';
import type { Diagram } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { may } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { shellText } from '#page/shell/texts.ts';
import type { DiagramDraft } from './diagram-draft.ts';
import { diagramText } from './texts.ts';

/** The item of the address of a diagram that is not stored yet. */
export const newItem = 'new';

interface DiagramHeadProps {
	/** Null: it is new, or there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
	readonly editor: DraftEditor<DiagramDraft>;
	/** Whether it is edited, or only read. */
	readonly isEditing: Signal<boolean>;
	/** Whether its changes are shown. */
	readonly showsHistory: Signal<boolean>;
	/** The buttons of the background. */
	readonly background: ComponentChildren;
	/** Opens the diagram with this item of the address. */
	readonly onOpen: (item: string) => void;
	readonly onDelete: () => void;
	readonly onSave: () => void;
}

/** The title, the choice of the diagram and of viewing or editing, and what can be done. */
export function DiagramHead({ stored, rows, isNew, editor, isEditing, background, ...acts }: DiagramHeadProps) {
	const text = diagramText();
	const isChanged = editor.isChanged.value;
	const attempts = useSignal(0);
	const choose = (item: string): void => {
		attempts.value += 1;
		acts.onOpen(item);
		// What is opened has a head of its own.
		requestAnimationFrame(() => document.querySelector<HTMLElement>('#content .head select')?.focus());
	};
	return (
		<header class="head">
			<h1>{shellText().screens.diagram}</h1>
			{(rows.length > 0 || isNew) && (
				<Select
					// The address decides what is open, and a person who is asked may decide to stay: then the choice is put back.
					key={attempts.value}
					aria-label={shellText().screens.diagram}
					value={stored === null ? newItem : String(stored.id)}
					choices={[
						...rows.map(({ id, title }) => ({ value: String(id), label: title })),
						...(stored === null ? [{ value: newItem, label: isNew ? text.untitled : text.notFound }] : []),
					]}
					onChoose={choose}
				/>
			)}
			{(stored !== null || isNew) && may('engineer') && (
				<div class="only-wide">
					<Segmented
						label={commonText().viewOrEdit}
						value={isEditing.value ? 'edit' : 'view'}
						choices={[
							{ value: 'view', label: commonText().view },
							{ value: 'edit', label: commonText().edit },
						]}
						onChoose={(mode) => {
							isEditing.value = mode === 'edit';
						}}
					/>
				</div>
			)}
			{isChanged && <span class="sub">{commonText().unsaved}</span>}
			<div class="actions">
				{stored !== null && <HistoryButton isOpen={acts.showsHistory} />}
				{isEditing.value && <span class="only-wide line">{background}</span>}
				{!isNew && may('engineer') && (
					<span class="only-wide">
						<Button disabled={!canWrite.value.ok} onClick={() => acts.onOpen(newItem)}>
							{text.newDiagram}
						</Button>
					</span>
				)}
				{stored !== null && isEditing.value && (
					<Button disabled={!canWrite.value.ok} onClick={acts.onDelete}>
						{commonText().askDelete}
					</Button>
				)}
				{isChanged && <Button onClick={editor.discard}>{commonText().discard}</Button>}
				{(isEditing.value || isChanged) && (
					<WriteButton look="primary" disabled={!isChanged || editor.isSaving.value} onClick={acts.onSave}>
						{editor.isSaving.value ? commonText().saving : text.saveDiagram}
					</WriteButton>
				)}
			</div>
		</header>
	);
}
