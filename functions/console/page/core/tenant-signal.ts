import { type Signal, signal } from '@preact/signals';
import { onTenantChange } from './session.ts';

/** Creates a signal of what is kept while one tenant is signed in. Another tenant begins with `initial` again. */
export function tenantSignal<Value>(initial: Value): Signal<Value> {
	const kept = signal(initial);
	onTenantChange(() => {
		kept.value = initial;
	});
	return kept;
}
