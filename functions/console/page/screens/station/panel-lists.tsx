import type { TargetedKeyboardEvent } from 'preact';
import type { FieldError } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Field } from '#page/parts/field.tsx';
import { pathsAt } from '#page/parts/problem-paths.ts';
import { TextInput } from '#page/parts/text-input.tsx';
import { ItemTable } from './item-tables.tsx';
import { listNames, type PanelDraft } from './panel-draft.ts';
import type { PanelEdits } from './use-panel-edits.ts';

interface PanelListsProps {
	readonly draft: PanelDraft;
	readonly edits: PanelEdits;
	/** The shown problems of the draft, by the path of the field. */
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly disabled: boolean;
	readonly onTitle: (title: string) => void;
}

/** The title of a panel and its two lists. Alt with an arrow key moves the row that has the focus. */
export function PanelLists({ draft, edits, problems, disabled, onTitle }: PanelListsProps) {
	const titleProblem = problems.get('title');
	return (
		<div
			class="panel form"
			onKeyDownCapture={(event) => {
				if (!disabled) moveRow(event, edits);
			}}
		>
			<Field label={commonText().title} error={titleProblem === undefined ? null : problemText(titleProblem).text}>
				{(ties) => <TextInput {...ties} value={draft.title} disabled={disabled} onText={onTitle} />}
			</Field>
			{listNames.map((list) => (
				<ItemTable
					key={list}
					list={list}
					draft={draft}
					selected={edits.selected.value}
					disabled={disabled}
					wrongCountOf={(index) => pathsAt(problems, `${list}.${index}`).length}
					onSelect={edits.select}
					onAdd={edits.add}
					onMove={(place, step) => edits.move(place, step, `[data-act="${step < 0 ? 'up' : 'down'} ${place.list} ${place.id}"]`)}
					onRemove={edits.remove}
				/>
			))}
		</div>
	);
}

/** Moves the row that has the focus up or down if the key is Alt with an arrow key. The row keeps the focus. */
function moveRow(event: TargetedKeyboardEvent<HTMLElement>, edits: PanelEdits): void {
	if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
	const row = event.target instanceof Element ? event.target.closest('tr') : null;
	// The table names the item of a row: `pumps 3`.
	const [listName, id] = row?.querySelector<HTMLElement>('[data-item]')?.dataset['item']?.split(' ') ?? [];
	const list = listNames.find((each) => each === listName);
	if (list === undefined) return;
	event.preventDefault();
	event.stopPropagation();
	edits.move({ list, id: Number(id) }, event.key === 'ArrowUp' ? -1 : 1, `tr:has([data-item="${list} ${id}"])`);
}
