import { referenceTo } from '#domain/equation/format-formula.ts';
import { queryPathOf } from '#domain/variable/queries.ts';
import type { FieldError } from '#page/core/api.ts';
import { decimalsOf } from '#page/core/decimals.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { pathsAt } from '#page/parts/problem-paths.ts';
import { ShownAge, ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import type { InputDraft } from './draft.ts';
import type { InputReading } from './input-readings.ts';
import { inputText } from './input-texts.ts';
import { fieldErrorText, readAsText, tagWords } from './wording.ts';

/** Properties of InputsTable. */
export interface InputsTableProps {
	readonly inputs: readonly InputDraft[];
	/** The names that the formula uses. */
	readonly references: readonly string[];
	readonly readings: ReadonlyMap<string, InputReading>;
	/** The problems of the variable by the path of the field. */
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly onEdit: (name: string) => void;
	readonly onAdd: () => void;
}

/** The table of a formula's inputs, each with its own value and quality. It also lists the names in the formula for which there is no input. */
export function InputsTable({ inputs, references, readings, problems, onEdit, onAdd }: InputsTableProps) {
	const text = inputText();
	const missing = references.filter((name) => inputs.every((input) => input.name !== name));
	const { topic, value, quality, age, actions } = commonText();
	const heads = { name: text.inputName, topic, readAs: text.readAs, value, quality, age };
	return (
		<section class="panel" aria-label={text.inputs}>
			<div class="panel-head">
				<h2>{text.inputs}</h2>
				<span class="muted">{text.live}</span>
				<Button onClick={onAdd}>{text.addInput}</Button>
			</div>
			{inputs.length + missing.length === 0 ? (
				<p class="muted">{text.noInputs}</p>
			) : (
				<div class="table-box values">
					<table aria-label={text.inputs}>
						<thead>
							<tr>
								{Object.entries(heads).map(([key, head]) => (
									<th key={key} scope="col" class={key === 'value' || key === 'age' ? 'end' : undefined}>
										{head}
									</th>
								))}
								<th scope="col">
									<span class="sr">{actions}</span>
								</th>
							</tr>
						</thead>
						<tbody>
							{inputs.map((input) => (
								<InputRow
									key={input.name}
									input={input}
									isUsed={references.includes(input.name)}
									reading={readings.get(input.name)}
									error={errorOf(input, problems)}
									onEdit={onEdit}
								/>
							))}
							{missing.map((name) => (
								<tr key={name}>
									<th scope="row" class="mono fault">
										{referenceTo(name)}
									</th>
									{/* All columns but that of the name and that of the button. */}
									<td colSpan={Object.keys(heads).length - 1} class="violet">
										<Icon name="q-missing_reference" /> {text.missingInput}
									</td>
									<td class="buttons">
										<Button onClick={() => onEdit(name)}>{text.add}</Button>
									</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
		</section>
	);
}

interface InputRowProps {
	readonly input: InputDraft;
	readonly isUsed: boolean;
	readonly reading: InputReading | undefined;
	readonly error: string | undefined;
	readonly onEdit: (name: string) => void;
}

function InputRow({ input: { name, query }, isUsed, reading, error, onEdit }: InputRowProps) {
	const text = inputText();
	const shown = reading?.shown ?? null;
	return (
		<tr>
			<th scope="row" class="mono wide">
				{referenceTo(name)}
			</th>
			<td class="mono wide">{[query.topic, ...tagWords(query)].join(' ')}</td>
			<td class="wide">
				{readAsText(query)}
				{!isUsed && <small class="muted"> {text.unused}</small>}
				{error !== undefined && <small class="fault"> {error}</small>}
			</td>
			<td class="end">
				<ShownValue
					shown={shown}
					kind="simple"
					decimals={decimalsOf([shown?.value ?? null])}
					isFresh={reading?.isFresh === true}
				/>
			</td>
			<td>
				<ShownQuality shown={shown} ownName={name} />
			</td>
			<td class="end">
				<ShownAge shown={shown} />
			</td>
			<td class="buttons">
				<Button aria-label={text.editInput(name)} onClick={() => onEdit(name)}>
					{commonText().edit}
				</Button>
			</td>
		</tr>
	);
}

/** Returns the words for the first problem of an input. */
function errorOf({ name }: InputDraft, problems: ReadonlyMap<string, FieldError>): string | undefined {
	const [first] = pathsAt(problems, queryPathOf(name));
	return first === undefined ? undefined : fieldErrorText(problems.get(first));
}
