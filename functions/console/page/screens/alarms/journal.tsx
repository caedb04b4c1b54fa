import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { dayMs } from '#domain/milliseconds.ts';
import { alarms } from '#page/core/alarms.ts';
import { currentTime } from '#page/core/clock.ts';
import { downloadCsv } from '#page/core/download.ts';
import { createJournalPages } from '#page/core/journal-pages.ts';
import { beginnings } from '#page/core/session.ts';
import { isSameDay } from '#page/core/time-zone.ts';
import { journalFileName } from '#page/format/csv.ts';
import { formatClock, formatDateTime, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { shellText } from '#page/shell/texts.ts';
import { readJournalPage } from './journal-requests.ts';
import { journalText } from './journal-texts.ts';
import { entryDetails, entryIcon, type JournalEntry, journalCsv, journalKinds } from './journal-words.ts';

interface JournalChoice {
	readonly days: '1' | '7' | '31';
	readonly kind: JournalEntry['kind'] | 'all';
	/** The id of an alarm, or `all`. */
	readonly alarmId: string;
}

/** The journal of the alarms, newest entry first. */
export function Journal() {
	const text = journalText();
	const choice = useSignal<JournalChoice>({ days: '1', kind: 'all', alarmId: 'all' });
	const { days, kind, alarmId } = choice.value;
	const pages = useMemo(() => createJournalPages(readJournalPage, ({ id }) => id), []);
	const isWanted = (entry: JournalEntry): boolean => kind === 'all' || entry.kind === kind;
	const ask = (): void => {
		// One minute less than the whole span, because the service counts its limit of 31 days from its own present time.
		const start = currentTime() - Number(days) * dayMs + 60_000;
		void pages.ask({ start, alarmId: alarmId === 'all' ? null : Number(alarmId) }, isWanted);
	};
	useEffect(ask, [days, alarmId, kind, beginnings.value]);
	// If an alarm in the list has changed in one of these fields, the journal has new entries, too.
	const listedStates = (alarms.value ?? [])
		.map(({ id, version, state, occurrence, since, acknowledgedAt, shelvedUntil }) =>
			[id, version, state, occurrence, since, acknowledgedAt, shelvedUntil].join(),
		)
		.join(';');
	useEffect(() => void pages.renew(), [listedStates]);
	const { entries, next, isReading, failure } = pages.state.value;
	const wanted = entries.filter(isWanted);
	const exportCsv = async (): Promise<void> => {
		const all = await pages.readAll();
		if (all === null) return;
		const exported = all.filter(isWanted);
		const name = journalFileName(
			shellText().screens.alarms,
			exported.map(({ time }) => time),
		);
		if (name !== null) downloadCsv(name, journalCsv(exported, { heads: text.csvHeads, kinds: text.kinds }));
	};
	const emptyText = entries.length === 0 ? text.empty : text.nothing;
	return (
		<section class="panel journal" aria-labelledby="journal-title">
			<div class="panel-head">
				<h2 id="journal-title">{text.title}</h2>
				<JournalChoices choice={choice} />
				<div class="actions">
					<Button aria-disabled={isReading || wanted.length === 0} onClick={() => void exportCsv()}>
						{commonText().csv}
					</Button>
				</div>
			</div>
			{failure !== null && <Problems failure={failure} fallback={text.notRead} />}
			{wanted.length > 0 && <EntryTable entries={wanted} />}
			<p role="status" class="muted">
				{isReading ? commonText().reading : wanted.length === 0 && failure === null && emptyText}
			</p>
			{failure !== null && <Button onClick={ask}>{commonText().again}</Button>}
			{failure === null && typeof next === 'string' && (
				<Button aria-disabled={isReading} onClick={() => void pages.readEarlier(isWanted)}>
					{text.earlier}
				</Button>
			)}
		</section>
	);
}

/** The choices of how far back, which kind and which alarm. */
function JournalChoices({ choice }: { readonly choice: Signal<JournalChoice> }) {
	const text = journalText();
	const { days, kind, alarmId } = choice.value;
	const choose = (part: Partial<JournalChoice>): void => {
		choice.value = { ...choice.value, ...part };
	};
	return (
		<>
			<Segmented
				label={commonText().howFarBack}
				value={days}
				choices={(['1', '7', '31'] as const).map((value) => ({ value, label: text.ranges[value] }))}
				onChoose={(value) => choose({ days: value })}
			/>
			<Select
				aria-label={text.kind}
				value={kind}
				choices={[{ value: 'all', label: text.everyKind }, ...journalKinds.map((value) => ({ value, label: text.kinds[value] }))]}
				onChoose={(value) => choose({ kind: value })}
			/>
			<Select
				aria-label={commonText().alarm}
				value={alarmId}
				choices={[
					{ value: 'all', label: text.everyAlarm },
					...(alarms.value ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
				]}
				onChoose={(value) => choose({ alarmId: value })}
			/>
		</>
	);
}

function EntryTable({ entries }: { readonly entries: readonly JournalEntry[] }) {
	const text = journalText();
	return (
		<DataTable
			caption={text.title}
			rows={entries}
			keyOf={({ id }) => id}
			columns={[
				{ key: 'time', head: commonText().time, cell: ({ time }) => <EntryTime time={time} /> },
				{
					key: 'kind',
					head: text.kind,
					cell: (entry) => (
						<span class="line">
							<Icon name={entryIcon(entry)} />
							<b>{text.kinds[entry.kind]}</b>
						</span>
					),
				},
				{ key: 'alarm', head: commonText().alarm, look: 'wide', cell: ({ alarm }) => alarm?.name ?? text.allAlarms },
				{ key: 'details', head: text.details, look: 'wide', cell: entryDetails },
			]}
		/>
	);
}

/** The time of an entry: of today the clock with seconds, otherwise with the day. */
function EntryTime({ time }: Pick<JournalEntry, 'time'>) {
	const at = Date.parse(time);
	const isToday = isSameDay(at, currentTime());
	return (
		<time dateTime={time} title={formatUtc(at)}>
			{isToday ? formatClock(at, { seconds: true }) : formatDateTime(at)}
		</time>
	);
}
