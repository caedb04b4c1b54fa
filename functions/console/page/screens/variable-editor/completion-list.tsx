import { decimalsOf, decimalsOfVariable } from '#page/core/decimals.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { type NameChoice, NameList } from '#page/formula/name-list.tsx';
import { ShownValue } from '#page/parts/shown-cells.tsx';
import type { Completion } from './completion.ts';
import { inputText } from './input-texts.ts';

interface CompletionListProps {
	readonly choice: NameChoice<Completion>;
	/** Returns the present value of an input by its name; null when it is not known. */
	readonly shownInput: (input: string) => Shown | null;
}

/** The list of names that complete a reference, each with its present value. */
export function CompletionList({ choice, shownInput }: CompletionListProps) {
	const text = inputText();
	useReadings(choice.names.flatMap((completion) => (completion.kind === 'variable' ? completion.id : [])));
	return (
		<NameList {...choice}>
			{(completion) => (
				<>
					{completion.kind === 'new' ? text.newInput(completion.name) : completion.name}
					{completion.kind === 'input' && <small>{text.isInput}</small>}
					{completion.kind === 'variable' && <small>{text.isVariable(completion.id)}</small>}
					{completion.kind !== 'new' && (
						<span class="end">
							<CompletionValue completion={completion} shownInput={shownInput} />
						</span>
					)}
				</>
			)}
		</NameList>
	);
}

interface CompletionValueProps extends Pick<CompletionListProps, 'shownInput'> {
	readonly completion: Exclude<Completion, { kind: 'new' }>;
}

/** The present value of an input, or of a variable that can become one. Both read one series: only simple variables are offered. */
function CompletionValue({ completion, shownInput }: CompletionValueProps) {
	if (completion.kind === 'input') {
		const shown = shownInput(completion.name);
		return <ShownValue shown={shown} kind="simple" decimals={decimalsOf([shown?.value ?? null])} />;
	}
	const reading = readingOf(completion.id).value;
	const shown = reading === undefined ? null : shownOf(reading);
	return <ShownValue shown={shown} kind="simple" decimals={decimalsOfVariable(completion.id)} />;
}
