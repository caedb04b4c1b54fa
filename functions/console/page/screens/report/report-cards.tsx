import { may } from '#page/core/session.ts';
import { withUnit } from '#page/format/condition.ts';
import { noNumber } from '#page/format/number.ts';
import { Icon } from '#page/parts/icon.tsx';
import { reportText } from '#page/reports/report-texts.ts';
import { BeyondSign, EntryMark, stateWord } from './number-cell.tsx';
import { boundsAlone, cellWords, changeWords, shareText } from './report-cells.ts';
import { spanName } from './report-labels.ts';
import { isFillable, leastKnown, type ReportColumn, type ReportModel } from './report-model.ts';
import type { ChosenCell } from './report-table.tsx';
import { riseWords } from './rise-words.ts';
import { reportScreenText } from './texts.ts';

interface ReportCardsProps {
	readonly model: ReportModel;
	readonly onChoose: (cell: ChosenCell) => void;
}

/** The numbers of the whole period for a narrow window, with a card for each line. */
export function ReportCards({ model, onChoose }: ReportCardsProps) {
	const { groups, columns, state, period } = model;
	const known = leastKnown(columns, ({ line }) => line.total.known);
	return (
		<div class="report-cards only-narrow">
			<button
				type="button"
				class="banner"
				// Without a column, the state of the days is chosen.
				onClick={(event) => onChoose({ column: null, row: null, element: event.currentTarget })}
			>
				<span class="grow">
					{known !== null && <b>{reportText().known(shareText(known))}</b>} · {stateWord(state, period.report.changed)}
				</span>
			</button>
			{groups.map(({ name, columns: inGroup }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a group may stand twice, and groups have no order of their own.
				<section key={index} aria-label={name === '' ? undefined : name}>
					{name !== '' && <h3>{name}</h3>}
					{inGroup.map((column) => (
						<Card key={column.line.key} model={model} column={column} onChoose={onChoose} />
					))}
				</section>
			))}
		</div>
	);
}

interface CardProps extends ReportCardsProps {
	readonly column: ReportColumn;
}

/** A line with its number over the whole period, its bounds, and the compared period with the change. */
function Card({ model, column, onChoose }: CardProps) {
	const { line, compared } = column;
	const { number, kind } = cellWords(line.total, column);
	const bounds = boundsAlone(line.total, column, line.unit);
	const { view, span, compared: comparedPeriod } = model.period;
	const comparedWords = compared === null ? null : cellWords(compared, column);
	const rise = riseWords(column, null);
	return (
		<button type="button" class="report-card" onClick={(event) => onChoose({ column, row: null, element: event.currentTarget })}>
			<span class="line">
				<span class="grow">{line.name}</span>
				<b class={number === null ? 'violet' : undefined}>{number ?? (kind === 'empty' ? '' : noNumber)}</b>{' '}
				<small>{line.unit}</small>
				<EntryMark column={column} isEmpty={kind === 'empty'} isFillable={may('engineer') && isFillable(model, column, null)} />
			</span>
			{rise !== null && (
				<small class={rise.isBeyond ? 'bad' : 'muted'}>
					{reportScreenText().rise}: {rise.isBeyond && <BeyondSign />}
					{withUnit(rise.number ?? rise.bounds ?? noNumber, line.unit)} {rise.percent}
				</small>
			)}
			{comparedWords !== null && comparedPeriod !== null && compared !== null && (
				<small class="muted">
					{spanName(view.length, comparedPeriod.span, model.calendar, span.date)}:{' '}
					{comparedWords.number ?? comparedWords.bounds ?? noNumber} · {changeWords(line.total, compared, column).bounds}
				</small>
			)}
			{bounds !== null && (
				<small class="violet">
					<Icon name="q-uncertain" /> {bounds}
				</small>
			)}
		</button>
	);
}
