import { variables } from '#page/core/definitions.ts';
import { Button } from '#page/parts/button.tsx';
import { limitText, questions } from './limit-texts.ts';
import { countingLine } from './line-edits.ts';
import type { LineFieldsProps } from './number-field.tsx';

/** What people ask of a plant. Each answer is a function with fields that are usual for it. */
export function QuestionButtons({ line, onChange }: LineFieldsProps) {
	const text = limitText();
	return (
		<fieldset class="pair">
			<legend class="field-label">{text.question}</legend>
			<div class="line wrap">
				{questions.map(({ name, fields }) => (
					<Button
						key={name}
						small
						onClick={() => onChange({ ...countingLine(line, fields.function, variables.rows.value), ...fields })}
					>
						{text.questions[name]}
					</Button>
				))}
			</div>
		</fieldset>
	);
}
