import { useSignal } from '@preact/signals';
import { instantOf } from '#domain/calendar/local-time.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { readHistory } from '#page/core/past/read-history.ts';
import { knownWindows } from '#page/core/past/windows.ts';
import { canWrite } from '#page/core/poll.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import { formatAge, formatDate } from '#page/format/time.ts';
import { conditionWords } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { DataTable } from '#page/parts/data-table.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { type AlarmDraft, alarmBodyOf } from './alarm-draft.ts';
import { type BacktestAnswer, barsOf, listsAll, raisedSpans } from './backtest-model.ts';
import { backtestText } from './backtest-texts.ts';
import { SpanChart } from './span-chart.tsx';
import { type WatchedPast, watchedPastOf } from './watched-past.ts';

interface BacktestProps {
	readonly draft: AlarmDraft;
	/** Number of problems of the draft, and of those that are more than a field that is not filled in yet. */
	readonly problems: number;
	readonly wrong: number;
}

/** A back-test with its result. */
interface TriedAlarm {
	/** The draft that was tried. */
	readonly draft: AlarmDraft;
	readonly answer: BacktestAnswer;
	/** Null if the curve could not be read. */
	readonly past: WatchedPast | null;
	/** The tested time, epoch milliseconds. */
	readonly from: number;
	readonly to: number;
}

/** The most windows of the curve. The chart is not wide enough for more. */
const mostWindows = 480;

/** Tests the edited alarm on past days that the person chooses: it shows when the alarm would have been raised. Nothing is stored. */
export function Backtest({ draft, problems, wrong }: BacktestProps) {
	const text = backtestText();
	const days = useSignal<'1' | '7' | '30'>('1');
	const trial = useSignal<TriedAlarm | null>(null);
	const failure = useSignal<Failure | null>(null);
	const isRunning = useSignal(false);
	const isReady = problems === 0;
	const canRun = isReady && canWrite.value.ok;
	const run = async (): Promise<void> => {
		if (!canRun || isRunning.value) return;
		isRunning.value = true;
		failure.value = null;
		const to = currentTime();
		const from = to - Number(days.value) * dayMs;
		const [answer, past] = await Promise.all([sendBacktest(draft, from, to), readPast(draft, from, to)]);
		isRunning.value = false;
		if (!answer.ok) {
			// The result of an earlier draft is removed, so that it is not shown beside the failure.
			trial.value = null;
			failure.value = answer.failure;
			return;
		}
		trial.value = { draft, answer: answer.data, past, from, to };
	};
	const tried = trial.value;
	const isOld = tried !== null && !hasSameEffect(tried.draft, draft);
	const hint = (): string => {
		if (isRunning.value) return text.trying;
		if (wrong > 0) return `${commonText().fieldsWrong(wrong)}.`;
		if (!isReady) return text.notReady;
		if (!canWrite.value.ok) return commonText().cannotWrite[canWrite.value.code];
		return isOld ? text.old : '';
	};
	return (
		<section class="panel form backtest" aria-labelledby="backtest-title">
			<div class="panel-head">
				<h2 id="backtest-title">{text.title}</h2>
				<span class="muted">{text.stores}</span>
			</div>
			<div class="buttons">
				<Segmented
					label={commonText().howFarBack}
					value={days.value}
					choices={(['1', '7', '30'] as const).map((value) => ({ value, label: text.ranges[value] }))}
					onChoose={(value) => {
						days.value = value;
					}}
				/>
				<Button aria-disabled={!canRun || isRunning.value} onClick={() => void run()}>
					{text.tryIt}
				</Button>
			</div>
			<p role="status" class="muted">
				{hint()}
			</p>
			{failure.value !== null && <Problems failure={failure.value} fallback={text.notTried} />}
			{tried !== null && <BacktestResult trial={tried} isOld={isOld || isRunning.value} />}
		</section>
	);
}

interface BacktestResultProps {
	readonly trial: TriedAlarm;
	/** Whether the result is of an earlier draft, or is being counted again. */
	readonly isOld: boolean;
}

/** The result of a back-test: how often the alarm would have been raised, a chart of when, and a table by days of the view. */
function BacktestResult({ trial: { draft, answer, past, from, to }, isOld }: BacktestResultProps) {
	const text = backtestText();
	// A bit has no unit.
	const unit = draft.bit === null && draft.varId !== null ? (variables.rows.value?.get(draft.varId)?.unit ?? '') : '';
	const { threshold } = alarmBodyOf(draft);
	const age = (seconds: number): string => formatAge(seconds * 1000);
	return (
		<div class={classNames('backtest-result', isOld && 'old')}>
			<p class="advice">{text.raisedTimes(answer.raised)}</p>
			<SpanChart
				label={text.chart}
				severity={draft.severity}
				from={from}
				to={to}
				past={past ?? { values: [], band: null }}
				threshold={threshold}
				spans={raisedSpans(answer, to)}
				gaps={past?.gaps ?? []}
				mark={null}
				caption={conditionWords({ condition: draft.condition, threshold }, unit)}
			/>
			{past === null && <p class="field-hint">{text.noCurve}</p>}
			{!listsAll(answer) && <p class="field-hint">{text.firstOnly(answer.events.length)}</p>}
			<dl class="facts">
				<Fact term={text.activeFor}>{age(answer.activeSeconds)}</Fact>
				<Fact term={text.longest}>{age(answer.longestSeconds)}</Fact>
				<Fact term={text.uncertain}>{age(answer.uncertainSeconds)}</Fact>
				<Fact term={text.resolution}>{text.resolutions(answer.resolutionSeconds)}</Fact>
			</dl>
			<DataTable
				class="backtest-days"
				caption={text.perDay}
				rows={barsOf(answer)}
				keyOf={({ day }) => day}
				columns={[
					{ key: 'day', head: commonText().lengths.day, isRowHead: true, cell: ({ day }) => formatDate(noonOf(day)) },
					{ key: 'raised', head: text.raisedHead, look: 'end', cell: ({ raised }) => raised },
					{ key: 'bar', head: <span class="sr">{text.share}</span>, cell: ({ width }) => <i style={{ width: `${width}%` }} /> },
					{ key: 'active', head: text.activeHead, look: 'end', cell: ({ activeSeconds }) => age(activeSeconds) },
				]}
			/>
		</div>
	);
}

/** Returns the noon of a local day such as `2026-11-22`. */
function noonOf(day: string): number {
	return instantOf(Date.parse(`${day}T12:00:00Z`), viewZone());
}

/** Asks the service when the alarm would have been raised. Days are those of the view. */
async function sendBacktest(draft: AlarmDraft, from: number, to: number) {
	const query = { dryRun: '1', start: String(from), end: String(to), timeZone: viewZone().name } as const;
	const result = await resultOf(api.POST('/saveAlarm', { body: alarmBodyOf(draft), params: { query } }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('alarm' in data) || data.backtest === undefined) throw wrongAnswer('dry run');
	return { ...result, data: data.backtest };
}

/** Reads the curve of the variable over the tested time, in as many windows as the chart can show. */
async function readPast({ varId, bit, condition, threshold }: AlarmDraft, from: number, to: number): Promise<WatchedPast | null> {
	if (varId === null || typeof threshold !== 'number') return null;
	const result = await readHistory({
		ids: [varId],
		start: from,
		end: to,
		points: mostWindows,
		aggregates: ['own', 'last', 'min', 'max'],
	});
	const history = result.ok ? result.data.data.variables[0] : undefined;
	if (!result.ok || history === undefined) return null;
	return watchedPastOf(knownWindows(history, result.data.data.bounds, 'last'), {
		bit: typeof bit === 'number' ? bit : null,
		condition,
		threshold,
	});
}

/** Whether two drafts differ in no field that changes when the alarm is raised. */
function hasSameEffect(a: AlarmDraft, b: AlarmDraft): boolean {
	const effectOf = (draft: AlarmDraft): string =>
		// These fields have no effect on that, so they are the same for both drafts.
		JSON.stringify(alarmBodyOf({ ...draft, id: 0, name: '', message: '', enabled: true, severity: 'info' }));
	return effectOf(a) === effectOf(b);
}
