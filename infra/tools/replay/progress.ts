import { createBar } from '#infra/cli/progress-bar.ts';
import { pluralize } from './summary.ts';

/** Shows how far a replay has come. */
export interface Progress {
	update(rows: number, points: number): void;
	/** Says something beside it. */
	note(text: string): void;
	stop(): void;
}

/** A bar on a terminal, a plain line every few seconds elsewhere. */
export function createProgress(stream: NodeJS.WriteStream, rows: number, now: () => number): Progress {
	const bar = createBar(stream, now, {
		total: rows,
		first: { points: 0 },
		format: '{bar} {percentage}% | {value}/{total} rows | {points} points | {eta_formatted} left',
		line: (done, { points }) => `${pluralize(done, 'row')} of ${rows.toLocaleString('en')}, ${pluralize(points, 'point')}`,
	});
	return { update: (done, points) => bar.update(done, { points }), note: bar.note, stop: bar.stop };
}
