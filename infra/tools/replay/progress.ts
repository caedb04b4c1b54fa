import { Presets, SingleBar } from 'cli-progress';
import type { ReplayTotals } from './summary.ts';

/** Shows how far a replay has come. */
export type ReplayProgress = ReturnType<typeof createProgress>;

const format = '{bar} {percentage}% | {rows} rows | {points} points | {eta_formatted} left';

/** Creates a progress bar. It shows nothing where there is no terminal. */
export function createProgress(stream: NodeJS.WriteStream, totalBytes: number) {
	const bar = new SingleBar({ format, stream, linewrap: true, stopOnComplete: false }, Presets.shades_classic);
	bar.start(totalBytes, 0, { rows: 0, points: 0 });
	return {
		update: (bytesRead: number, { rows, points }: ReplayTotals) => bar.update(bytesRead, { rows, points }),
		/** Prints a line in place of the bar, which draws itself again below. */
		note: (text: string) => stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}${text}\n`),
		stop: () => bar.stop(),
	};
}
