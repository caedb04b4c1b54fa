import type { FieldError } from '#page/core/api.ts';
import { variables } from '#page/core/definitions.ts';
import { type Binding, boundTo } from '#page/core/reference-problems.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { messages, problemText } from '#page/i18n/i18n.ts';
import { Combobox } from './combobox.tsx';
import { Field } from './field.tsx';
import { Select } from './select.tsx';
import { variableOptions } from './variable-options.ts';

/** `problemOf` returns the problem of a field. */
interface BindingFieldsProps {
	readonly binding: Binding;
	readonly onBind: (binding: Binding) => void;
	readonly problemOf: (field: 'varId' | 'bit') => FieldError | undefined;
	readonly disabled?: boolean | undefined;
}

/** Chooses a variable by its name and, of a byte, a bit. */
export function BindingFields({ binding, onBind, problemOf, disabled = false }: BindingFieldsProps) {
	const text = bindingText();
	const byId = variables.rows.value;
	const variable = binding.varId === null ? undefined : byId?.get(binding.varId);
	const errorOf = (field: 'varId' | 'bit'): string | null => {
		const problem = problemOf(field);
		if (problem === undefined) return null;
		if (problem.code === 'choose_variable') return text.chooseVariable;
		return problem.code === 'choose_bit' ? text.chooseBit(variable?.name ?? '') : problemText(problem).text;
	};
	const bits = bitsOf(variable);
	// A bit that the variable does not have stays in view, with its error, until another choice is made.
	const isForeign = typeof binding.bit === 'number' && !bits.some(({ bit }) => bit === binding.bit);
	// Values of a select are texts, so the whole byte (null) is `null`.
	const choices = [
		...(binding.bit === 'choose' ? [{ value: 'choose', label: '', disabled: true }] : []),
		...(isForeign ? [{ value: String(binding.bit), label: `${commonText().bit} ${binding.bit}`, disabled: true }] : []),
		...bits.map(({ bit, name }) => ({ value: String(bit), label: `${bit} · ${name}` })),
		{ value: 'null', label: text.wholeValue },
	];
	return (
		<>
			<Field label={commonText().variable} error={errorOf('varId')}>
				{(ties) => (
					<Combobox
						ties={ties}
						options={variableOptions(byId?.values() ?? [])}
						value={binding.varId === null ? null : String(binding.varId)}
						onChoose={(id) => {
							// The bit is kept when the same variable is chosen again.
							if (id !== String(binding.varId)) onBind(boundTo(Number(id), byId));
						}}
						listLabel={commonText().variables}
						emptyText={commonText().nothingMatches}
						moreText={commonText().moreVariables}
						disabled={disabled}
					/>
				)}
			</Field>
			{(bits.length > 0 || isForeign) && (
				<Field label={commonText().bit} error={errorOf('bit')}>
					{(ties) => (
						<Select
							{...ties}
							value={String(binding.bit)}
							choices={choices}
							disabled={disabled}
							onChoose={(bit) => onBind({ ...binding, bit: bit === 'null' ? null : Number(bit) })}
						/>
					)}
				</Field>
			)}
		</>
	);
}

const bindingText = messages({
	en: {
		wholeValue: 'The whole byte',
		chooseVariable: 'Choose a variable.',
		chooseBit: (name: string) => `Choose a bit: ${name} is a byte.`,
	},
	es: {
		wholeValue: 'El byte entero',
		chooseVariable: 'Elija una variable.',
		chooseBit: (name: string) => `Elija un bit: ${name} es un byte.`,
	},
});
