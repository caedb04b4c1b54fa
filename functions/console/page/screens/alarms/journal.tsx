import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { alarms } from '#page/core/alarms.ts';
import { currentTime } from '#page/core/clock.ts';
import { downloadText } from '#page/core/download.ts';
import { formatClock, formatDateTime, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { journalCsv } from './journal-csv.ts';
import { createJournalPages, type JournalEntry } from './journal-pages.ts';
import { readJournalPage } from './journal-requests.ts';
import { journalText } from './journal-texts.ts';
import { entryDetails, entryIcon, journalKinds } from './journal-words.ts';

const dayMs = 86_400_000;

/** What happened to the alarms, newest first. */
export function Journal() {
	const text = journalText();
	const days = useSignal<'1' | '7' | '31'>('1');
	const kind = useSignal<JournalEntry['kind'] | 'all'>('all');
	const alarmId = useSignal<string>('all');
	const pages = useRef(createJournalPages(readJournalPage)).current;
	const isWanted = (entry: JournalEntry): boolean => kind.value === 'all' || entry.kind === kind.value;
	const ask = (): void => {
		// A little less than 31 days, because the service counts from its own present.
		const start = currentTime() - Number(days.value) * dayMs + 60_000;
		void pages.ask({ start, alarmId: alarmId.value === 'all' ? null : Number(alarmId.value) }, isWanted);
	};
	useEffect(ask, [days.value, alarmId.value, kind.value]);
	// What the journal tells changes with what the list shows.
	const listed = alarms.value ?? [];
	const shown = listed
		.map(({ id, version, state, occurrence, since, acknowledgedAt, shelvedUntil }) =>
			[id, version, state, occurrence, since, acknowledgedAt, shelvedUntil].join(),
		)
		.join(';');
	useEffect(() => void pages.renew(), [shown]);
	const { entries, next, isReading, failure } = pages.state.value;
	const wanted = entries.filter(isWanted);
	const save = async (): Promise<void> => {
		const all = await pages.readAll();
		if (all === null) return;
		const csv = journalCsv(all.filter(isWanted), { heads: text.csvHeads, kinds: text.kinds });
		downloadText(`alarms-${new Date(currentTime()).toISOString().slice(0, 10)}.csv`, 'text/csv', csv);
	};
	return (
		<section class="panel journal" aria-labelledby="journal-title">
			<div class="journal-head">
				<h2 id="journal-title">{text.title}</h2>
				<Segmented
					label={commonText().howFarBack}
					value={days.value}
					choices={(['1', '7', '31'] as const).map((value) => ({ value, label: text.ranges[value] }))}
					onChoose={(value) => {
						days.value = value;
					}}
				/>
				<Select
					aria-label={text.kind}
					value={kind.value}
					choices={[
						{ value: 'all', label: text.everyKind },
						...journalKinds.map((value) => ({ value, label: text.kinds[value] })),
					]}
					onChoose={(value) => {
						kind.value = value;
					}}
				/>
				<Select
					aria-label={commonText().alarm}
					value={alarmId.value}
					choices={[
						{ value: 'all', label: text.everyAlarm },
						...listed.map(({ id, name }) => ({ value: String(id), label: name })),
					]}
					onChoose={(value) => {
						alarmId.value = value;
					}}
				/>
				<div class="actions">
					<Button aria-disabled={isReading || wanted.length === 0} onClick={() => void save()}>
						{commonText().csv}
					</Button>
				</div>
			</div>
			{failure !== null && <Problems failure={failure} fallback={text.notRead} />}
			{wanted.length > 0 && (
				<div class="table-box">
					<table aria-label={text.title}>
						<thead class="sr">
							<tr>
								<th scope="col">{commonText().time}</th>
								<th scope="col">{text.kind}</th>
								<th scope="col">{commonText().alarm}</th>
								<th scope="col">{text.details}</th>
							</tr>
						</thead>
						<tbody>
							{wanted.map((entry) => (
								<Entry key={entry.id} entry={entry} />
							))}
						</tbody>
					</table>
				</div>
			)}
			<p role="status" class="muted">
				{isReading
					? commonText().reading
					: wanted.length > 0 || failure !== null
						? ''
						: entries.length === 0
							? text.empty
							: text.nothing}
			</p>
			{failure !== null ? (
				<Button onClick={ask}>{commonText().again}</Button>
			) : (
				next !== null && (
					<Button aria-disabled={isReading} onClick={() => void pages.readEarlier(isWanted)}>
						{text.earlier}
					</Button>
				)
			)}
		</section>
	);
}

function Entry({ entry }: { readonly entry: JournalEntry }) {
	const text = journalText();
	const at = Date.parse(entry.time);
	const isToday = new Date(at).toDateString() === new Date(currentTime()).toDateString();
	return (
		<tr>
			<td class="num">
				<time dateTime={entry.time} title={formatUtc(at)}>
					{isToday ? formatClock(at, { seconds: true }) : formatDateTime(at)}
				</time>
			</td>
			<td>
				<span class="journal-kind">
					<Icon name={entryIcon(entry)} />
					<b>{text.kinds[entry.kind]}</b>
				</span>
			</td>
			<td>{entry.alarm?.name ?? text.allAlarms}</td>
			<td class="wide">{entryDetails(entry)}</td>
		</tr>
	);
}
