import { variables } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { noNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable, type TableColumn } from '#page/parts/data-table.tsx';
import { OrderButtons } from '#page/parts/order-buttons.tsx';
import { type ShapeKind, StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark } from '#page/parts/value-text.tsx';
import { WrongFields } from '#page/parts/wrong-fields.tsx';
import { wordOf } from './item-status.tsx';
import { itemViewOf } from './item-view.ts';
import type { ItemPlace, ListName, PanelDraft, PanelItemDraft } from './panel-draft.ts';
import { stateKindOf } from './state-kind.ts';
import { stationText } from './texts.ts';

interface ItemTableProps {
	readonly list: ListName;
	readonly draft: PanelDraft;
	readonly selected: ItemPlace | null;
	/** Returns how many fields of the item at an index are shown as wrong. */
	readonly wrongCountOf: (index: number) => number;
	readonly disabled: boolean;
	readonly onSelect: (place: ItemPlace) => void;
	readonly onAdd: (list: ListName) => void;
	readonly onMove: (place: ItemPlace, step: -1 | 1) => void;
	readonly onRemove: (place: ItemPlace) => void;
}

/**
 * The table of the pumps or of the states of a panel, with their present states and the buttons that change their order. The editor finds the
 * button that adds an item by `data-add`, and the rows by `data-item`.
 */
export function ItemTable(props: ItemTableProps) {
	const { list, draft, selected, disabled, onSelect, onAdd } = props;
	const text = stationText();
	const items = draft[list];
	const title = list === 'pumps' ? text.pumps : text.states;
	return (
		<section>
			<div class="panel-head">
				<h2>{title}</h2>
				<Button small disabled={disabled} onClick={() => onAdd(list)} data-add={list}>
					{list === 'pumps' ? text.addPump : text.addState}
				</Button>
			</div>
			{items.length === 0 ? (
				<p class="muted">{text.none}</p>
			) : (
				<DataTable
					class="panel-items"
					caption={title}
					rows={items}
					keyOf={({ id }) => id}
					selected={selected?.list === list ? selected.id : null}
					onSelect={({ id }) => onSelect({ list, id })}
					columns={columnsOf(props)}
				/>
			)}
		</section>
	);
}

function columnsOf({
	list,
	draft,
	wrongCountOf,
	disabled,
	onMove,
	onRemove,
}: ItemTableProps): readonly TableColumn<PanelItemDraft>[] {
	const text = stationText();
	const items = draft[list];
	const nameOf = ({ name }: PanelItemDraft): string => (name === '' ? text.newItem : name);
	return [
		{ key: 'shape', head: text.shape, cell: (item) => <ItemShape list={list} item={item} /> },
		{
			key: 'name',
			head: commonText().name,
			isRowHead: true,
			look: 'wide',
			cell: (item) => (
				<span data-item={`${list} ${item.id}`}>
					<WrongFields count={wrongCountOf(items.indexOf(item))} /> {nameOf(item)}
				</span>
			),
		},
		{
			key: 'variable',
			head: commonText().variable,
			look: 'wide',
			cell: ({ varId }) => (varId === null ? '—' : (variables.rows.value?.get(varId)?.name ?? varId)),
		},
		{ key: 'bit', head: commonText().bit, cell: ({ bit }) => (typeof bit === 'number' ? bit : '—') },
		{ key: 'now', head: commonText().now, look: 'wide', cell: (item) => <ItemNow list={list} item={item} /> },
		{
			key: 'actions',
			head: commonText().actions,
			look: 'buttons',
			cell: (item) => (
				<OrderButtons
					item={`${list} ${item.id}`}
					name={nameOf(item)}
					isFirst={item === items[0]}
					isLast={item === items.at(-1)}
					disabled={disabled}
					onMove={(step) => onMove({ list, id: item.id }, step)}
					onRemove={() => onRemove({ list, id: item.id })}
				/>
			),
		},
	];
}

function ItemShape({ list, item }: { readonly list: ListName; readonly item: PanelItemDraft }) {
	return <StateShape kind={kindOf(list, item)} on={viewOf(item)?.on ?? null} />;
}

/** The state that the item would show now. */
function ItemNow({ list, item }: { readonly list: ListName; readonly item: PanelItemDraft }) {
	const view = viewOf(item);
	if (view === null || view.shown === null) return <>{noNumber}</>;
	const { quality } = view.shown;
	if (quality !== 'good') return <QualityMark quality={quality} word={qualityWords()[quality]} />;
	return <>{wordOf(kindOf(list, item), view.on) ?? stateWords().unknown}</>;
}

/** Returns the state that an item would show now; null until its variable and its bit are chosen. */
function viewOf({ varId, bit }: PanelItemDraft) {
	if (varId === null || bit === 'choose') return null;
	return itemViewOf(readingOf(varId).value, bit);
}

function kindOf(list: ListName, { name, varId }: PanelItemDraft): ShapeKind {
	return list === 'pumps' ? 'pump' : stateKindOf(name, varId === null ? undefined : variables.rows.value?.get(varId));
}
