import { CheckedFormulaField } from '#page/formula/checked-formula-field.tsx';
import { checkFormula } from '#page/formula/formula-faults.ts';
import { NameList } from '#page/formula/name-list.tsx';
import { commonText } from '#page/i18n/common.ts';
import { folded } from '#page/parts/matching-options.ts';
import { lineText } from './line-texts.ts';
import { errorText, type LineFieldsProps } from './number-field.tsx';

/** The formula of a line over earlier lines. */
export function FormulaFields({ draft, line, problemOf, onChange }: LineFieldsProps) {
	const text = lineText();
	const earlierLines = draft.lines.slice(0, draft.lines.indexOf(line)).filter(({ key }) => key !== '');
	// A formula names a line by its key. The line's own name is shown beside it, where it is another.
	const keys = new Set(earlierLines.map(({ key }) => key));
	const isEmpty = line.formula.trim() === '';
	const { faults } = checkFormula(line.formula, keys);
	// The service calls the formula of a line its equation.
	const problem = problemOf('equation');
	return (
		<div class="field">
			<span class="field-label" aria-hidden="true">
				{commonText().formula}
			</span>
			<CheckedFormulaField
				text={line.formula}
				// An empty formula has faults, which are shown only after the first try to save.
				faults={isEmpty && problem === undefined ? [] : faults}
				namesFor={(typed) =>
					earlierLines.filter(({ key }) => isMeant(key, typed)).map(({ key, name }) => ({ name: key, label: name }))
				}
				renderNames={(choice) => (
					<NameList {...choice}>
						{({ name, label }) => (
							<>
								{name}
								{label !== name && <small>{text.lineNamed(label)}</small>}
							</>
						)}
					</NameList>
				)}
				sayUnknown={text.noLine}
				onText={(formula) => onChange({ formula })}
				onComplete={(_, formula) => onChange({ formula })}
			/>
			{faults.length === 0 && problem !== undefined && <p class="field-error">{errorText(problem)}</p>}
		</div>
	);
}

/** Whether a typed text may be the beginning or a part of a key, whatever their case and accents. */
function isMeant(key: string, typed: string): boolean {
	return folded(key).includes(folded(typed.trim()));
}
