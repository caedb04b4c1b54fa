import { useSignal, useSignalEffect } from '@preact/signals';
import type { Failure } from '#page/core/api.ts';
import { chosenDecimals } from '#page/core/chosen-decimals.ts';
import { now } from '#page/core/clock.ts';
import { decimalsOf, decimalsOfVariable } from '#page/core/decimals.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { formatNumber } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { formulaText } from '#page/formula/formula-texts.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { Icon } from '#page/parts/icon.tsx';
import { byteText, ShownValue } from '#page/parts/shown-cells.tsx';
import { QualityMark } from '#page/parts/value-text.tsx';
import type { VariableEditor } from './editor-state.ts';
import { editorText, resultText } from './editor-texts.ts';
import type { VariableTrial } from './variable-trial.ts';

/** Number of earlier values that decide the decimals. */
const mostEarlierValues = 100;

/** Properties of ResultPanel. */
export interface ResultPanelProps {
	readonly editor: VariableEditor;
	readonly trial: VariableTrial;
}

/**
 * The value that the draft would show now. While a dry run goes on, the last one stays and looks stale. After a failed one, a sentence takes
 * its place.
 */
export function ResultPanel({ editor, trial }: ResultPanelProps) {
	const text = resultText();
	const { phase, answer, failure, triedAt } = trial.state.value;
	const { id, name, kind } = editor.content.value;
	const earlierValues = useEarlierValues(trial);
	useReadings(id === 0 ? [] : [id]);
	const shown = answer === null || phase === 'failed' ? null : shownOf(answer.reading);
	const triedText = triedAt === null || phase === 'none' ? null : text.tried(formatAge(now.value - triedAt));
	const state = phase === 'trying' ? text.trying : triedText;
	// The empty fields of a new variable are not shown as wrong before the first try to save.
	const isWrong = editor.hasTried.value || formulaFaults(editor) > 0;
	const savedWords = editor.isChanged.value || id === 0 ? commonText().unsaved : text.asSaved;
	return (
		<section class={phase === 'trying' ? 'result trying' : 'result'} aria-label={text.result} aria-busy={phase === 'trying'}>
			<h2>{text.result}</h2>
			<p class="muted">{state === null ? savedWords : `${savedWords} · ${state}`}</p>
			<div role="status">
				{shown !== null && (
					<>
						<p class="result-value">
							<ShownValue
								shown={shown}
								kind={kind}
								decimals={chosenDecimals(id) ?? decimalsOf([...earlierValues, shown.value])}
								size="huge"
								isFresh={phase === 'answered'}
							/>
						</p>
						<ResultQuality shown={shown} name={name} />
						{answer !== null && 'series' in answer.reading && <p class="muted">{text.points(answer.reading.series.length)}</p>}
					</>
				)}
				{shown === null && phase !== 'trying' && (
					<>
						{(failure !== null || isWrong) && (
							<p class="fault">
								<Icon name="q-bad" /> {text.noResult}
							</p>
						)}
						<p>{failure !== null ? whyRefused(failure, editor) : whyNothing(editor)}</p>
						<StoredValue id={id} />
					</>
				)}
			</div>
		</section>
	);
}

/** Returns the values of the last dry runs. They decide the decimals together with the newest one, so that the number keeps its width. */
function useEarlierValues({ state }: VariableTrial): readonly number[] {
	const values = useSignal<readonly number[]>([]);
	useSignalEffect(() => {
		const { phase, answer } = state.value;
		const value = phase === 'answered' && answer !== null ? shownOf(answer.reading).value : null;
		if (value !== null) values.value = [...values.peek(), value].slice(-mostEarlierValues);
	});
	return values.value;
}

/** Returns why a dry run failed. A problem that is already shown for the refused save at the head of the editor is not repeated. */
function whyRefused({ errors }: Failure, editor: VariableEditor): string | null {
	const sentences = Object.values(errors).map((error) => problemText(error).text);
	const alreadyShown = Object.values(editor.failure.value?.errors ?? {}).map((error) => problemText(error).text);
	if (sentences.length === 0) return editorText().unreachable;
	return sentences.find((sentence) => !alreadyShown.includes(sentence)) ?? null;
}

/** The quality in words, with the reason: the faulty inputs, and the age of the newest sample. */
function ResultQuality({ shown, name }: { readonly shown: Shown; readonly name: string }) {
	const age = shown.at === null ? null : formatAge(now.value - shown.at);
	const word = qualityWords()[shown.quality];
	const reason = shown.reason === null ? null : reasonText(shown.reason, { ownName: name, age });
	return <QualityMark quality={shown.quality} word={reason === null ? word : `${word} · ${reason}`} />;
}

/** The value of the stored variable, while the draft cannot be tried. */
function StoredValue({ id }: { readonly id: number }) {
	const reading = id === 0 ? undefined : readingOf(id).value;
	if (reading === undefined) return null;
	const { value, quality, unit } = shownOf(reading);
	if (value === null || quality !== 'good') return null;
	return (
		<p>
			{resultText().storedShows}{' '}
			<b>
				{'bits' in reading ? byteText(value) : formatNumber(value, { decimals: decimalsOfVariable(id) })} {unit}
			</b>
			.
		</p>
	);
}

/** Returns why there is nothing to try: the formula or the fields have faults, or nothing was typed yet. */
function whyNothing(editor: VariableEditor): string {
	const text = resultText();
	const faults = formulaFaults(editor);
	if (faults > 0) return formulaText().formulaErrors(faults);
	return editor.hasTried.value ? text.fieldErrors : text.incomplete;
}

/** Returns the number of faults in the formula; 0 for another kind of variable, and for an empty formula. */
function formulaFaults(editor: VariableEditor): number {
	const { kind, formula } = editor.content.value;
	return kind === 'formula' && formula.trim() !== '' ? editor.formula.value.faults.length : 0;
}
