import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { formulaText } from './formula-texts.ts';

/** A name that can complete a reference. */
export interface ReferenceName {
	readonly name: string;
}

/** The names that complete the reference that is being typed, and the chosen one among them. */
export interface NameChoice<Name extends ReferenceName> {
	readonly names: readonly Name[];
	/** The index of the name that Enter chooses. */
	readonly active: number;
	readonly onChoose: (chosen: Name) => void;
}

/** The id of the list. One formula is edited at a time. */
export const nameListId = 'formula-names';

/** Returns the id of the name at a place of the list. */
export function nameOptionId(place: number): string {
	return `${nameListId}-${place}`;
}

interface NameListProps<Name extends ReferenceName> extends NameChoice<Name> {
	/** What the names are, for screen readers; the names of references if left out. */
	readonly label?: string;
	/** Renders a name, with further facts beside it. */
	readonly children: (name: Name) => ComponentChildren;
}

/** The list of names that complete a reference. The text area keeps the focus and handles the keys. */
export function NameList<Name extends ReferenceName>({
	names,
	active,
	onChoose,
	label = formulaText().names,
	children,
}: NameListProps<Name>) {
	useEffect(() => {
		document.getElementById(nameOptionId(active))?.scrollIntoView({ block: 'nearest' });
	}, [active]);
	return (
		<div
			role="listbox"
			tabIndex={-1}
			id={nameListId}
			class="popup"
			aria-label={label}
			onMouseDown={(event) => event.preventDefault()}
		>
			{names.map((name, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys of the list.
				<div
					key={name.name}
					id={nameOptionId(index)}
					role="option"
					tabIndex={-1}
					class="popup-item"
					aria-selected={index === active}
					onClick={() => onChoose(name)}
				>
					{children(name)}
				</div>
			))}
		</div>
	);
}
