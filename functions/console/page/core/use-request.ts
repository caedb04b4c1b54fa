import { useSignal } from '@preact/signals';
import type { Failure, Result } from './api.ts';
import { sessionCheck } from './session.ts';

/**
 * Sends a request that a person asks for, one at a time. An answer that comes after another session has begun is dropped.
 * @param onFailed called when it failed: what is stored may be another version
 */
export function useRequest<Input extends readonly unknown[], Data>(
	request: (...input: Input) => Promise<Result<Data>>,
	onDone: (data: Data) => void,
	onFailed?: (failure: Failure) => Promise<void> | void,
) {
	const failure = useSignal<Failure | null>(null);
	const isRunning = useSignal(false);
	return {
		failure: failure.value,
		isRunning: isRunning.value,
		send: async (...input: Input): Promise<void> => {
			if (isRunning.value) return;
			isRunning.value = true;
			const isSameSession = sessionCheck();
			const result = await request(...input);
			if (!result.ok && isSameSession()) await onFailed?.(result.failure);
			isRunning.value = false;
			if (!isSameSession()) return;
			failure.value = result.ok ? null : result.failure;
			if (result.ok) onDone(result.data);
		},
	};
}
