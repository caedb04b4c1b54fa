import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';

/** Says whether a person is at an element: the pointer is over it, or the focus is in it. */
export interface Hold {
	readonly isHeld: ReadonlySignal<boolean>;
	/** The properties of the element. */
	readonly hold: Readonly<Record<'onPointerEnter' | 'onPointerLeave' | 'onFocusIn' | 'onFocusOut', () => void>>;
}

/** Follows whether a person is at an element. What is about to be pressed must not move. */
export function useHold(): Hold {
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
			onFocusIn: () => {
				isFocused.value = true;
			},
			onFocusOut: () => {
				isFocused.value = false;
			},
		},
	};
}
