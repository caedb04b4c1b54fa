import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { alarms } from '#page/core/alarms.ts';
import { charts, diagrams, panel, useDefinitions, variables } from '#page/core/definitions.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { connection } from '#page/core/poll.ts';
import { rankOf } from '#page/core/rank.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { worstOf } from '#page/core/tile-alarm.ts';
import { variableKinds } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { countUses, isFound, keepOrder, type ListFilter, type ListRow, listRows, sortRows } from './list-model.ts';
import { listFilter, listSearch, listSort } from './list-state.ts';
import { LongVariableList } from './long-variable-list.tsx';
import { listText } from './texts.ts';
import { variableColumns } from './variable-columns.tsx';

/** From this number of rows on, only those in view are in the page. */
const longList = 200;

/** The list of variables: search, filters, live quality, worst first. */
export function VariableList() {
	const text = listText();
	useDefinitions('variables');
	const known = variables.rows.value;
	// Nothing refers to the variables of an empty plant, and it has no panel.
	useDefinitions(...(known === undefined || known.size === 0 ? [] : (['charts', 'diagrams', 'panel'] as const)));
	useReadings(known === undefined ? [] : [...known.keys()]);
	useShortcuts([{ key: 'n', label: commonText().newVariable, run: () => goTo(hrefOf('variables', 'new')) }]);
	const isHeld = useSignal(false);
	const order = useRef<{ readonly key: string; readonly ids: readonly number[] }>({ key: '', ids: [] });

	const [boards, drawings, listed, station] = [charts.rows.value, diagrams.rows.value, alarms.value, panel.rows.value];
	const rows = useMemo(
		() => listRows(known?.values() ?? [], countUses(boards ?? [], drawings ?? [], listed ?? [], station ?? null)),
		[known, boards, drawings, listed, station],
	);
	const counted = (filter: ListFilter) => rows.filter((row) => passes(row, filter)).length;
	const found = rows.filter((row) => passes(row, listFilter.value) && isFound(row, listSearch.value));
	const sorting = JSON.stringify(listSort.value);
	const sorted =
		isHeld.value && order.current.key === sorting
			? keepOrder(found, order.current.ids)
			: sortRows(found, listSort.value, (id) => rankOf(readingOf(id).value?.quality, worstOf(id)));
	order.current = { key: sorting, ids: sorted.map(({ variable: { id } }) => id) };

	const isNarrowed = listFilter.value !== 'all' || listSearch.value !== '';
	const clear = (): void => {
		listFilter.value = 'all';
		listSearch.value = '';
	};
	return (
		<>
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
							count={counted(filter)}
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
					<Button look="primary" onClick={() => goTo(hrefOf('variables', 'new'))} disabled={connection.value === 'lost'}>
						{commonText().newVariable}
					</Button>
				</div>
			</div>
			<p class="sr" role="status">
				{listNotice.value ?? (known === undefined ? commonText().reading : text.found(sorted.length))}
			</p>
			{listNotice.value !== null && <Banner>{listNotice.value}</Banner>}
			{variables.failure.value !== null && (
				<Banner look="error" icon="q-bad" action={<Button onClick={() => void variables.load()}>{commonText().again}</Button>}>
					{commonText().variablesFailed}
				</Banner>
			)}
			{known === undefined && variables.failure.value === null && <p class="muted">{commonText().reading}</p>}
			{known !== undefined && rows.length === 0 && (
				<EmptyState icon="i-list" title={commonText().noVariables}>
					<p>{text.noneText}</p>
					<Button onClick={() => goTo(hrefOf('variables', 'new'))} disabled={connection.value === 'lost'}>
						{commonText().newVariable}
					</Button>
				</EmptyState>
			)}
			{rows.length > 0 && sorted.length === 0 && isNarrowed && (
				<EmptyState icon="i-search" title={commonText().nothingMatches}>
					<Button onClick={clear}>{commonText().clear}</Button>
				</EmptyState>
			)}
			{sorted.length > 0 && (
				// biome-ignore lint/a11y/noStaticElementInteractions: the rows keep their places while the pointer is over them.
				<div
					onMouseEnter={() => hold(true)}
					onMouseLeave={() => hold(false)}
					onFocusIn={() => hold(true)}
					onFocusOut={() => hold(false)}
				>
					{sorted.length > longList ? (
						<LongVariableList rows={sorted} />
					) : (
						<DataTable
							class="values variable-table"
							caption={commonText().variables}
							columns={variableColumns()}
							rows={sorted}
							keyOf={({ variable: { id } }) => id}
							sort={listSort.value}
							onSort={(sort) => {
								listSort.value = sort;
							}}
							onSelect={({ variable: { id } }) => goTo(hrefOf('variables', id))}
						/>
					)}
				</div>
			)}
		</>
	);

	function hold(isOver: boolean): void {
		isHeld.value = isOver;
	}
}

function passes({ kind, variable: { id } }: ListRow, filter: ListFilter): boolean {
	if (filter === 'all') return true;
	if (filter !== 'faulty') return kind === filter;
	const quality = readingOf(id).value?.quality;
	return quality !== undefined && quality !== 'good';
}
