import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { now } from '#page/core/clock.ts';
import { createDelay } from '#page/core/delay.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { DataTable, longTable } from '#page/parts/data-table.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { KeyHints } from '#page/parts/key-hints.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { AddHead } from './add-head.tsx';
import { addText } from './add-texts.ts';
import { areAllChosen, type ChoiceRow, type ChoiceView, chosenAfter, chosenAfterAll, filterCounts, shownRows } from './choice.ts';
import { choiceColumns } from './choice-columns.tsx';
import { type ChoiceNarrowing, ChooseFilters } from './choose-filters.tsx';
import type { Choosing } from './choosing.ts';
import { EmptyDatabase } from './empty-database.tsx';
import { rootPrefix } from './topic-store.ts';
import { TopicTree } from './topic-tree-view.tsx';

/** The most series that can be chosen for one description. */
const mostAtOnce = 500;

/** How long the typing must pause before the database is searched, in milliseconds. */
const typingMs = 400;

/** The choice of series: the branches of the topics on the left, the series of one branch on the right. */
export function Choose({ choosing }: { readonly choosing: Choosing }) {
	const { topics, rows, chosen } = choosing;
	const narrowing = useSignal<ChoiceNarrowing>({ prefix: rootPrefix, search: '', filter: 'all', writtenWithinMs: null });
	useSearch(choosing, narrowing.value);
	const view: ChoiceView = { ...narrowing.value, chosen: chosen.value, now: now.value };
	const root = topics.branches.value.get(rootPrefix);
	const isEmpty = rows.value.length === 0 && root?.phase === 'read' && root.next === null;
	const count = chosen.value.size;
	return (
		<>
			<AddHead step="choose">
				<Button onClick={() => goTo(hrefOf('variables'))}>{commonText().cancel}</Button>
				<Button
					look="primary"
					disabled={count === 0 || count > mostAtOnce}
					onClick={() => {
						choosing.isDone.value = true;
					}}
				>
					{addText().describe(count)}
				</Button>
			</AddHead>
			{count > mostAtOnce && <Banner>{addText().mostAtOnce(mostAtOnce)}</Banner>}
			{topics.isSlow.value && <Banner look="doubt">{addText().slow}</Banner>}
			{isEmpty ? (
				<EmptyDatabase onRead={() => void topics.readAgain(rootPrefix)} />
			) : (
				<>
					<ChooseFilters
						narrowing={narrowing}
						counts={filterCounts(rows.value, view)}
						onRead={() => void topics.readAgain(narrowing.value.prefix)}
					/>
					<div class="add-choose">
						<TopicTree
							topics={topics}
							prefix={view.prefix}
							onChoose={(prefix) => {
								narrowing.value = { ...narrowing.value, prefix };
								void topics.open(prefix);
							}}
						/>
						<SeriesTable choosing={choosing} rows={shownRows(rows.value, view)} prefix={view.prefix} />
					</div>
				</>
			)}
		</>
	);
}

/** Searches the database for the typed text if not all series of the branch have been read. */
function useSearch({ topics }: Choosing, { prefix, search }: ChoiceNarrowing): void {
	const delay = useMemo(() => createDelay(typingMs), []);
	useEffect(() => {
		delay.start(() => void topics.find(prefix, search.trim()));
		return delay.cancel;
	}, [prefix, search]);
}

interface SeriesTableProps {
	readonly choosing: Choosing;
	readonly rows: readonly ChoiceRow[];
	readonly prefix: string;
}

/** The series of one branch that pass the filters, with what is still read and what could not be read of it. */
function SeriesTable({ choosing: { topics, chosen }, rows, prefix }: SeriesTableProps) {
	const text = addText();
	/** The key of the row that was clicked last. A range that is chosen with Shift begins there. */
	const lastClicked = useRef<string | null>(null);
	const branch = topics.branches.value.get(prefix);
	const isReading = branch?.phase === 'reading';
	const choose = (row: ChoiceRow, isRange: boolean): void => {
		// A locked row cannot be chosen, but a range may end at it.
		if (row.lock !== null && !isRange) return;
		chosen.value = chosenAfter(chosen.value, rows, row, isRange ? lastClicked.current : null);
		lastClicked.current = row.key;
	};
	const columns = choiceColumns({
		chosen: chosen.value,
		isBoxTicked: areAllChosen(chosen.value, rows),
		onBox: () => {
			chosen.value = chosenAfterAll(chosen.value, rows);
		},
	});
	const retry = <Button onClick={() => void topics.more(prefix)}>{commonText().again}</Button>;
	return (
		<div class="stack">
			<p class="sr" role="status">
				{isReading ? commonText().reading : text.found(rows.length, chosen.value.size)}
			</p>
			{branch?.failure != null && <Problems failure={branch.failure} fallback={text.notRead} action={retry} />}
			{rows.length === 0 && isReading && <p class="muted">{commonText().reading}</p>}
			{rows.length === 0 && branch?.phase === 'read' && <EmptyState icon="i-search" title={commonText().nothingMatches} />}
			{rows.length > 0 && (
				<DataTable
					class="add-series"
					caption={text.topics}
					columns={columns}
					rows={rows}
					keyOf={({ key }) => key}
					chosen={chosen.value}
					onSelect={choose}
					isLong={rows.length > longTable}
					// A long table has no heads of groups, because all of its rows must be of one height.
					groupOf={rows.length > longTable ? undefined : ({ group }) => group}
				/>
			)}
			<KeyHints keys={text.chooseKeys} />
		</div>
	);
}
