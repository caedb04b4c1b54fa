import { useSignal } from '@preact/signals';
import type { Variable } from '#page/core/definitions.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Combobox } from '#page/parts/combobox.tsx';
import { Field } from '#page/parts/field.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { variableOptions } from '#page/parts/variable-options.ts';
import type { DraftItem } from './diagram-draft.ts';
import { labelOf } from './item-content.tsx';
import { diagramText } from './texts.ts';

interface ItemFormProps {
	readonly item: DraftItem;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly onChange: (change: Partial<Omit<DraftItem, 'key'>>) => void;
	readonly onRemove: () => void;
}

/** The form of the selected item: its label, what it shows, and its place. */
export function ItemForm({ item, variables, onChange, onRemove }: ItemFormProps) {
	const text = diagramText();
	const variable = variables.get(item.varId);
	return (
		<section class="panel form" aria-label={labelOf(item, variable)}>
			<h2>{labelOf(item, variable)}</h2>
			<Field label={text.label}>
				{(ties) => <TextInput {...ties} value={item.label} maxLength={200} onText={(label) => onChange({ label })} />}
			</Field>
			<Field label={commonText().variable}>
				{(ties) => (
					<Combobox
						ties={ties}
						listLabel={commonText().variables}
						value={String(item.varId)}
						options={variableOptions(variables.values())}
						onChoose={(value) => onChange({ varId: Number(value), bit: null })}
						emptyText={commonText().nothingMatches}
						moreText={commonText().moreVariables}
					/>
				)}
			</Field>
			{variable?.binary_compressed === true && (
				<Field label={commonText().bit}>
					{(ties) => (
						<Select
							{...ties}
							value={item.bit === null ? '' : String(item.bit)}
							choices={[
								{ value: '', label: text.wholeValue },
								...bitsOf(variable).map(({ bit, name }) => ({ value: String(bit), label: `${bit}: ${name}` })),
							]}
							onChoose={(value) => onChange({ bit: value === '' ? null : Number(value) })}
						/>
					)}
				</Field>
			)}
			<div class="columns">
				<PlaceField label={text.left} place={item.x} onPlace={(x) => onChange({ x })} />
				<PlaceField label={text.top} place={item.y} onPlace={(y) => onChange({ y })} />
			</div>
			<Button wide onClick={onRemove}>
				{text.remove}
			</Button>
		</section>
	);
}

interface PlaceFieldProps {
	readonly label: string;
	readonly place: number;
	readonly onPlace: (place: number) => void;
}

/** A number from 0 to 1, with a decimal point or comma. What is typed stays as it is while it names the present place. */
function PlaceField({ label, place, onPlace }: PlaceFieldProps) {
	const typed = useSignal<string | null>(null);
	const parsed = typed.value === null ? place : parsePlace(typed.value);
	const shown = typed.value !== null && (parsed === null || parsed === place) ? typed.value : formatExact(place);
	return (
		<Field label={label} error={shown === typed.value && parsed === null ? diagramText().outOfRange : null}>
			{(ties) => (
				<TextInput
					{...ties}
					inputMode="decimal"
					value={shown}
					onText={(text) => {
						typed.value = text;
						const next = parsePlace(text);
						if (next !== null) onPlace(next);
					}}
					onBlur={() => {
						typed.value = null;
					}}
				/>
			)}
		</Field>
	);
}

function parsePlace(text: string): number | null {
	const place = /^\s*(\d+([.,]\d*)?|[.,]\d+)\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
	return place >= 0 && place <= 1 ? place : null;
}
