import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { dayMs } from '#domain/milliseconds.ts';
import { ChangeDetail } from '#page/changes/change-detail.tsx';
import {
	type ChangeEntry,
	type ChangeQuestion,
	entryAddressOf,
	kindsInFilter,
	orderKeyOf,
	parseAddress,
	readChangePage,
} from '#page/changes/change-entries.ts';
import { changeText } from '#page/changes/change-texts.ts';
import { changesCsv, isFoundChange, itemWords } from '#page/changes/change-words.ts';
import { currentTime } from '#page/core/clock.ts';
import { useDefinitions } from '#page/core/definitions.ts';
import { downloadCsv } from '#page/core/download.ts';
import { createJournalPages } from '#page/core/journal-pages.ts';
import { goTo, hrefOf, hrefWithParams, route } from '#page/core/route.ts';
import { beginnings, may } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { isVersioned } from '#page/editing/item-kinds.ts';
import { journalFileName } from '#page/format/csv.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { shellText } from '#page/shell/texts.ts';
import { ChangeTable } from './change-table.tsx';

/** The choices of how far back the list goes, in days. */
const ranges = ['1', '7', '31', '366'] as const;

/** The choices of what happened to an item. */
const actions = ['created', 'changed', 'deleted', 'restored', 'signedIn', 'refused'] as const;

/** The journal of changes: a list by days, and the chosen entry beside it. */
export function Changes() {
	const text = changeText();
	const search = useSignal('');
	const announcement = useSignal('');
	// Names of variables stand in the versions of other items.
	useDefinitions('variables');
	const { question, days, act, unknown } = choiceOf(route.value.params);
	const chosen = parseAddress(route.value.item);
	const pages = useMemo(() => createJournalPages(readChangePage, orderKeyOf), []);
	// The service filters by kind, item and person. The filter by act and the search are applied here.
	const isWanted = (entry: ChangeEntry): boolean => (act === null || entry.action === act) && isFoundChange(entry, search.value);
	const { kind, itemId, actor } = question;
	const ask = (): void => {
		// The changes of one item are listed from the beginning.
		const start = itemId === null ? currentTime() - Number(days) * dayMs : 0;
		void pages.ask({ ...question, start }, isWanted);
	};
	// Another session, which changes `beginnings`, may see other entries.
	useEffect(ask, [days, kind, itemId, actor, act, beginnings.value]);
	const { entries, next, isReading, failure } = pages.state.value;
	const wanted = entries.filter(isWanted);
	/** The place of the chosen entry in the list; -1 where it is not there, so that the first entry is the next one. */
	const chosenIndex = chosen === null ? -1 : wanted.findIndex((entry) => entryAddressOf(entry) === entryAddressOf(chosen));
	const choose = (entry: ChangeEntry | undefined): void => {
		if (entry !== undefined) goTo(hrefOf('changes', entryAddressOf(entry), paramsOf(route.value.params)), { replace: true });
	};
	const saveCsv = async (): Promise<void> => {
		const saved = (await pages.readAll())?.filter(isWanted) ?? [];
		const name = journalFileName(
			shellText().screens.changes,
			saved.map(({ at }) => at),
		);
		if (name !== null) downloadCsv(name, changesCsv(saved));
	};
	useShortcuts([{ key: 'F8', label: text.next, run: () => choose(wanted[chosenIndex + 1] ?? wanted[0]) }]);
	return (
		<>
			<ChangesHead
				entries={entries}
				search={search.value}
				onSearch={(typed) => {
					search.value = typed;
				}}
				canSave={!isReading && wanted.length > 0}
				onSave={saveCsv}
			/>
			{unknown.length > 0 && <Banner>{text.otherFilter(unknown.join(', '))}</Banner>}
			{failure !== null && <Problems failure={failure} fallback={text.notRead} />}
			{failure !== null && <Button onClick={ask}>{commonText().again}</Button>}
			<p role="status" class={isReading ? 'muted' : 'sr'}>
				{isReading ? commonText().reading : announcement.value}
			</p>
			{!isReading && failure === null && wanted.length === 0 && <EmptyState icon="i-changes" title={text.none} />}
			<div class="split changes">
				<div class="stack">
					{wanted.length > 0 && (
						<ChangeTable entries={wanted} chosen={chosen === null ? null : entryAddressOf(chosen)} onChoose={choose} />
					)}
					{failure === null && typeof next === 'string' && (
						<Button aria-disabled={isReading} onClick={() => void pages.readEarlier(isWanted)}>
							{text.earlier}
						</Button>
					)}
				</div>
				{chosen === null ? (
					wanted.length > 0 && <p class="panel muted">{text.choose}</p>
				) : (
					<ChangeDetail
						key={entryAddressOf(chosen)}
						entry={chosen}
						onRestored={() => {
							announcement.value = text.restored;
							void pages.renew();
						}}
					/>
				)}
			</div>
		</>
	);
}

interface ChangesHeadProps {
	readonly entries: readonly ChangeEntry[];
	readonly search: string;
	readonly onSearch: (typed: string) => void;
	/** Whether the list can be saved as CSV. */
	readonly canSave: boolean;
	readonly onSave: () => Promise<void>;
}

/** The search, the range, and the filters by kind, person and act. The address has them, so that a link leads to them. */
function ChangesHead({ entries, search, onSearch, canSave, onSave }: ChangesHeadProps) {
	const text = changeText();
	const { question, days, act } = choiceOf(route.value.params);
	const { kind, itemId, actor } = question;
	const kinds = kindsInFilter.filter((some) => may('administrator') || isVersioned(some));
	/** The names of those who made the entries that were read, by id. A chosen person who made none of these is named by the id. */
	const actors = new Map(entries.map((entry) => [entry.actor.id, actorWords(entry.actor)]));
	if (actor !== null && !actors.has(actor)) actors.set(actor, actor);
	const filter = (part: Readonly<Record<string, string>>): void =>
		goTo(hrefWithParams('changes', { ...paramsOf(route.value.params), ...part }), { replace: true });
	return (
		<div class="head">
			<h1>{shellText().screens.changes}</h1>
			<TextInput
				name="search"
				icon="i-search"
				aria-label={text.search}
				placeholder={text.search}
				value={search}
				onText={onSearch}
			/>
			{kind !== null && itemId !== null ? (
				<Button icon="i-x" onClick={() => filter({ kind: '', item: '' })}>
					{text.oneItem(entries[0]?.name ?? itemWords({ kind, itemId }))}
				</Button>
			) : (
				<>
					<Segmented
						label={commonText().howFarBack}
						value={days}
						choices={ranges.map((value) => ({ value, label: text.ranges[value] }))}
						onChoose={(value) => filter({ days: value })}
					/>
					<Select
						aria-label={commonText().kind}
						value={kind ?? ''}
						choices={[
							{ value: '', label: text.everyKind },
							...kinds.map((value) => ({ value, label: commonText().kinds[value] })),
						]}
						onChoose={(value) => filter({ kind: value })}
					/>
				</>
			)}
			<Select
				aria-label={text.heads.who}
				value={actor ?? ''}
				choices={[{ value: '', label: text.everybody }, ...[...actors].map(([value, label]) => ({ value, label }))]}
				onChoose={(value) => filter({ actor: value })}
			/>
			<Select
				aria-label={text.heads.what}
				value={act ?? ''}
				choices={[{ value: '', label: text.everyAct }, ...actions.map((value) => ({ value, label: text.actions[value] }))]}
				onChoose={(value) => filter({ act: value })}
			/>
			<div class="actions">
				<Button aria-disabled={!canSave} onClick={() => void onSave()}>
					{commonText().csv}
				</Button>
			</div>
		</div>
	);
}

/**
 * Parses the filters of an address. They say how many days back the list goes, so `start` depends on the present time. `unknown` has the
 * words of the choices that take the place of filters that do not exist.
 */
function choiceOf(params: URLSearchParams) {
	const text = changeText();
	const question: Omit<ChangeQuestion, 'start'> = {
		kind: kindsInFilter.find((known) => known === params.get('kind')) ?? null,
		itemId: textOf(params, 'item'),
		actor: textOf(params, 'actor'),
	};
	const days = ranges.find((known) => known === params.get('days')) ?? '7';
	const act = actions.find((known) => known === params.get('act')) ?? null;
	const shown = [
		['days', days, text.ranges[days]],
		['kind', question.kind, text.everyKind],
		['act', act, text.everyAct],
	] as const;
	const unknown = shown.flatMap(([name, value, word]) => ((textOf(params, name) ?? value) === value ? [] : [word]));
	return { question, days, act, unknown };
}

/** Returns a parameter; null where it is missing or empty. */
function textOf(params: URLSearchParams, name: string): string | null {
	const text = params.get(name) ?? '';
	return text === '' ? null : text;
}

function paramsOf(params: URLSearchParams): Readonly<Record<string, string>> {
	return Object.fromEntries(params);
}
