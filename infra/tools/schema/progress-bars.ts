import { type OnPart, type Part, parts } from '#domain/integrity/read-stored.ts';
import { type Bar, createBar } from '#infra/cli/progress-bar.ts';
import { pluralize } from '../replay/summary.ts';

const names = {
	chart: 'charts',
	diagram: 'diagrams',
	alarm: 'alarms',
	panel: 'the panel',
	variable: 'variables',
} as const satisfies Record<Part, string>;

/** Shows how far a schema is read, and then how far what was found is judged; each anew with every round. */
export interface Bars {
	readonly onPart: OnPart;
	readonly onJudged: (done: number, total: number) => void;
	/** Makes room on a terminal for a line of another stream. */
	clear(): void;
	stop(): void;
}

type Reading = Bar<{ rows: number; part: string }>;

type Judging = Bar<Record<string, never>>;

/** Bars on a terminal, plain lines every few seconds elsewhere. Nothing of a bar stays. */
export function createBars(stream: NodeJS.WriteStream, now: () => number): Bars {
	let reading: Reading | undefined;
	let judging: Judging | undefined;
	const stop = (): void => {
		reading?.stop();
		judging?.stop();
		reading = undefined;
		judging = undefined;
	};
	const startReading = (): Reading => {
		stop();
		return createBar(stream, now, {
			total: parts.length,
			first: { rows: 0, part: '' },
			format: '{bar} {percentage}% | {rows} rows | reading {part}',
			line: (_, { rows, part }) => `${pluralize(rows, 'row')} read, reading ${part}`,
			passing: true,
		});
	};
	const startJudging = (total: number): Judging => {
		stop();
		return createBar(stream, now, {
			total,
			first: {},
			format: '{bar} {percentage}% | {value}/{total} findings | {eta_formatted} left',
			line: (done) => `${done.toLocaleString('en')} of ${pluralize(total, 'finding')}`,
			passing: true,
		});
	};
	return {
		onPart: (part, rows) => {
			reading ??= startReading();
			reading.update(parts.indexOf(part), { rows, part: names[part] });
		},
		onJudged: (done, total) => {
			judging ??= startJudging(total);
			judging.update(done, {});
			if (done === total) stop();
		},
		clear: () => {
			reading?.clear();
			judging?.clear();
		},
		stop,
	};
}
