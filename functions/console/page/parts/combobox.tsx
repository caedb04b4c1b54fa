import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FieldTies } from './field.tsx';
import { Icon } from './icon.tsx';
import { type ComboboxOption, matchingOptions } from './matching-options.ts';

/** Properties of Combobox. The ties come from Field. */
interface ComboboxProps {
	readonly ties: FieldTies;
	readonly options: readonly ComboboxOption[];
	/** The chosen value; null without one. A value that no option has is shown as it is. */
	readonly value: string | null;
	readonly onChoose: (value: string) => void;
	/** Names the list for screen readers. */
	readonly listLabel: string;
	/** Shown in place of the list when nothing matches. */
	readonly emptyText: string;
	/** Says how many more options match than the list shows. */
	readonly moreText: (count: number) => string;
	readonly disabled?: boolean | undefined;
}

/** Number of options that the list shows at most. */
const shownOptions = 50;

/**
 * A field that searches a list while somebody types (the combobox pattern of ARIA 1.2). If the focus leaves it without a choice, the old
 * value stays.
 */
export function Combobox({ ties, options, value, onChoose, listLabel, emptyText, moreText, disabled }: ComboboxProps) {
	const { query, isOpen, active, setActive, open, close, search } = useSearch(options, value);
	const matches = isOpen ? matchingOptions(options, query ?? '') : [];
	const shown = matches.slice(0, shownOptions);
	const activeId = isOpen && shown[active] !== undefined ? optionId(ties.id, active) : undefined;
	const chosenLabel = options.find((option) => option.value === value)?.label ?? value ?? '';

	const choose = (option: ComboboxOption) => {
		close();
		onChoose(option.value);
	};
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			event.preventDefault();
			const step = event.key === 'ArrowDown' ? 1 : -1;
			// From the last option to the first, and back. Without options, the divisor must not be 0.
			if (isOpen) setActive((active + step + shown.length) % Math.max(1, shown.length));
			else open();
			return;
		}
		if (!isOpen) return;
		const option = shown[active];
		if (event.key === 'Enter') {
			// Enter would send the form around the field.
			event.preventDefault();
			if (option !== undefined) choose(option);
		}
		if (event.key === 'Escape') {
			// Escape closes the list. The dialog around it closes only at the next Escape.
			event.preventDefault();
			event.stopPropagation();
			close();
		}
	};

	return (
		<span class="anchor">
			<span class="input-box">
				<Icon name="i-search" />
				<input
					type="text"
					role="combobox"
					class="input"
					autocomplete="off"
					spellcheck={false}
					{...ties}
					aria-expanded={isOpen}
					aria-controls={`${ties.id}-list`}
					aria-autocomplete="list"
					aria-activedescendant={activeId}
					disabled={disabled}
					value={query ?? chosenLabel}
					onInput={(event) => search(event.currentTarget.value)}
					onFocus={(event) => event.currentTarget.select()}
					onClick={() => {
						if (!isOpen) open();
					}}
					onBlur={close}
					onKeyDown={onKeyDown}
				/>
			</span>

			{/* biome-ignore lint/a11y/noStaticElementInteractions: the list takes no focus, or the pointer would close it before it chooses. */}
			<div class="popup" hidden={!isOpen} onMouseDown={(event) => event.preventDefault()}>
				<OptionList id={ties.id} label={listLabel} options={shown} activeId={activeId} onChoose={choose} />
				{shown.length === 0 && <p class="popup-note">{emptyText}</p>}
				{matches.length > shown.length && <p class="popup-note">{moreText(matches.length - shown.length)}</p>}
			</div>
		</span>
	);
}

/**
 * Returns the state of the search: the typed text (null before anything is typed), whether the list is open, and the position of the
 * option that Enter chooses.
 */
function useSearch(options: readonly ComboboxOption[], value: string | null) {
	const [query, setQuery] = useState<string | null>(null);
	const [isOpen, setIsOpen] = useState(false);
	const [active, setActive] = useState(0);
	return {
		query,
		isOpen,
		active,
		setActive,
		open: () => {
			setIsOpen(true);
			const chosen = options.slice(0, shownOptions).findIndex((option) => option.value === value);
			setActive(Math.max(0, chosen));
		},
		close: () => {
			setIsOpen(false);
			setQuery(null);
		},
		search: (text: string) => {
			setQuery(text);
			setIsOpen(true);
			setActive(0);
		},
	};
}

interface OptionListProps {
	/** The id of the field. */
	readonly id: string;
	readonly label: string;
	readonly options: readonly ComboboxOption[];
	/** The id of the option that Enter chooses. It is scrolled into view. */
	readonly activeId: string | undefined;
	readonly onChoose: (option: ComboboxOption) => void;
}

/** The options that match, as a list below the field. */
function OptionList({ id, label, options, activeId, onChoose }: OptionListProps) {
	useEffect(() => {
		if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
	}, [activeId]);
	return (
		<div role="listbox" tabIndex={-1} id={`${id}-list`} aria-label={label}>
			{options.map((option, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the list.
				<div
					key={option.value}
					id={optionId(id, index)}
					role="option"
					tabIndex={-1}
					class="popup-item"
					aria-selected={optionId(id, index) === activeId}
					onClick={() => onChoose(option)}
				>
					{option.label}
					{option.detail !== undefined && <small>{option.detail}</small>}
					{option.trailing !== undefined && <span class="end">{option.trailing}</span>}
				</div>
			))}
		</div>
	);
}

/** Returns the id of an option's element. */
function optionId(id: string, index: number): string {
	return `${id}-option-${index}`;
}
