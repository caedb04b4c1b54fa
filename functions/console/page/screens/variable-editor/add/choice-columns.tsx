import { tagSetText } from '#domain/variable/tags.ts';
import { now } from '#page/core/clock.ts';
import { decimalsOf } from '#page/core/decimals.ts';
import { variables } from '#page/core/definitions.ts';
import { hrefOf } from '#page/core/route.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import { formatNumber } from '#page/format/number.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { classNames } from '#page/parts/class-names.ts';
import type { TableColumn } from '#page/parts/data-table.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { ValueText } from '#page/parts/value-text.tsx';
import { editorText } from '../editor-texts.ts';
import { topicWithTags } from '../tag-sets.ts';
import { addText } from './add-texts.ts';
import { type ChoiceRow, isSilent } from './choice.ts';

/** The most variables that a row names. */
const mostNames = 3;

interface ChoiceColumnsOptions {
	/** The keys of the chosen series. */
	readonly chosen: ReadonlySet<string>;
	/** Whether the box in the head is ticked. */
	readonly isBoxTicked: boolean;
	readonly onBox: () => void;
}

/** Returns the columns of the table of series. */
export function choiceColumns({ chosen, isBoxTicked, onBox }: ChoiceColumnsOptions): readonly TableColumn<ChoiceRow>[] {
	const text = addText();
	const { topic, age, variable } = commonText();
	return [
		{
			key: 'chosen',
			head: <input type="checkbox" aria-label={text.chooseAll} title={text.chooseAll} checked={isBoxTicked} onChange={onBox} />,
			cell: ({ key, lock }) => (
				<span
					class={classNames('tick', lock !== null && 'locked', lock === null && chosen.has(key) && 'on')}
					aria-hidden="true"
				/>
			),
		},
		{ key: 'topic', head: topic, isRowHead: true, cell: (row) => <TopicText row={row} /> },
		{ key: 'field', head: text.field, cell: ({ field }) => <span class="mono">{field}</span> },
		{ key: 'type', head: text.type, cell: ({ type }) => text.types[type] },
		{ key: 'newest', head: editorText().aggregates.last, look: 'end', cell: (row) => <Newest row={row} /> },
		{ key: 'age', head: age, look: 'end', cell: (row) => <SeriesAge row={row} /> },
		{ key: 'variable', head: variable, look: 'wide', cell: (row) => <Readers row={row} /> },
	];
}

/** A topic with its last part in bold, and the tags that tell its series apart. All tags are in the title. */
function TopicText({ row: { topic, tags, queryTags } }: { readonly row: ChoiceRow }) {
	const end = topic.lastIndexOf('/') + 1;
	return (
		<span class="mono" title={topicWithTags(topic, tags)}>
			{topic.slice(0, end)}
			<b>{topic.slice(end)}</b> <span class="muted">{tagSetText(queryTags)}</span>
		</span>
	);
}

/** The newest value of a series; grey when the series is silent, and nothing when no variable can read it. */
function Newest({ row }: { readonly row: ChoiceRow }) {
	const { value } = row.newest;
	const isCurrent = !isSilent(row, now.value);
	if (value === null || row.lock !== null) return <ValueText text={null} current={false} size="cell" />;
	const { on, off } = stateWords().state;
	const decimals = row.type === 'integer' ? 0 : decimalsOf([value]);
	const state = value === 0 ? off : on;
	return <ValueText text={row.type === 'boolean' ? state : formatNumber(value, { decimals })} current={isCurrent} size="cell" />;
}

/** The time since the newest sample of a series. */
function SeriesAge({ row }: { readonly row: ChoiceRow }) {
	return (
		<time class={isSilent(row, now.value) ? 'age old' : 'age'} title={formatUtc(row.newestAt)}>
			{formatAge(now.value - row.newestAt)}
		</time>
	);
}

/** The names of the variables that read the series, or the reason why no variable can read it. */
function Readers({ row }: { readonly row: ChoiceRow }) {
	const text = addText();
	const { lock } = row;
	if (lock === 'text') return <span class="muted">{text.locks.text}</span>;
	if (lock === 'mixed')
		return (
			<span class="quality">
				<Icon name="q-bad" /> {text.locks.mixed}
			</span>
		);
	return (
		<>
			<ReaderNames ids={row.variables} />
			{isSilent(row, now.value) && (
				<span class="quality">
					<Icon name="q-stale" /> {text.silentFor(formatAge(now.value - row.newestAt))}
				</span>
			)}
		</>
	);
}

/** The first of the variables that read a series, and how many more there are. The table has one Tab stop, so links have none. */
function ReaderNames({ ids }: { readonly ids: readonly number[] }) {
	const text = addText();
	if (ids.length === 0) return <span class="muted">{text.none} </span>;
	const shown = ids.slice(0, mostNames).map((id) => ({ id, variable: variables.rows.value?.get(id) }));
	return (
		<>
			{shown.map(({ id, variable }, index) => (
				<span key={id}>
					{index > 0 && ', '}
					{variable !== undefined && kindOf(variable) === 'formula' && `${text.inputOf} `}
					<a href={hrefOf('variables', id)} tabIndex={-1}>
						{variable?.name ?? `id ${id}`}
					</a>
				</span>
			))}
			{ids.length > shown.length && ` ${commonText().more(ids.length - shown.length)}`}{' '}
		</>
	);
}
