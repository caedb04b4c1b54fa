import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** One choice of a Menu. `checked` makes it a choice that stays, for example a language. */
export interface MenuItem {
	readonly label: string;
	readonly onChoose: () => void;
	readonly icon?: IconName | undefined;
	readonly checked?: boolean | undefined;
}

/** Properties of Menu. `children` is what the button shows; without words in it, `label` names the button. */
export interface MenuProps {
	readonly items: readonly MenuItem[];
	readonly children: ComponentChildren;
	readonly label?: string | undefined;
	readonly class?: string | undefined;
	/** Where the list opens: below, or above for a button at the bottom. */
	readonly above?: boolean | undefined;
	/** Aligns the list with the right edge of the button. */
	readonly end?: boolean | undefined;
}

/** A button that opens a list of actions. Arrows, Home and End move in it, Esc gives the focus back, and leaving closes it. */
export function Menu({ items, children, label, class: extra = 'btn', above = false, end = false }: MenuProps) {
	const [isOpen, setIsOpen] = useState(false);
	const button = useRef<HTMLButtonElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const id = useId();
	const entries = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('.popup-item') ?? [])];
	useLayoutEffect(() => {
		if (isOpen) entries()[0]?.focus();
	}, [isOpen]);

	const closeAndReturn = () => {
		setIsOpen(false);
		button.current?.focus();
	};
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
		const all = entries();
		const at = all.findIndex((entry) => entry.matches(':focus'));
		const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
		const target = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
		if (target !== undefined) {
			event.preventDefault();
			all.at(target % all.length)?.focus();
		}
		if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			closeAndReturn();
		}
	};
	return (
		<span
			class="anchor"
			onFocusOut={(event) => {
				const next = event.relatedTarget;
				if (!(next instanceof Node && event.currentTarget.contains(next))) setIsOpen(false);
			}}
		>
			<button
				ref={button}
				type="button"
				class={extra}
				aria-label={label}
				aria-haspopup="menu"
				aria-expanded={isOpen}
				aria-controls={isOpen ? id : undefined}
				onClick={() => setIsOpen(!isOpen)}
				onKeyDown={(event) => {
					if (event.key !== 'ArrowDown') return;
					event.preventDefault();
					setIsOpen(true);
				}}
			>
				{children}
			</button>
			{isOpen && (
				<div
					ref={list}
					id={id}
					role="menu"
					tabIndex={-1}
					class={classNames('popup', above && 'above', end && 'end')}
					onKeyDown={onKeyDown}
				>
					{items.map(({ label: text, icon, checked, onChoose }) => (
						<button
							key={text}
							type="button"
							{...roleOf(checked)}
							tabIndex={-1}
							class="popup-item"
							onClick={() => {
								closeAndReturn();
								onChoose();
							}}
						>
							{icon !== undefined && <Icon name={icon} />}
							{text}
							{checked === true && <Icon name="q-good" class="end" />}
						</button>
					))}
				</div>
			)}
		</span>
	);
}

/** The role of an entry: an action, or one of several choices. */
function roleOf(checked: boolean | undefined) {
	return checked === undefined ? ({ role: 'menuitem' } as const) : ({ role: 'menuitemradio', 'aria-checked': checked } as const);
}
