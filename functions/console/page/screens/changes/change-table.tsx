import { type ChangeEntry, entryAddressOf } from '#page/changes/change-entries.ts';
import { changeText } from '#page/changes/change-texts.ts';
import { actorIcon, changedWords, itemWords, versionWords } from '#page/changes/change-words.ts';
import { currentTime } from '#page/core/clock.ts';
import { isSameDay } from '#page/core/time-zone.ts';
import { itemKinds } from '#page/editing/item-kinds.ts';
import { formatClock, formatUtc, formatWeekday } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { DataTable } from '#page/parts/data-table.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { shellText } from '#page/shell/texts.ts';

interface ChangeTableProps {
	readonly entries: readonly ChangeEntry[];
	/** The address of the chosen entry; null without one. */
	readonly chosen: string | null;
	readonly onChoose: (entry: ChangeEntry) => void;
}

/** The entries in groups by days, newest first. Moving by arrow keys chooses an entry at once. */
export function ChangeTable({ entries, chosen, onChoose }: ChangeTableProps) {
	const text = changeText();
	return (
		<DataTable
			class="change-table"
			caption={shellText().screens.changes}
			rows={entries}
			keyOf={entryAddressOf}
			selected={chosen}
			onSelect={onChoose}
			selectsOnMove
			groupOf={({ at }) => dayWords(Date.parse(at))}
			columns={[
				{
					key: 'time',
					head: commonText().time,
					cell: ({ at }) => (
						<time dateTime={at} title={formatUtc(Date.parse(at))}>
							{formatClock(Date.parse(at))}
						</time>
					),
				},
				{
					key: 'item',
					head: text.heads.item,
					look: 'wide',
					isRowHead: true,
					cell: (entry) => (
						<span class="line">
							<Icon name={itemKinds[entry.kind].icon} />
							<span class="two-lines">
								{entry.name}
								<small>{itemWords(entry)}</small>
							</span>
						</span>
					),
				},
				{
					key: 'what',
					head: text.heads.what,
					look: 'wide',
					cell: (entry) => (
						<span class="two-lines">
							<b>{text.actions[entry.action]}</b>
							<small>{changedWords(entry)}</small>
						</span>
					),
				},
				{ key: 'version', head: text.heads.version, look: 'end', cell: versionWords },
				{
					key: 'who',
					head: text.heads.who,
					cell: (entry) => (
						<span class="line" title={actorWords(entry.actor)}>
							<Icon name={actorIcon(entry)} />
							{shortName(entry.actor.name)}
						</span>
					),
				},
			]}
		/>
	);
}

/** Returns the day of an entry in the zone of the view: `Today · Sat 21 Nov`. */
function dayWords(time: number): string {
	const isToday = isSameDay(time, currentTime());
	return isToday ? `${changeText().today} · ${formatWeekday(time)}` : formatWeekday(time);
}

/** Shortens an e-mail to the part before its domain, because all are of one utility. The tooltip has the whole. */
function shortName(name: string): string {
	return name.replace(/@.*/, '@…');
}
