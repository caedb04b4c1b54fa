import { argumentRules } from '#domain/equation/argument-rules.ts';
import type { FormulaFunction } from '#domain/equation/token.ts';
import { formulaText } from './formula-texts.ts';
import { type NameChoice, NameList } from './name-list.tsx';

/** The list of functions that complete a word, each with its arguments. */
export function FunctionList(choice: NameChoice<{ readonly name: FormulaFunction }>) {
	return (
		<NameList {...choice} label={formulaText().functions}>
			{({ name }) => (
				<>
					{name}
					<small>{argumentRules[name].form}</small>
				</>
			)}
		</NameList>
	);
}
