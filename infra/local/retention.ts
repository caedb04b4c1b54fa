import type { Log } from '#http/log.ts';

/** How often old samples are looked for. */
const intervalMs = 3_600_000;

export interface RetentionDeps {
	/** Deletes samples older than epoch milliseconds `before`, in small steps; answers how many. */
	readonly series: { readonly sweep: (before: number) => Promise<number> };
	readonly retentionMs: number;
	/** The clock, epoch milliseconds. */
	readonly now: () => number;
	readonly log: Log;
}

/** Old samples being deleted, until stopped. */
export interface Retention {
	/** Resolves when no sweep is under way any more. */
	stop(): Promise<void>;
}

/** Deletes samples older than the retention, now and every hour; a sweep that fails is logged, and the next one does its work. */
export function startRetention({ series, retentionMs, now, log }: RetentionDeps): Retention {
	let underWay: Promise<void> | undefined;
	const sweep = async (): Promise<void> => {
		try {
			const deleted = await series.sweep(now() - retentionMs);
			if (deleted > 0) log.info('Samples beyond the retention were deleted.', { deleted });
		} catch (error) {
			log.error('Samples beyond the retention could not be deleted.', { error: String(error) });
		}
		underWay = undefined;
	};
	const start = (): void => {
		underWay ??= sweep();
	};
	start();
	const timer = setInterval(start, intervalMs);
	timer.unref();
	return {
		stop: async () => {
			clearInterval(timer);
			await underWay;
		},
	};
}
