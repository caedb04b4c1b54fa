import { decimalsOf, decimalsOfVariable } from '#page/core/decimals.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { type NameChoice, NameList } from '#page/formula/name-list.tsx';
import { ShownValue } from '#page/parts/shown-cells.tsx';
import type { Completion } from './completion.ts';
import { inputText } from './input-texts.ts';

interface CompletionListProps {
	readonly choice: NameChoice<Completion>;
	readonly shownInput: (input: string) => Shown | null;
}

/** The list of names that complete a reference, each with its present value. */
export function CompletionList({ choice, shownInput }: CompletionListProps) {
	const text = inputText();
	useReadings(choice.names.flatMap((name) => (name.kind === 'variable' ? name.id : [])));
	return (
		<NameList {...choice}>
			{(name) => (
				<>
					{name.kind === 'new' ? text.newInput(name.name) : name.name}
					{name.kind === 'input' && <small>{text.isInput}</small>}
					{name.kind === 'variable' && <small>{text.isVariable(name.id)}</small>}
					{name.kind !== 'new' && (
						<span class="end">
							<CompletionValue name={name} shownInput={shownInput} />
						</span>
					)}
				</>
			)}
		</NameList>
	);
}

function CompletionValue({
	name,
	shownInput,
}: {
	readonly name: Exclude<Completion, { kind: 'new' }>;
	readonly shownInput: (input: string) => Shown | null;
}) {
	if (name.kind === 'input') {
		const shown = shownInput(name.name);
		return <ShownValue shown={shown} kind="simple" decimals={decimalsOf([shown?.value ?? null])} />;
	}
	const reading = readingOf(name.id).value;
	return (
		<ShownValue shown={reading === undefined ? null : shownOf(reading)} kind="simple" decimals={decimalsOfVariable(name.id)} />
	);
}
