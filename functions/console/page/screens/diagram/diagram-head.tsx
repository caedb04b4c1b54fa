import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Diagram } from '#page/core/definitions.ts';
import { canWrite } from '#page/core/poll.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { shellText } from '#page/shell/texts.ts';
import { diagramText } from './texts.ts';

/** The item of the address of a diagram that is not stored yet. */
export const newItem = 'new';

/** Whether a diagram is viewed or edited. */
export type DiagramMode = 'view' | 'edit';

/** The opened diagram, and the diagrams that can be opened. */
export interface OpenedDiagramProps {
	/** The stored diagram; null if it is new, or if there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
}

/** The properties with which a diagram is viewed or edited. */
export interface ShownDiagramProps extends OpenedDiagramProps {
	readonly mode: DiagramMode;
	readonly onMode: (mode: DiagramMode) => void;
}

interface DiagramHeadProps extends ShownDiagramProps {
	readonly isChanged?: boolean;
	/** The buttons for the acts on the diagram. */
	readonly children?: ComponentChildren;
}

/** The title, the choices of the diagram and of viewing or editing, and the buttons. */
export function DiagramHead({ stored, rows, isNew, mode, onMode, isChanged = false, children }: DiagramHeadProps) {
	const text = diagramText();
	const attempts = useSignal(0);
	const choose = (item: string): void => {
		attempts.value += 1;
		open(item);
		// The opened diagram draws a new head, so the focus is moved to its field.
		requestAnimationFrame(() => document.querySelector<HTMLElement>('#content .head select')?.focus());
	};
	return (
		<header class="head">
			<h1>{shellText().screens.diagram}</h1>
			{(rows.length > 0 || isNew) && (
				<Select
					// The address decides which diagram is open. If the person decides to stay, a new key resets the field to that diagram.
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
						value={mode}
						choices={[
							{ value: 'view', label: commonText().view },
							{ value: 'edit', label: commonText().edit },
						]}
						onChoose={onMode}
					/>
				</div>
			)}
			{isChanged && <span class="sub">{commonText().unsaved}</span>}
			<div class="actions">
				{!isNew && may('engineer') && (
					<span class="only-wide">
						<Button disabled={!canWrite.value.ok} onClick={() => open(newItem)}>
							{text.newDiagram}
						</Button>
					</span>
				)}
				{children}
			</div>
		</header>
	);
}

/** Moves the focus to the content after the element that had it was removed. */
export function focusContent(): void {
	document.getElementById('content')?.focus();
}

function open(item: string): void {
	goTo(hrefOf('diagram', item));
	focusContent();
}
