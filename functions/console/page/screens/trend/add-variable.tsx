import { variables } from '#page/core/definitions.ts';
import { Combobox } from '#page/parts/combobox.tsx';
import { Field } from '#page/parts/field.tsx';
import { variableOptions } from '#page/parts/variable-options.ts';
import { trendText } from './texts.ts';
import { maxTrendIds } from './trend-view.ts';

interface AddVariableProps {
	/** The variables that are shown already. */
	readonly ids: readonly number[];
	readonly onAdd: (id: number) => void;
}

/** Searches a variable by its name, unit or process, and adds its curve. */
export function AddVariable({ ids, onAdd }: AddVariableProps) {
	const text = trendText();
	const others = [...(variables.rows.value?.values() ?? [])].filter(({ id }) => !ids.includes(id));
	const isFull = ids.length >= maxTrendIds;
	return (
		<section class="panel">
			<Field label={text.addVariable} hint={isFull ? text.full(maxTrendIds) : undefined}>
				{(ties) => (
					<Combobox
						// A new one for each choice, so that the field is empty again.
						key={ids.length}
						ties={ties}
						listLabel={text.allVariables}
						value={null}
						options={variableOptions(others)}
						onChoose={(value) => onAdd(Number(value))}
						emptyText={text.nothingMatches}
						moreText={text.more}
						disabled={isFull || others.length === 0}
					/>
				)}
			</Field>
		</section>
	);
}
