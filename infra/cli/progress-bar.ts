import { Presets, SingleBar } from 'cli-progress';

/** Numbers and words shown beside a bar, by the names that its format has for them. */
export type Payload = Readonly<Record<string, string | number>>;

/** Shows how far some work has come. */
export interface Bar<Shown extends Payload> {
	update(done: number, beside: Shown): void;
	/** Says something beside it. */
	note(text: string): void;
	/** Makes room on a terminal for what is about to be said on another stream; the bar comes back with its next update. */
	clear(): void;
	stop(): void;
}

export interface BarOptions<Shown extends Payload> {
	readonly total: number;
	/** What is shown beside it before anything is done. */
	readonly first: Shown;
	/** As cli-progress takes it. */
	readonly format: string;
	/** How far it has come, where there is no terminal. */
	readonly line: (done: number, beside: Shown) => string;
	/** Whether nothing of it stays on a terminal once it has stopped. */
	readonly passing?: boolean;
}

/** How far apart plain lines are, in time. */
const lineEveryMs = 5000;

/** A bar on a terminal, a plain line every few seconds elsewhere. */
export function createBar<Shown extends Payload>(
	stream: NodeJS.WriteStream,
	now: () => number,
	{ total, first, format, line, passing = false }: BarOptions<Shown>,
): Bar<Shown> {
	if (stream.isTTY) {
		const bar = new SingleBar(
			{ format, stream, hideCursor: true, stopOnComplete: false, gracefulExit: false, clearOnComplete: passing },
			Presets.shades_classic,
		);
		bar.start(total, 0, first);
		const clear = (): void => {
			stream.write('\r\u001b[K');
		};
		return {
			update: (done, beside) => bar.update(done, beside),
			// The bar redraws its own line below.
			note: (text) => {
				clear();
				stream.write(`${text}\n`);
			},
			clear,
			stop: () => bar.stop(),
		};
	}
	let saidMs = now();
	return {
		update: (done, beside) => {
			if (now() - saidMs < lineEveryMs) return;
			saidMs = now();
			stream.write(`${line(done, beside)}\n`);
		},
		note: (text) => {
			stream.write(`${text}\n`);
		},
		clear: () => undefined,
		stop: () => undefined,
	};
}
