/** A value that is read from elsewhere and cached while a function is warm. */
export interface CachedRead<Value> {
	/** Returns the value while it is fresh; otherwise reads it. Where the read fails, returns the value while it is usable, or rejects likewise. */
	current(): Promise<Value>;
	/**
	 * Returns the cached value if it differs from `refused`, otherwise reads again. Rejects as the read did.
	 * @param pauseMs returns the cached value, too, where a read began less than this time ago
	 */
	refresh(refused: Value, pauseMs?: number): Promise<Value>;
	/** Reads, or waits for the read under way, whatever is cached. Rejects as the read did. */
	read(): Promise<Value>;
}

/** How a value is read, and how long it is kept. */
export interface CachedReadSettings<Value> {
	readonly read: () => Promise<Value>;
	/** Returns epoch milliseconds of the wall clock: a monotonic one may stand still while a function is frozen. */
	readonly now: () => number;
	/** A value younger than this is not read again. */
	readonly freshMs: number;
	/** A value younger than this is used while it cannot be read. */
	readonly usableMs: number;
	/** Whether a value is kept as fresh. Left out: always. */
	readonly isKept?: (value: Value) => boolean;
}

/** After a failed read, a value that is still usable is not read again for this time, so that callers do not wait for failures. */
const failurePauseMs = 5000;

/** Caches a value. Concurrent callers share one read. A failure is not kept. */
export function cacheRead<Value extends NonNullable<unknown>>({
	read,
	now,
	freshMs,
	usableMs,
	isKept = () => true,
}: CachedReadSettings<Value>): CachedRead<Value> {
	let cached: { readonly value: Value; readonly readAt: number } | undefined;
	let begunAt: number | undefined;
	let failedAt: number | undefined;
	let pending: Promise<Value> | undefined;

	const readOnce = async (): Promise<Value> => {
		const readAt = now();
		begunAt = readAt;
		try {
			const value = await read();
			cached = { value, readAt };
			failedAt = undefined;
			return value;
		} catch (error) {
			failedAt = now();
			throw error;
		} finally {
			pending = undefined;
		}
	};
	const readShared = (): Promise<Value> => {
		pending ??= readOnce();
		return pending;
	};

	/** Whether less than `ms` have passed. False after the clock was set back. */
	const isWithin = (ms: number, since: number | undefined): boolean =>
		since !== undefined && now() >= since && now() - since < ms;
	/** Returns the cached value, unless it is too old to be used. */
	const usable = (): Value | undefined => (isWithin(usableMs, cached?.readAt) ? cached?.value : undefined);

	return {
		read: readShared,
		current: async () => {
			if (cached !== undefined && isKept(cached.value) && isWithin(freshMs, cached.readAt)) return cached.value;
			const last = usable();
			if (last !== undefined && isWithin(failurePauseMs, failedAt)) return last;
			try {
				return await readShared();
			} catch (error) {
				const fallback = usable();
				if (fallback === undefined) throw error;
				return fallback;
			}
		},
		refresh: async (refused, pauseMs = 0) => {
			if (cached === undefined) return readShared();
			const mayBeUsed = cached.value !== refused || (pending === undefined && isWithin(pauseMs, begunAt));
			return mayBeUsed ? cached.value : readShared();
		},
	};
}
