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

/** Whether a diagram is only read, or edited. */
export type DiagramMode = 'view' | 'edit';

/** The diagram that is opened, and those that can be. */
export interface OpenedDiagramProps {
	/** Null: it is new, or there is none. */
	readonly stored: Diagram | null;
	readonly rows: readonly Diagram[];
	readonly isNew: boolean;
}

/** What a diagram is opened with, viewed and edited. */
export interface ShownDiagramProps extends OpenedDiagramProps {
	readonly mode: DiagramMode;
	readonly onMode: (mode: DiagramMode) => void;
}

interface DiagramHeadProps extends ShownDiagramProps {
	readonly isChanged?: boolean;
	/** What can be done with it. */
	readonly children?: ComponentChildren;
}

/** The title, the choice of the diagram and of viewing or editing, and what can be done. */
export function DiagramHead({ stored, rows, isNew, mode, onMode, isChanged = false, children }: DiagramHeadProps) {
	const text = diagramText();
	const attempts = useSignal(0);
	const choose = (item: string): void => {
		attempts.value += 1;
		open(item);
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

/** Takes the focus when the element that had it is gone. */
export function focusContent(): void {
	document.getElementById('content')?.focus();
}

function open(item: string): void {
	goTo(hrefOf('diagram', item));
	focusContent();
}
