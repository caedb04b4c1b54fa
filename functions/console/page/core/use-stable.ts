import { computed, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/**
 * A computed signal whose value stays the same object while its content is the same, so that components which follow it are
 * rendered again only when there is something new to show. The content must be JSON.
 * @param inputs what `compute` uses beside signals, as for `useMemo`
 */
export function useStable<Value>(compute: () => Value, inputs: readonly unknown[]): ReadonlySignal<Value> {
	return useMemo(() => {
		let latest: { readonly value: Value; readonly content: string } | null = null;
		return computed(() => {
			const value = compute();
			const content = JSON.stringify(value);
			if (latest?.content !== content) latest = { value, content };
			return latest.value;
		});
	}, [...inputs]);
}
