import { Presets, SingleBar } from 'cli-progress';
import { eraseLine, printable } from '#infra/cli/print.ts';
import type { ReplayTotals } from './summary.ts';

/** Shows how far a replay has come. */
export type ReplayProgress = ReturnType<typeof createProgress>;

/** How often a line is printed where there is no terminal. */
const lineEveryMs = 5000;
const format = '{bar} {percentage}% | {rows} rows | {points} points | {eta_formatted} left';

/** Creates a progress bar. Where there is no terminal it prints a line every 5 s. */
export function createProgress(stream: NodeJS.WriteStream, totalBytes: number) {
	// With `linewrap` the terminal goes on wrapping long lines that are printed beside the bar.
	const bar = new SingleBar({ format, stream, linewrap: true, stopOnComplete: false }, Presets.shades_classic);
	let printedAt = Date.now();
	bar.start(totalBytes, 0, { rows: 0, points: 0 });
	return {
		update: (bytesRead: number, { rows, points }: ReplayTotals) => {
			bar.update(bytesRead, { rows, points });
			if (stream.isTTY || Date.now() - printedAt < lineEveryMs) return;
			printedAt = Date.now();
			stream.write(`${rows} rows, ${points} points\n`);
		},
		/** Prints a line in place of the bar, which draws itself again below. */
		note: (text: string) => stream.write(`${stream.isTTY ? eraseLine : ''}${printable(text)}\n`),
		stop: () => bar.stop(),
	};
}
