import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Diagram } from '#page/core/definitions.ts';
import { canWrite } from '#page/core/poll.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { shellText } from '#page/shell/texts.ts';
import { diagramText } from './texts.ts';

/** The item of the address of a diagram that is not stored yet. */
export const newItem = 'new';

interface DiagramHeadProps {
	/** Null: it is new, or there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
	readonly isEditing: boolean;
	readonly isChanged: boolean;
	readonly isBusy: boolean;
	readonly canSave: boolean;
	/** The buttons of the background. */
	readonly background: ComponentChildren;
	/** Opens the diagram with this item of the address. */
	readonly onOpen: (item: string) => void;
	readonly onMode: (isEditing: boolean) => void;
	readonly onDelete: () => void;
	readonly onDiscard: () => void;
	readonly onSave: () => void;
}

/** The title, the choice of the diagram and of viewing or editing, and what can be done. */
export function DiagramHead(props: DiagramHeadProps) {
	const { stored, rows, isNew, isEditing, isChanged, isBusy, canSave, background, onOpen, onMode, onDelete, onDiscard, onSave } =
		props;
	const text = diagramText();
	const attempts = useSignal(0);
	const choose = (item: string): void => {
		attempts.value += 1;
		onOpen(item);
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
			{(stored !== null || isNew) && (
				<div class="only-wide">
					<Segmented
						label={commonText().viewOrEdit}
						value={isEditing ? 'edit' : 'view'}
						choices={[
							{ value: 'view', label: commonText().view },
							{ value: 'edit', label: commonText().edit },
						]}
						onChoose={(mode) => onMode(mode === 'edit')}
					/>
				</div>
			)}
			{isChanged && <span class="sub">{commonText().unsaved}</span>}
			<div class="actions">
				{isEditing && <span class="only-wide line">{background}</span>}
				{!isNew && (
					<span class="only-wide">
						<Button disabled={!canWrite.value.ok} onClick={() => onOpen(newItem)}>
							{text.newDiagram}
						</Button>
					</span>
				)}
				{stored !== null && isEditing && (
					<Button disabled={!canWrite.value.ok} onClick={onDelete}>
						{commonText().askDelete}
					</Button>
				)}
				{isChanged && <Button onClick={onDiscard}>{commonText().discard}</Button>}
				{(isEditing || isChanged) && (
					<WriteButton look="primary" disabled={!canSave} onClick={onSave}>
						{isBusy ? commonText().saving : text.saveDiagram}
					</WriteButton>
				)}
			</div>
		</header>
	);
}
