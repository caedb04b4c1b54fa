import type { FieldError } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { ItemTable } from './item-tables.tsx';
import { listNames, type PanelDraft } from './panel-draft.ts';
import type { PanelEdits } from './use-panel-edits.ts';

/** Properties of PanelLists. `problems` are those of the draft, by the path of the field. */
export interface PanelListsProps {
	readonly draft: PanelDraft;
	readonly edits: PanelEdits;
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
				if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || disabled) return;
				const row = event.target instanceof Element ? event.target.closest('tr') : null;
				const named = row?.querySelector<HTMLElement>('[data-item]')?.dataset['item']?.split(' ');
				const list = listNames.find((each) => each === named?.[0]);
				if (list === undefined) return;
				event.preventDefault();
				event.stopPropagation();
				const id = Number(named?.[1]);
				edits.move({ list, id }, event.key === 'ArrowUp' ? -1 : 1, `tr:has([data-item="${list} ${id}"])`);
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
					isWrong={(index) => [...problems.keys()].some((path) => path.startsWith(`${list}.${index}.`))}
					onSelect={edits.select}
					onAdd={edits.add}
					onMove={(place, step) => edits.move(place, step, `[data-act="${step < 0 ? 'up' : 'down'} ${place.list} ${place.id}"]`)}
					onRemove={edits.remove}
				/>
			))}
		</div>
	);
}
