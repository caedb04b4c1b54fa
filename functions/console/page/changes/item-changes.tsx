import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { createJournalPages } from '#page/core/journal-pages.ts';
import { beginnings } from '#page/core/session.ts';
import type { EditedKind } from '#page/editing/item-kinds.ts';
import { formatDateTime, formatUtc } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { shellText } from '#page/shell/texts.ts';
import { ChangeDetail } from './change-detail.tsx';
import { type ChangeEntry, entryAddressOf, orderKeyOf, readChangePage } from './change-entries.ts';
import { changeText } from './change-texts.ts';
import { actorIcon, changedWords, versionWords } from './change-words.ts';

/** Properties of ItemChanges: an item that is stored. The panel has the id 0. */
export interface ItemChangesProps {
	readonly kind: EditedKind;
	readonly itemId: number;
	/** Whether the changes are shown. Closing them sets it to false. */
	readonly isOpen: Signal<boolean>;
	/** Called when a version was restored and is stored. */
	readonly onRestored?: () => void;
}

/** The filter of the pages: no entry is left out. */
const everyEntry = (): boolean => true;

/** Lists every entry of one item, newest first. The chosen entry is shown with its versions. */
export function ItemChanges({ kind, itemId, isOpen, onRestored }: ItemChangesProps) {
	const text = changeText();
	const chosen = useSignal<ChangeEntry | null>(null);
	/** What was done last, for screen readers. */
	const announcement = useSignal('');
	const heading = useRef<HTMLHeadingElement>(null);
	const pages = useMemo(() => createJournalPages(readChangePage, orderKeyOf), []);
	const ask = (): void => void pages.ask({ start: 0, kind, itemId: String(itemId), actor: null }, everyEntry);
	useEffect(ask, [beginnings.value]);
	useLayoutEffect(() => heading.current?.focus(), []);
	const { entries, next, isReading, failure } = pages.state.value;
	const idleText = failure === null && entries.length === 0 ? text.noneOfItem : announcement.value;
	const close = (): void => {
		isOpen.value = false;
	};
	const announceRestored = (): void => {
		announcement.value = text.restored;
		void pages.renew();
		onRestored?.();
	};
	return (
		<section class="stack" aria-label={shellText().screens.changes}>
			<div class="panel stack">
				<div class="panel-head">
					<h2 ref={heading} tabIndex={-1}>
						{shellText().screens.changes}
					</h2>
					<Button look="quiet" icon="i-x" aria-label={commonText().close} onClick={close} />
				</div>
				{failure !== null && <Problems failure={failure} fallback={text.notRead} />}
				{failure !== null && <Button onClick={ask}>{commonText().again}</Button>}
				<p role="status" class={isReading || entries.length === 0 ? 'muted' : 'sr'}>
					{isReading ? commonText().reading : idleText}
				</p>
				{entries.length > 0 && (
					<DataTable
						caption={shellText().screens.changes}
						rows={entries}
						keyOf={entryAddressOf}
						selected={chosen.value === null ? null : entryAddressOf(chosen.value)}
						onSelect={(entry) => {
							chosen.value = entry;
						}}
						columns={[
							{ key: 'version', head: text.heads.version, isRowHead: true, cell: versionWords },
							{ key: 'what', head: text.heads.what, look: 'wide', cell: (entry) => <EntryWords entry={entry} /> },
						]}
					/>
				)}
				{failure === null && typeof next === 'string' && (
					<Button aria-disabled={isReading} onClick={() => void pages.readEarlier(everyEntry)}>
						{text.earlier}
					</Button>
				)}
			</div>
			{chosen.value !== null && (
				<ChangeDetail key={entryAddressOf(chosen.value)} entry={chosen.value} isBeside onRestored={announceRestored} />
			)}
		</section>
	);
}

/** Shows in two lines when an item was changed, by whom, and which fields. */
function EntryWords({ entry }: { readonly entry: ChangeEntry }) {
	const time = Date.parse(entry.at);
	const words = changedWords(entry);
	return (
		<span class="two-lines">
			<time dateTime={entry.at} title={formatUtc(time)}>
				<b>{formatDateTime(time)}</b>
			</time>{' '}
			<Icon name={actorIcon(entry)} /> {actorWords(entry.actor)}
			<small>{entry.action === 'changed' && words !== '' ? words : changeText().actions[entry.action]}</small>
		</span>
	);
}
