import { computed, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/**
 * Returns a computed signal whose value stays the same object while its content is the same. So components that follow it are rendered
 * again only when something has changed. The content must be JSON.
 * @param inputs the values other than signals that `compute` uses, as for `useMemo`
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
