import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';

/** Tells whether the pointer is over an element, or the focus is in it. */
interface Hold {
	readonly isHeld: ReadonlySignal<boolean>;
	/** The properties to spread over the element. */
	readonly hold: Readonly<Record<'onPointerEnter' | 'onPointerLeave' | 'onFocusOut', () => void>> & {
		readonly onFocusIn: (event: FocusEvent) => void;
	};
}

/**
 * Follows whether the pointer is over an element or the focus is in it. Content that somebody is about to press must not move.
 * @param focusCounts whether the focus in a target counts. A button that was clicked keeps the focus after the pointer has gone; `:focus-visible`
 * tells such a focus from that of the keyboard
 */
export function useHold(focusCounts: (target: Element) => boolean = () => true): Hold {
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
				isFocused.value = target instanceof Element && focusCounts(target);
			},
			onFocusOut: () => {
				isFocused.value = false;
			},
		},
	};
}
