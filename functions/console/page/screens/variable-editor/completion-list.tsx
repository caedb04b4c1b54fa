import { useEffect } from 'preact/hooks';
import { decimalsOf, decimalsOfVariable } from '#page/core/decimals.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { ShownValue } from '#page/parts/shown-cells.tsx';
import type { Completion } from './completion.ts';
import { formulaText } from './formula-texts.ts';

/** Properties of CompletionList. */
export interface CompletionListProps {
	readonly id: string;
	readonly names: readonly Completion[];
	/** The place of the one that Enter takes. */
	readonly active: number;
	readonly shownInput: (input: string) => Shown | null;
	readonly onChoose: (chosen: Completion) => void;
}

/** The names that complete a reference, with what each shows now. The text area has the focus and the keys. */
export function CompletionList({ id, names, active, shownInput, onChoose }: CompletionListProps) {
	const text = formulaText();
	useReadings(names.flatMap((name) => (name.kind === 'variable' ? name.id : [])));
	useEffect(() => {
		document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
	}, [active]);
	return (
		<div
			role="listbox"
			tabIndex={-1}
			id={id}
			class="popup"
			aria-label={text.names}
			onMouseDown={(event) => event.preventDefault()}
		>
			{names.map((name, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys of the list.
				<div
					key={`${name.kind} ${name.name}`}
					id={`${id}-${index}`}
					role="option"
					tabIndex={-1}
					class="popup-item"
					aria-selected={index === active}
					onClick={() => onChoose(name)}
				>
					{name.kind === 'new' ? text.newInput(name.name) : name.name}
					{name.kind === 'input' && <small>{text.isInput}</small>}
					{name.kind === 'variable' && <small>{text.isVariable(name.id)}</small>}
					{name.kind !== 'new' && (
						<span class="end">
							<CompletionValue name={name} shownInput={shownInput} />
						</span>
					)}
				</div>
			))}
		</div>
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
