import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { GoneItem } from '#page/changes/gone-item.tsx';
import { type AddressPlace, addressPlaceOf } from '#page/core/address-place.ts';
import { isUnacknowledged } from '#page/core/alarm-state.ts';
import { alarms, type ListedAlarm, lastAct } from '#page/core/alarms.ts';
import { noteValues } from '#page/core/decimals.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { canWrite } from '#page/core/poll.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { EmptyState, NoVariables } from '#page/parts/empty-state.tsx';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { useNextFocus } from '#page/parts/use-next-focus.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import { AcknowledgeDialog } from './acknowledge.tsx';
import { acknowledgeSeen } from './alarm-acts.ts';
import { AlarmDetail } from './alarm-detail.tsx';
import { type AlarmDraft, alarmDraftOf, newAlarmDraft } from './alarm-draft.ts';
import type { EditingOutcome } from './alarm-editor.tsx';
import { AlarmList } from './alarm-list.tsx';
import { type AlarmFilter, type AlarmRow, alarmRows, passesFilter, watchedBit } from './alarm-rows.ts';
import { AlarmsHead, EvaluationBanner } from './alarms-head.tsx';
import { Journal } from './journal.tsx';
import { alarmText } from './texts.ts';

const AlarmEditor = lazyScreen(async () => (await import('./alarm-editor.tsx')).AlarmEditor);

/** The screen `alarms`: the list on the left with the chosen alarm on the right, or the editor of an alarm. */
export function Alarms() {
	const text = alarmText();
	useDefinitions('variables');
	// The values of alarms also decide with how many decimals their variables are shown. A bit has no decimals.
	useSignalEffect(() => {
		for (const alarm of alarms.value ?? [])
			if (watchedBit(alarm) === null)
				noteValues(alarm.varId, variables.rows.value?.get(alarm.varId)?.unit ?? null, [alarm.value]);
	});
	const announcement = useAnnouncement();
	const filter = useSignal<AlarmFilter>('all');
	const { root, focusNext } = useNextFocus<HTMLDivElement>();
	const listed = alarms.value;
	const defined = variables.rows.value;
	const rows = useMemo(() => (listed === undefined ? null : alarmRows(listed, defined)), [listed, defined]);
	const place = addressPlaceOf(route.value.item);
	const list = (
		<ListAndDetail
			rows={rows}
			place={place}
			filter={filter}
			announcement={announcement.value}
			onShelve={({ id }) => {
				focusNext.current = ['input[name=reason]'];
				goTo(hrefOf('alarms', id));
			}}
			onDeleted={(name) => {
				announcement.value = text.deleted(name);
				focusNext.current = listStart;
				goTo(hrefOf('alarms'));
			}}
		/>
	);
	if (place.kind !== 'edit') return <div ref={root}>{list}</div>;
	return (
		<div ref={root}>
			<ScreenForRole title={shellText().screens.alarms} needs="engineer">
				<Editing
					key={place.id}
					stored={storedDraft(place.id)}
					onDone={({ id, isSaved }) => {
						announcement.value = isSaved ? text.saved : '';
						// The title of the alarm's details has the attribute `data-title`.
						focusNext.current = id === 0 ? listStart : ['[data-title]'];
						goTo(hrefOf('alarms', id === 0 ? null : id), { replace: true });
					}}
				>
					{list}
				</Editing>
			</ScreenForRole>
		</div>
	);
}

/** Selectors of the first focusable element of the list: a row, a card, or the button of an empty list. */
const listStart = ['tr[tabindex="0"]', 'a.alarm-card-head', '.actions .btn'];

/** Returns a sentence about the last act. It is emptied when the person leaves the screen. */
function useAnnouncement(): Signal<string> {
	const announcement = useSignal('');
	useSignalEffect(() => {
		announcement.value = lastAct.value.sentence;
	});
	useEffect(
		() => () => {
			lastAct.value = { sentence: '', failure: null };
		},
		[],
	);
	return announcement;
}

/**
 * Returns the version that an editor begins with. An `id` of 0 is a new alarm. Null if no alarm has the id. For a new alarm, null until the
 * variables were read, and if there is none that it could watch.
 */
function storedDraft(id: number): Versioned<AlarmDraft> | null {
	if (id === 0) {
		const isUnread = variables.rows.value === undefined && variables.failure.value === null;
		return isUnread || variables.rows.value?.size === 0 ? null : { content: newAlarmDraft, version: null };
	}
	const alarm = alarms.value?.find((candidate) => candidate.id === id);
	return alarm === undefined ? null : { content: alarmDraftOf(alarm), version: alarm.version };
}

interface EditingProps {
	readonly stored: Versioned<AlarmDraft> | null;
	readonly onDone: (outcome: EditingOutcome) => void;
	/** Shown until the alarm to edit has been read. */
	readonly children: ComponentChildren;
}

/** The editor of one alarm. It stays with its edits when somebody else deletes the alarm meanwhile. */
function Editing({ stored, onDone, children }: EditingProps) {
	/** The version that the editing began with. Later versions do not replace it. */
	const first = useSignal(stored);
	useEffect(() => {
		first.value ??= stored;
	}, [stored === null]);
	if (first.value === null) return <>{children}</>;
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.alarms}</h1>
				<a class="btn quiet" href={hrefOf('alarms')}>
					‹ {shellText().screens.alarms}
				</a>
			</div>
			<AlarmEditor stored={first.value} onDone={onDone} />
		</>
	);
}

interface ListAndDetailProps {
	/** All alarms; null until they were read. */
	readonly rows: readonly AlarmRow[] | null;
	readonly place: AddressPlace;
	readonly filter: Signal<AlarmFilter>;
	readonly announcement: string;
	readonly onShelve: (alarm: ListedAlarm) => void;
	/** Gets the name of the deleted alarm. */
	readonly onDeleted: (name: string) => void;
}

/** The list on the left, and the chosen alarm on the right. A narrow window shows one of them. */
function ListAndDetail({ rows, place, filter, announcement, onShelve, onDeleted }: ListAndDetailProps) {
	const text = alarmText();
	/** The alarms in the dialog that acknowledges several; null while it is closed. */
	const acknowledging = useSignal<readonly ListedAlarm[] | null>(null);
	const shown = (rows ?? []).filter((row) => passesFilter(row, filter.value));
	// While the address names no alarm, a wide window shows the first one of the list.
	const chosen = place.kind === 'list' ? shown[0] : rows?.find(({ alarm }) => alarm.id === place.id);
	const unacknowledged = shown.map(({ alarm }) => alarm).filter(isUnacknowledged);
	const canAcknowledge = place.kind !== 'edit' && canWrite.value.ok && may('operator');
	/** The alarm that the key A acknowledges. */
	const ofKey = chosen !== undefined && canAcknowledge && isUnacknowledged(chosen.alarm) ? chosen.alarm : null;
	useShortcuts(
		ofKey === null ? [] : [{ key: 'A', label: shellText().keyLabels.acknowledge, run: () => void acknowledgeSeen([ofKey]) }],
	);
	const { failure } = lastAct.value;
	return (
		<>
			<AlarmsHead
				rows={rows ?? []}
				filter={filter}
				announcement={announcement}
				unacknowledged={unacknowledged.length}
				onAcknowledge={() => {
					acknowledging.value = unacknowledged;
				}}
			/>
			{failure !== null && acknowledging.value === null && <Problems failure={failure} fallback={text.notDone} />}
			{rows === null && <p class="muted">{commonText().alarmsUnread}</p>}
			<div class={classNames('alarms', place.kind !== 'list' && 'chosen')}>
				<EvaluationBanner />
				<div class="alarm-list stack">
					{rows !== null && (
						<>
							{shown.length === 0 ? (
								<NoAlarms filter={rows.length === 0 ? null : filter} />
							) : (
								<AlarmList rows={shown} selected={chosen?.alarm.id ?? null} onShelve={onShelve} />
							)}
							<Journal />
						</>
					)}
				</div>
				<div class={classNames('alarm-side', place.kind === 'list' && 'only-wide')}>
					{place.kind !== 'list' && (
						<a class="btn quiet only-narrow" href={hrefOf('alarms')}>
							‹ {shellText().screens.alarms}
						</a>
					)}
					{chosen !== undefined && <AlarmDetail key={chosen.alarm.id} row={chosen} onDeleted={onDeleted} />}
					{chosen === undefined && <NoAlarmChosen place={place} areRead={rows !== null} />}
				</div>
			</div>
			{acknowledging.value !== null && (
				<AcknowledgeDialog
					alarms={acknowledging.value}
					onClose={() => {
						acknowledging.value = null;
					}}
				/>
			)}
		</>
	);
}

interface NoAlarmChosenProps {
	readonly place: AddressPlace;
	/** Whether the alarms were read. */
	readonly areRead: boolean;
}

/** Shown in place of the details: for a new alarm that has no variable to watch, or if the address names an alarm that does not exist. */
function NoAlarmChosen({ place, areRead }: NoAlarmChosenProps) {
	const text = alarmText();
	if (place.kind === 'edit' && place.id === 0)
		return variables.rows.value?.size === 0 ? <NoVariables icon="i-alarm" hint={text.needsVariable} /> : null;
	if (!areRead || place.kind === 'list') return null;
	return (
		<GoneItem kind="alarm" id={place.id}>
			{text.gone}
		</GoneItem>
	);
}

/** Shown in place of an empty list. `filter` is the filter that no alarm passes; null if there are no alarms. */
function NoAlarms({ filter }: { readonly filter: Signal<AlarmFilter> | null }) {
	const text = alarmText();
	if (filter === null)
		return (
			<EmptyState icon="i-alarm" title={text.empty}>
				<p>{text.emptyHint}</p>
			</EmptyState>
		);
	return (
		<EmptyState icon="i-alarm" title={text.nothingIs[filter.value]}>
			<Button
				onClick={() => {
					filter.value = 'all';
				}}
			>
				{commonText().clear}
			</Button>
		</EmptyState>
	);
}
