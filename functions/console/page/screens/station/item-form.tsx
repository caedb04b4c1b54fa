import type { FieldError } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { BindingFields } from '#page/parts/binding-fields.tsx';
import { Field } from '#page/parts/field.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import type { ItemPlace, ListName, PanelItemDraft } from './panel-draft.ts';
import { stationText } from './texts.ts';

/** Properties of ItemForm. `problemOf` returns the problem of a field of the item. */
export interface PanelItemFormProps {
	readonly place: ItemPlace;
	readonly item: PanelItemDraft;
	readonly problemOf: (field: string) => FieldError | undefined;
	readonly disabled: boolean;
	readonly onChange: (part: Partial<Omit<PanelItemDraft, 'id'>>) => void;
	readonly onList: (list: ListName) => void;
}

/** The fields of one item: its name, whether it is a pump or a state, its variable and its bit. */
export function ItemForm({ place, item, problemOf, disabled, onChange, onList }: PanelItemFormProps) {
	const text = stationText();
	const nameProblem = problemOf('name');
	return (
		<section class="panel form" aria-label={item.name === '' ? text.newItem : item.name} data-form={`${place.list} ${place.id}`}>
			<h2>{item.name === '' ? text.newItem : item.name}</h2>
			<Field label={commonText().name} error={nameProblem === undefined ? null : problemText(nameProblem).text}>
				{(ties) => <TextInput {...ties} value={item.name} disabled={disabled} onText={(name) => onChange({ name })} />}
			</Field>
			<BindingFields binding={item} onBind={onChange} problemOf={problemOf} disabled={disabled} />
			<Field label={text.shownAs} hint={place.list === 'states' ? text.shapeHint : undefined}>
				{(ties) => (
					<Select
						{...ties}
						value={place.list}
						disabled={disabled}
						choices={(['pumps', 'states'] as const).map((list) => ({ value: list, label: text.lists[list] }))}
						onChoose={onList}
					/>
				)}
			</Field>
		</section>
	);
}
