import { type AlarmDefinition, fold } from '#domain/alarm/fold.ts';
import { observe } from '#domain/alarm/observe.ts';
import { observedInputsOf, type PieceReads, readPiece } from '#domain/alarm/piece.ts';
import { parseBoard } from '#domain/board/board.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeAlarmBody, makeBody, makeCalculatedBody } from '#test/support/builders/builders.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';
import { alternate, type BenchRow, sizeOf } from './row.ts';

/** The longest piece of a tick, with a sample each second. */
const piece = { from: 1_764_000_000_000, to: 1_764_000_600_000, stepMs: 1000 };
const foldsPerRun = sizeOf(50, 1);
/** The alarm has no state yet. */
const nothingStored = null;

/** How many times as long as its observations alone a fold may take. */
const maxRatio = 2;

/** Measures what the fold of an alarm costs for each observation, against the observations alone: one series, then a formula over two. */
export async function benchFold(): Promise<readonly BenchRow[]> {
	const flow = parseVariable(makeBody());
	const ratio = parseVariable(makeCalculatedBody('( a + b ) / 2'));
	return [await benchVariable('one series', flow), await benchVariable('a formula over two series', ratio)];
}

async function benchVariable(name: string, variable: AlarmDefinition['variable']): Promise<BenchRow> {
	const alarm = parseBoard('alarm', makeAlarmBody({ id: 1, deadband: 1, onDelaySeconds: 5, offDelaySeconds: 10 }));
	const definition: AlarmDefinition = { alarm, alarmVersion: 1, variable, variableVersion: 1 };
	const reads = await readSamples(variable);
	const count = [...observe(alarm, variable, reads, piece)].length;
	const folds = async (): Promise<void> => {
		for (let index = 0; index < foldsPerRun; index += 1) fold(definition, nothingStored, reads, piece);
	};
	const observations = async (): Promise<void> => {
		for (let index = 0; index < foldsPerRun; index += 1) for (const _ of observe(alarm, variable, reads, piece));
	};
	const [ours, theirs] = await alternate(folds, observations);
	const microseconds = (ms: number): string => ((1000 * ms) / (foldsPerRun * count)).toFixed(2);
	return {
		name: `fold of ${count} observations of ${name}`,
		baseline: 'the observations alone',
		measured: `${microseconds(ours)} µs against ${microseconds(theirs)} µs an observation`,
		ratio: ours / theirs,
		budget: `at most ${maxRatio}x`,
		met: ours / theirs <= maxRatio,
	};
}

/** A value that crosses the threshold now and then, so that delays run and end. */
async function readSamples(variable: AlarmDefinition['variable']): Promise<PieceReads> {
	const inputs = observedInputsOf(variable);
	const samples = Array.from({ length: 600 }, (_, second): [number, number] => [
		piece.from + second * 1000,
		10 + 5 * Math.sin(second / 20),
	]);
	const { timeSeries } = makeSampledTimeSeries(new Map(inputs.map(({ series: { topic } }) => [topic, samples])));
	return readPiece(timeSeries, 'series', inputs, piece);
}
