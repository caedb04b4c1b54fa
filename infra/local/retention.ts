import { hourMs } from '#domain/milliseconds.ts';
import { formatError } from '#http/error-log.ts';
import type { Log } from '#http/log.ts';

/** The time between two sweeps: an hour. */
const sweepEveryMs = hourMs;

/** The series that are swept, and how long their samples stay. */
export interface RetentionDeps {
	/** `sweep` deletes the samples older than `before` (epoch milliseconds) and returns their number. */
	readonly series: { readonly sweep: (before: number) => Promise<number> };
	/** How long samples stay, in milliseconds. */
	readonly retentionMs: number;
	/** Epoch milliseconds. */
	readonly now: () => number;
	readonly log: Log;
}

/**
 * Deletes samples older than the retention, now and every hour. Logs a sweep that fails; the next one repeats its work.
 * @returns `stop`, which resolves when the newest sweep has ended
 */
export function startRetention({ series, retentionMs, now, log }: RetentionDeps) {
	const sweep = async (): Promise<void> => {
		try {
			const deleted = await series.sweep(now() - retentionMs);
			if (deleted > 0) log.info('Samples beyond the retention were deleted.', { deleted });
		} catch (error) {
			log.error('Samples beyond the retention could not be deleted.', { error: formatError(error) });
		}
	};
	/** The newest sweep. It begins when the one before has ended. */
	let newestSweep = sweep();
	const timer = setInterval(() => {
		newestSweep = newestSweep.then(sweep);
	}, sweepEveryMs);
	timer.unref();
	return {
		stop: async (): Promise<void> => {
			clearInterval(timer);
			await newestSweep;
		},
	};
}
