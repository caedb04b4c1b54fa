import { Presets, SingleBar } from 'cli-progress';
import { eraseLine, printable } from './print.ts';

/** Shows on a terminal how much is done. Where the stream is no terminal, it only prints the lines of `note`. */
export function createProgressBar(stream: NodeJS.WriteStream, label: string) {
	let bar: SingleBar | null = null;
	return {
		update: (done: number, total: number): void => {
			if (!stream.isTTY || total === 0) return;
			if (bar === null) {
				// With `linewrap` the terminal goes on wrapping long lines that are printed beside the bar.
				bar = new SingleBar(
					{ format: `${label} {bar} {value}/{total}`, stream, linewrap: true, clearOnComplete: true },
					Presets.shades_classic,
				);
				bar.start(total, 0);
			}
			bar.update(done);
		},
		/** Prints a line in place of the bar, which draws itself again below. */
		note: (text: string): void => void stream.write(`${stream.isTTY ? eraseLine : ''}${printable(text)}\n`),
		stop: (): void => bar?.stop(),
	};
}
