import { signal } from '@preact/signals';

/**
 * Whether the browser has refused to store something: storage is denied or full. What is chosen then lasts until the page is closed.
 * `noted`: the person has read that.
 */
export const storageFault = signal<'new' | 'noted' | null>(null);

/** A storage of the browser that never throws. A browser may deny storage, and storage may be full. */
interface SafeStorage {
	/** Returns null for an absent or denied item. */
	read(key: string): string | null;
	write(key: string, value: string): void;
	remove(key: string): void;
}

/** What the browser stores for all tabs and for later visits. */
export const kept = safeStorage(() => localStorage);

/** What the browser stores for this tab. */
export const keptByTab = safeStorage(() => sessionStorage);

/** Even to name the storage throws where it is denied, hence the function. */
function safeStorage(storage: () => Storage): SafeStorage {
	const attempt = <Result>(act: () => Result): Result | null => {
		try {
			return act();
		} catch {
			if (storageFault.peek() === null) storageFault.value = 'new';
			return null;
		}
	};
	return {
		read: (key) => attempt(() => storage().getItem(key)),
		write: (key, value) => void attempt(() => storage().setItem(key, value)),
		remove: (key) => void attempt(() => storage().removeItem(key)),
	};
}
