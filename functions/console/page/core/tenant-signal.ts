import { type Signal, signal } from '@preact/signals';
import { onTenantChange } from './session.ts';

/** Creates a signal whose value is kept for one tenant. When the tenant changes, the value is `initial` again. */
export function tenantSignal<Value>(initial: Value): Signal<Value> {
	const kept = signal(initial);
	onTenantChange(() => {
		kept.value = initial;
	});
	return kept;
}
