import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';

/** Says whether a person is at an element: the pointer is over it, or the focus is in it. */
interface Hold {
	readonly isHeld: ReadonlySignal<boolean>;
	/** The properties of the element. */
	readonly hold: Readonly<Record<'onPointerEnter' | 'onPointerLeave' | 'onFocusOut', () => void>> & {
		readonly onFocusIn: (event: FocusEvent) => void;
	};
}

/**
 * Follows whether a person is at an element. What is about to be pressed must not move.
 * @param counts whether the focus of an element counts. A click leaves the focus there, too, when the hand has gone
 */
export function useHold(counts: (target: Element) => boolean = () => true): Hold {
	const isPointed = useSignal(false);
	const isFocused = useSignal(false);
	return {
		isHeld: useComputed(() => isPointed.value || isFocused.value),
		hold: {
			onPointerEnter: () => {
				isPointed.value = true;
			},
			onPointerLeave: () => {
				isPointed.value = false;
			},
			onFocusIn: ({ target }) => {
				isFocused.value = target instanceof Element && counts(target);
			},
			onFocusOut: () => {
				isFocused.value = false;
			},
		},
	};
}
