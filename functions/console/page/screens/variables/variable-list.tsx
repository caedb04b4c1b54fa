import { signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { alarms } from '#page/core/alarms.ts';
import { charts, corrections, diagrams, panel, reports, useDefinitions, variables } from '#page/core/definitions.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { canWrite } from '#page/core/poll.ts';
import { rankOf } from '#page/core/rank.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { worstAlarmOf } from '#page/core/tile-alarm.ts';
import { variableKinds } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { DataTable, longTable, type TableSort } from '#page/parts/data-table.tsx';
import { EmptyState, VariablesUnread } from '#page/parts/empty-state.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { useHold } from '#page/parts/use-hold.ts';
import { countUses, isFound, keepOrder, type ListFilter, type ListRow, listRows, sortRows } from './list-model.ts';
import { listText } from './texts.ts';
import { variableColumns } from './variable-columns.tsx';

/** The text of the search. It stays while a variable is open, as the filter and the order do. */
const listSearch = signal('');

/** Which variables the list shows. */
const listFilter = signal<ListFilter>('all');

/** The order of the rows. At first it is worst first. */
const listSort = signal<TableSort>({ column: 'quality', direction: 'ascending' });

/** The list of variables: search, filters, live quality, worst first. */
export function VariableList() {
	const text = listText();
	useDefinitions('variables');
	const byId = variables.rows.value;
	// Without variables there are no references to count, so what may refer to them is not read.
	useDefinitions(...(byId === undefined || byId.size === 0 ? [] : usingKinds));
	useReadings(byId === undefined ? [] : [...byId.keys()]);
	useShortcuts(may('engineer') ? [{ key: 'n', label: commonText().newVariable, run: openNew }] : []);
	const rows = useRows();
	const found = rows.filter((row) => matchesFilter(row, listFilter.value) && isFound(row, listSearch.value));
	return (
		<>
			<ListHead rows={rows} />
			<p class="sr" role="status">
				{listNotice.value ?? (byId === undefined ? commonText().reading : text.found(found.length))}
			</p>
			{listNotice.value !== null && <Banner>{listNotice.value}</Banner>}
			<VariablesUnread />
			{byId === undefined && variables.failure.value === null && <p class="muted">{commonText().reading}</p>}
			{byId !== undefined && rows.length === 0 && (
				<EmptyState icon="i-list" title={commonText().noVariables}>
					<p>{text.noneText}</p>
					<NewVariable />
				</EmptyState>
			)}
			{rows.length > 0 && found.length === 0 && (
				<EmptyState icon="i-search" title={commonText().nothingMatches}>
					<Button onClick={showAll}>{commonText().clear}</Button>
				</EmptyState>
			)}
			{found.length > 0 && <SortedRows rows={found} />}
		</>
	);
}

/** The buttons that add variables, for roles that may. */
function NewVariable({ look }: { readonly look?: 'primary' }) {
	return (
		<ForRole needs="engineer">
			<Button onClick={() => goTo(hrefOf('variables', 'add'))}>{commonText().addFromDatabase}</Button>
			<Button look={look} onClick={openNew} disabled={!canWrite.value.ok}>
				{commonText().newVariable}
			</Button>
		</ForRole>
	);
}

/** Opens the editor with a new variable. */
function openNew(): void {
	goTo(hrefOf('variables', 'new'));
}

/** Clears the filter and the search. */
function showAll(): void {
	listFilter.value = 'all';
	listSearch.value = '';
}

/** What may refer to a variable, apart from alarms, which every poll reads. */
const usingKinds = ['charts', 'diagrams', 'reports', 'corrections', 'panel'] as const;

/** Stands for items that are not read yet. It is one object, so that the rows are not calculated again in every rendering. */
const unread: readonly never[] = [];

/** Returns all variables as the list shows them. */
function useRows(): readonly ListRow[] {
	const byId = variables.rows.value;
	const users = {
		charts: charts.rows.value ?? unread,
		diagrams: diagrams.rows.value ?? unread,
		reports: reports.rows.value ?? unread,
		alarms: alarms.value ?? unread,
		corrections: corrections.rows.value ?? unread,
		panel: panel.rows.value ?? null,
	};
	return useMemo(() => listRows(byId?.values() ?? [], countUses(users)), [byId, ...Object.values(users)]);
}

/** The search, the filters with their numbers, and the button for a new variable. */
function ListHead({ rows }: { readonly rows: readonly ListRow[] }) {
	const text = listText();
	return (
		<div class="head">
			<h1>{commonText().variables}</h1>
			<div class="variable-search">
				<TextInput
					name="search"
					icon="i-search"
					aria-label={text.search}
					placeholder={text.search}
					value={listSearch.value}
					onText={(typed) => {
						listSearch.value = typed;
					}}
				/>
			</div>
			<fieldset class="line wrap" aria-label={text.filters}>
				{(['all', ...variableKinds, 'faulty'] as const).map((filter) => (
					<Chip
						key={filter}
						count={rows.filter((row) => matchesFilter(row, filter)).length}
						word={filter === 'all' || filter === 'faulty' ? text[filter] : text.kinds[filter]}
						icon={filter === 'faulty' ? 'q-bad' : undefined}
						quality={filter === 'faulty'}
						pressed={listFilter.value === filter}
						onToggle={() => {
							listFilter.value = filter;
						}}
					/>
				))}
			</fieldset>
			<div class="actions">
				<NewVariable look="primary" />
			</div>
		</div>
	);
}

/** Whether the filter shows a row. The filter `faulty` shows no row without a reading. */
function matchesFilter({ kind, variable: { id } }: ListRow, filter: ListFilter): boolean {
	if (filter === 'all') return true;
	if (filter !== 'faulty') return kind === filter;
	const quality = readingOf(id).value?.quality;
	return quality !== undefined && quality !== 'good';
}

/** The rows in the chosen order. Their order does not change while the pointer or the focus is in the list. */
function SortedRows({ rows }: { readonly rows: readonly ListRow[] }) {
	const { isHeld, hold } = useHold();
	const isLong = rows.length > longTable;
	const sort = listSort.value;
	/** The order of the rows in the last rendering. */
	const last = useRef<{ readonly sort: TableSort; readonly ids: readonly number[] }>({ sort, ids: [] });
	const sorted =
		isHeld.value && last.current.sort === sort
			? keepOrder(rows, last.current.ids)
			: sortRows(rows, sort, (id) => rankOf(readingOf(id).value?.quality, worstAlarmOf(id)));
	useLayoutEffect(() => {
		last.current = { sort, ids: sorted.map(({ variable: { id } }) => id) };
	});
	return (
		<div {...hold}>
			<DataTable
				class="values variable-table"
				caption={commonText().variables}
				columns={variableColumns(isLong)}
				rows={sorted}
				keyOf={({ variable: { id } }) => id}
				sort={sort}
				onSort={(next) => {
					listSort.value = next;
				}}
				onSelect={({ variable: { id } }) => goTo(hrefOf('variables', id))}
				isLong={isLong}
			/>
		</div>
	);
}
