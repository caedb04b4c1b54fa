import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { rankOf } from '#page/core/rank.ts';
import { readingOf } from '#page/core/readings.ts';
import { worstOf } from '#page/core/tile-alarm.ts';
import { useStable } from '#page/core/use-stable.ts';
import { orderOf, type Process } from './model.ts';

/**
 * Follows the order of the variables in processes: worst first. It stays while the pointer or the focus is in the element that gets
 * the properties `hold`.
 */
export function useOrder(processes: readonly Process[]) {
	const isPointed = useSignal(false);
	const isFocused = useSignal(false);
	const previous = useRef<readonly Process[]>([]);
	const ordered = useStable(() => {
		const isHeld = isPointed.value || isFocused.value;
		return processes.map(({ name, ids }) => ({
			name,
			ids: orderOf(ids, (id) => rankOf(readingOf(id).value?.quality, worstOf(id)), {
				previous: previous.current.find((each) => each.name === name)?.ids ?? [],
				isHeld,
			}),
		}));
	}, [processes]).value;
	previous.current = ordered;
	return {
		ordered,
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
