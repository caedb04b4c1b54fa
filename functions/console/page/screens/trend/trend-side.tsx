import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { hrefOf } from '#page/core/route.ts';
import { shownOf, stateOf } from '#page/core/shown.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Combobox } from '#page/parts/combobox.tsx';
import { Field } from '#page/parts/field.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import { variableOptions } from '#page/parts/variable-options.ts';
import { seriesLook } from './series-look.ts';
import { trendText } from './texts.ts';
import { comparisonName, formatLineValue, formatShare, formatWindow } from './trend-format.ts';
import { type Curve, isCurve, linesIn, type Strip, type TrendModel } from './trend-model.ts';
import { TrendTable } from './trend-table.tsx';
import { maxTrendIds } from './trend-view.ts';

interface LegendProps {
	readonly model: TrendModel;
	/** The window of the crosshair. Null without one: then the legend shows the present readings if `isLive`, otherwise the last window. */
	readonly index: number | null;
	readonly isLive: boolean;
	readonly onRemove: (varId: number) => void;
	/** Opens the totals of a line. */
	readonly onTotals: (line: Curve | Strip) => void;
}

interface TrendSideProps {
	/** Null until it was read. */
	readonly model: TrendModel | null;
	readonly ids: readonly number[];
	/** The window of the crosshair. */
	readonly index: number | null;
	readonly isLive: boolean;
	readonly onIds: (ids: readonly number[]) => void;
	readonly onMarker: (time: number) => void;
	readonly onTotals: (line: Curve | Strip) => void;
}

/** The column beside the curves: their legend, the field that adds a curve, and the table of their values. */
export function TrendSide({ model, ids, index, isLive, onIds, onMarker, onTotals }: TrendSideProps) {
	return (
		<div class="stack">
			{model !== null && (
				<Legend
					model={model}
					index={index}
					isLive={isLive}
					onRemove={(varId) => onIds(ids.filter((id) => id !== varId))}
					onTotals={onTotals}
				/>
			)}
			<AddVariable ids={ids} onAdd={(id) => onIds([...ids, id])} />
			{model !== null && <TrendTable model={model} index={index} onMarker={onMarker} />}
		</div>
	);
}

/** Lists every line with its value at the crosshair or now, its summary over the whole range, and the total length of its gaps. */
function Legend({ model, index, isLive, onRemove, onTotals }: LegendProps) {
	const text = trendText();
	const lastWindow = model.bounds.length - 2;
	/** The window whose values are shown; null for the present readings. */
	const shown = index ?? (isLive ? null : lastWindow);
	return (
		<section class="panel" aria-label={text.legend}>
			<h2 title={shown === null ? undefined : formatUtc(model.bounds[shown] ?? 0)}>
				{shown === null ? commonText().now : text.at(formatWindow(model.bounds, shown))}
			</h2>
			<ul class="legend">
				{linesIn(model).map((line, place, lines) => (
					<li key={line.key}>
						<Sample line={line} />
						<a class="name" title={line.name} href={hrefOf('variables', line.varId)}>
							{line.name}
						</a>
						{shown === null ? <LiveValue line={line} /> : <WindowValue line={line} index={shown} />}
						<small>
							<Facts line={line} />
							{line.quality !== 'good' && line.reason !== null && (
								<span class="quality">
									<Icon name={`q-${line.quality}`} />
									{qualityWords()[line.quality]}: {reasonText(line.reason, { ownName: line.name })}
								</span>
							)}
							{line.quality === 'good' && line.missingMs > 0 && (
								<span class="quality">
									<Icon name="q-no_data" />
									{formatAge(line.missingMs)}
								</span>
							)}
							<ComparedFacts line={line} model={model} index={shown ?? lastWindow} />
							<Button small look="quiet" aria-label={text.totalsOf(line.name)} onClick={() => onTotals(line)}>
								{text.totals}
							</Button>
						</small>
						{/* The first line of a variable has the button that removes all of its lines: the bits of a byte are several. */}
						{lines.findIndex(({ varId }) => varId === line.varId) === place && (
							<Button
								look="quiet"
								small
								icon="i-x"
								aria-label={commonText().remove(line.name)}
								onClick={() => onRemove(line.varId)}
							/>
						)}
					</li>
				))}
			</ul>
		</section>
	);
}

/** A short piece of a line in its colour and dashes, or of a strip. */
function Sample({ line, isCompared = false }: { readonly line: Curve | Strip; readonly isCompared?: boolean }) {
	if (!isCurve(line)) return <span class={classNames('strip-sample', isCompared && 'compared')} aria-hidden="true" />;
	const { colour, dash } = seriesLook(line.look);
	return (
		<svg class={classNames('dash', isCompared && 'compared')} viewBox="0 0 28 12" aria-hidden="true">
			<path d="M0 6H28" style={{ stroke: `var(${colour})`, strokeDasharray: dash.join(' ') }} />
		</svg>
	);
}

/** The value of a line in a window, or the quality of the gap there. */
function WindowValue({ line, index }: { readonly line: Curve | Strip; readonly index: number }) {
	const value = line.values[index] ?? null;
	const gap = line.gaps.find(({ from, to }) => from <= index && index < to);
	if (value === null && gap !== undefined) return <QualityMark quality={gap.kind} word={qualityWords()[gap.kind]} />;
	const text = value === null ? null : formatLineValue(line, value);
	return <ValueText text={text} unit={isCurve(line) ? line.unit : ''} current size="cell" />;
}

/** The present value, as all other screens show it. */
function LiveValue({ line }: { readonly line: Curve | Strip }) {
	const reading = readingOf(line.varId).value;
	if (reading === undefined) return <ValueText text={null} current={false} size="cell" />;
	const shown = shownOf(reading);
	const isGood = shown.quality === 'good';
	const age = shown.at === null ? null : formatAge(now.value - shown.at);
	const state = isCurve(line) ? null : stateOf(shown, line.bit);
	const stateValue = state === null ? null : Number(state);
	const value = isCurve(line) ? shown.value : stateValue;
	return (
		<span class="legend-value" title={shown.at === null ? undefined : formatUtc(shown.at)}>
			{!isCurve(line) && <StateShape kind="state" on={state} />}
			<ValueText
				text={value === null ? null : formatLineValue(line, value)}
				unit={isCurve(line) ? line.unit : ''}
				current={isGood}
				size="cell"
			/>
			{!isGood && <QualityMark quality={shown.quality} word={`${qualityWords()[shown.quality]} ${age ?? ''}`} />}
		</span>
	);
}

/** The summary of a line over the whole range: mean and extremes of a curve, share and starts of a state. */
function Facts({ line }: { readonly line: Curve | Strip }) {
	const text = trendText();
	if (line.summary === null) return null;
	if (!isCurve(line))
		return (
			<>
				<span>{text.onShare(formatShare(line.summary.share))}</span>
				<span>{commonText().starts(line.summary.starts)}</span>
			</>
		);
	const { min, mean, max } = line.summary;
	return (
		<>
			<span>
				{text.min} {formatLineValue(line, min)}
			</span>
			<span>
				{text.mean} {formatLineValue(line, mean)}
			</span>
			<span>
				{text.max} {formatLineValue(line, max)}
			</span>
		</>
	);
}

interface ComparedFactsProps {
	readonly line: Curve | Strip;
	readonly model: TrendModel;
	readonly index: number;
}

/** The values of a line in the compared range: at the crosshair or in the last window, and over the whole range. */
function ComparedFacts({ line, model: { comparison, bounds }, index }: ComparedFactsProps) {
	const text = trendText();
	const { compared } = line;
	if (compared === null || comparison === null) return null;
	const { mean, values } = compared;
	const unit = isCurve(line) ? line.unit : '';
	return (
		<span class="compared-facts">
			<Sample line={line} isCompared />
			{`${comparisonName(comparison, bounds[0] ?? 0)}: ${formatLineValue(line, values[index] ?? null)} ${unit}`}
			{mean !== null && (
				<span>{isCurve(line) ? `${text.mean} ${formatLineValue(line, mean)}` : text.onShare(formatShare(mean))}</span>
			)}
		</span>
	);
}

interface AddVariableProps {
	/** The variables that the trend already shows. */
	readonly ids: readonly number[];
	readonly onAdd: (id: number) => void;
}

/** Finds a variable by its name, unit or process, and adds its curve. */
function AddVariable({ ids, onAdd }: AddVariableProps) {
	const text = trendText();
	const others = [...(variables.rows.value?.values() ?? [])].filter(({ id }) => !ids.includes(id));
	const isFull = ids.length >= maxTrendIds;
	return (
		<section class="panel">
			<Field label={text.addVariable} hint={isFull ? text.full(maxTrendIds) : undefined}>
				{(ties) => (
					<Combobox
						// The new key makes a new, empty field after each choice.
						key={ids.length}
						ties={ties}
						listLabel={commonText().variables}
						value={null}
						options={variableOptions(others)}
						onChoose={(value) => onAdd(Number(value))}
						emptyText={commonText().nothingMatches}
						moreText={commonText().moreVariables}
						disabled={isFull || others.length === 0}
					/>
				)}
			</Field>
		</section>
	);
}
