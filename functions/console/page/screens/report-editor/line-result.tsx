import { noNumber } from '#page/format/number.ts';
import { formatWeekday } from '#page/format/time.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { lineFaultText } from '#page/i18n/line-faults.ts';
import { Icon } from '#page/parts/icon.tsx';
import type { LineDraft } from '#page/reports/line-draft.ts';
import { lineText } from './line-texts.ts';
import { lineWordsOf } from './line-words.ts';
import type { ReportTrialState, TriedLine } from './report-trial.ts';
import { editorText } from './texts.ts';

interface LineResultProps {
	readonly line: LineDraft;
	readonly timeZone: string;
	readonly trial: ReportTrialState;
	/** Whether the line has a missing or wrong field. */
	readonly isWrong: boolean;
}

/** The result of a line for yesterday: its number and bounds, the share of the day that is known, and the reason if there is no number. */
export function LineResult({ line, timeZone, trial, isWrong }: LineResultProps) {
	const text = lineText();
	const { phase, answer, failure } = trial;
	const triedLine = answer?.lines.find(({ key }) => key === line.key);
	const [start] = answer?.bounds ?? [];
	return (
		<div class="line-result" role="status" aria-busy={phase === 'trying'}>
			{phase === 'trying' && <p class="muted">{text.counting}</p>}
			{failure !== null && <FailureText failure={failure} />}
			{failure === null && triedLine === undefined && phase !== 'trying' && (
				<p class="muted">{isWrong ? text.notCounted : editorText().notTried}</p>
			)}
			{triedLine !== undefined && start !== undefined && !isWrong && (
				<DayNumber day={formatWeekday(start, timeZone)} triedLine={triedLine} line={line} isOld={phase === 'trying'} />
			)}
		</div>
	);
}

/** Says why the service has not counted the lines. */
function FailureText({ failure }: { readonly failure: NonNullable<ReportTrialState['failure']> }) {
	const [error] = Object.values(failure.errors);
	const reason = error === undefined ? null : problemText(error);
	return (
		<p class="fault" lang={reason?.lang}>
			<Icon name="q-bad" /> {reason?.text ?? editorText().notTried}
		</p>
	);
}

interface DayNumberProps {
	readonly day: string;
	readonly triedLine: TriedLine;
	readonly line: LineDraft;
	/** Whether a newer number is being counted. */
	readonly isOld: boolean;
}

/** The number of yesterday with its bounds, its known share, its corrections and its faults. */
function DayNumber({ day, triedLine, line, isOld }: DayNumberProps) {
	const { number, bounds, known, isWhole } = lineWordsOf(triedLine, line);
	const { faults = [], corrections = [] } = triedLine;
	return (
		<>
			<p class={isOld ? 'line muted' : 'line'}>
				<span>
					{day} <b>{number ?? noNumber}</b> {number !== null && line.unit}
				</span>
				<span class={isWhole ? 'muted' : 'quality'}>
					{isWhole && <Icon name="q-good" />} {known}
				</span>
			</p>
			{bounds !== null && <p class="quality">{bounds}</p>}
			{corrections.length > 0 && <p class="muted">{lineText().corrections(corrections.length)}</p>}
			{[...new Set(faults.map(lineFaultText))].map((sentence) => (
				<p key={sentence} class="fault">
					{sentence}
				</p>
			))}
		</>
	);
}
