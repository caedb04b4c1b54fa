import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isUnacknowledged } from '#page/core/alarm-state.ts';
import { alarms, type ListedAlarm } from '#page/core/alarms.ts';
import { noteValues } from '#page/core/decimals.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { connection } from '#page/core/poll.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { NoVariables } from '#page/parts/no-variables.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { acknowledgeSeen, lastAct } from './alarm-acts.ts';
import { AlarmDetail } from './alarm-detail.tsx';
import { type AlarmDraft, alarmDraftOf, newAlarmDraft } from './alarm-draft.ts';
import { AlarmList } from './alarm-list.tsx';
import { alarmPlaceOf } from './alarm-route.ts';
import { type AlarmFilter, alarmRows, passesFilter, watchedBit } from './alarm-rows.ts';
import { AlarmsHead } from './alarms-head.tsx';
import { EvaluationBanner } from './evaluation-banner.tsx';
import { Journal } from './journal.tsx';
import { alarmText } from './texts.ts';
import { useNextFocus } from './use-next-focus.ts';

const AlarmEditor = lazyScreen(async () => (await import('./alarm-editor.tsx')).AlarmEditor);

/** The screen `alarms`: the list left, the chosen alarm or its editor right. */
export function Alarms() {
	const text = alarmText();
	useDefinitions('variables');
	const filter = useSignal<AlarmFilter>('all');
	const acknowledging = useSignal<readonly ListedAlarm[] | null>(null);
	const announcement = useSignal('');
	const { root, focusNext } = useNextFocus<HTMLDivElement>();
	useSignalEffect(() => {
		for (const alarm of alarms.value ?? [])
			if (watchedBit(alarm) === null)
				noteValues(alarm.varId, variables.rows.value?.get(alarm.varId)?.unit ?? null, [alarm.value]);
	});
	const listed = alarms.value;
	const known = variables.rows.value;
	const all = useMemo(() => (listed === undefined ? [] : alarmRows(listed, known)), [listed, known]);
	const rows = all.filter((row) => passesFilter(row, filter.value));
	const place = alarmPlaceOf(route.value.item);
	const chosen = place.kind === 'list' ? rows[0] : all.find(({ alarm }) => alarm.id === place.id);
	const isNew = place.kind === 'edit' && place.id === 0;
	const isUnread = known === undefined && variables.failure.value === null;
	const needsVariable = known?.size === 0;
	// What is typed stays when somebody else deletes the alarm meanwhile.
	const begun = useRef<{ readonly id: number; readonly stored: Versioned<AlarmDraft> } | null>(null);
	if (place.kind !== 'edit') begun.current = null;
	else if (begun.current?.id !== place.id) {
		const stored = isNew
			? needsVariable || isUnread
				? null
				: newAlarm
			: chosen === undefined
				? null
				: storedDraftOf(chosen.alarm);
		begun.current = stored === null ? null : { id: place.id, stored };
	}
	const goToList = (said: string): void => {
		announcement.value = said;
		focusNext.current = listStart;
		goTo(hrefOf('alarms'));
	};
	const unacknowledged = rows.filter(({ alarm }) => isUnacknowledged(alarm)).map(({ alarm }) => alarm);
	const isLost = connection.value === 'lost';
	const selected = place.kind === 'edit' ? undefined : chosen?.alarm;
	useShortcuts(
		selected !== undefined && isUnacknowledged(selected) && !isLost
			? [{ key: 'A', label: shellText().keyLabels.acknowledge, run: () => void acknowledgeSeen([selected]) }]
			: [],
	);
	useSignalEffect(() => {
		announcement.value = lastAct.value.said;
	});
	useEffect(
		() => () => {
			lastAct.value = { said: '', failure: null };
		},
		[],
	);
	if (begun.current !== null)
		return (
			<div ref={root}>
				<div class="head">
					<h1>{shellText().screens.alarms}</h1>
					<a class="btn quiet" href={hrefOf('alarms')}>
						‹ {shellText().screens.alarms}
					</a>
				</div>
				<AlarmEditor
					key={begun.current.id}
					stored={begun.current.stored}
					onDone={(id, saved) => {
						announcement.value = saved ? text.saved : '';
						focusNext.current = id === 0 ? listStart : ['[data-title]'];
						goTo(hrefOf('alarms', id === 0 ? null : id), { replace: true });
					}}
				/>
			</div>
		);
	return (
		<div ref={root}>
			<AlarmsHead
				rows={all}
				filter={filter}
				announcement={announcement.value}
				unacknowledged={unacknowledged.length}
				onAcknowledge={() => {
					acknowledging.value = unacknowledged;
				}}
			/>
			{lastAct.value.failure !== null && acknowledging.value === null && (
				<Problems failure={lastAct.value.failure} fallback={text.notDone} />
			)}
			{listed === undefined && <p class="muted">{commonText().alarmsUnread}</p>}
			<div class={classNames('alarms', place.kind !== 'list' && 'chosen')}>
				<EvaluationBanner />
				<div class="alarm-list">
					{listed !== undefined &&
						(all.length === 0 ? (
							<EmptyState icon="i-alarm" title={text.empty}>
								<p>{text.emptyHint}</p>
							</EmptyState>
						) : rows.length === 0 ? (
							<EmptyState icon="i-alarm" title={text.nothingIs[filter.value]}>
								<Button
									onClick={() => {
										filter.value = 'all';
									}}
								>
									{commonText().clear}
								</Button>
							</EmptyState>
						) : (
							<AlarmList
								rows={rows}
								selected={chosen?.alarm.id ?? null}
								onShelve={({ id }) => {
									focusNext.current = ['input[name=reason]'];
									goTo(hrefOf('alarms', id));
								}}
							/>
						))}
					{listed !== undefined && <Journal />}
				</div>
				<div class={classNames('alarm-side', place.kind === 'list' && 'only-wide')}>
					{place.kind !== 'list' && (
						<a class="btn quiet only-narrow" href={hrefOf('alarms')}>
							‹ {shellText().screens.alarms}
						</a>
					)}
					{chosen !== undefined ? (
						<AlarmDetail key={chosen.alarm.id} row={chosen} onDeleted={(name) => goToList(text.deleted(name))} />
					) : isNew ? (
						needsVariable && <NoVariables icon="i-alarm" hint={text.needsVariable} />
					) : (
						listed !== undefined && place.kind !== 'list' && <p class="panel muted">{text.gone}</p>
					)}
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
		</div>
	);
}

/** Where the list begins: a row, a card, or the button of an empty list. */
const listStart = ['tr[tabindex="0"]', 'a.alarm-card-head', '.actions .btn'];

const newAlarm: Versioned<AlarmDraft> = { content: newAlarmDraft, version: null };

function storedDraftOf(alarm: ListedAlarm): Versioned<AlarmDraft> {
	return { content: alarmDraftOf(alarm), version: alarm.version };
}
