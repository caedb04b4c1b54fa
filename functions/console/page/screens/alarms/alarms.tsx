import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isUnacknowledged } from '#page/core/alarm-state.ts';
import { alarms, evaluation, isEvaluationLate, type ListedAlarm } from '#page/core/alarms.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { connection } from '#page/core/poll.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { noteValues } from '#page/format/decimals.ts';
import { formatClock, formatUtc } from '#page/format/time.ts';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
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
import { type AlarmFilter, alarmFilters, alarmRows, passesFilter, watchedBit } from './alarm-rows.ts';
import { EvaluationBanner } from './evaluation-banner.tsx';
import { Journal } from './journal.tsx';
import { alarmText } from './texts.ts';

const AlarmEditor = lazyScreen(async () => (await import('./alarm-editor.tsx')).AlarmEditor);

/** The screen `alarms`: the list left, the chosen alarm or its editor right. */
export function Alarms() {
	const text = alarmText();
	useDefinitions('variables');
	const filter = useSignal<AlarmFilter>('all');
	const acknowledging = useSignal<readonly ListedAlarm[] | null>(null);
	const announcement = useSignal('');
	const root = useRef<HTMLDivElement>(null);
	/** Where the focus goes once the change is in the page: the first of these that is in view. */
	const focusNext = useRef<readonly string[]>([]);
	useLayoutEffect(() => {
		const found = focusNext.current.flatMap((selector) => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])]);
		const target = found.find((element) => element.offsetParent !== null);
		if (target === undefined) return;
		focusNext.current = [];
		target.focus();
	});
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
			? [{ key: 'A', label: text.acknowledgeSelected, run: () => void acknowledgeSeen([selected]) }]
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
	const until = evaluation.value?.until ?? null;
	if (begun.current !== null)
		return (
			<div ref={root}>
				<div class="head">
					<h1>{shellText().screens.alarms}</h1>
					<a class="btn quiet" href={hrefOf('alarms')}>
						‹ {text.back}
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
			<div class="head">
				<h1>{shellText().screens.alarms}</h1>
				{all.length > 0 && (
					<fieldset class="chips">
						<legend class="sr">{text.filters}</legend>
						{alarmFilters.map((each) => (
							<Chip
								key={each}
								count={all.filter((row) => passesFilter(row, each)).length}
								word={text.filterWords[each]}
								pressed={filter.value === each}
								onToggle={() => {
									filter.value = each;
								}}
							/>
						))}
					</fieldset>
				)}
				<div class="actions">
					<span role="status" class={announcement.value === '' ? 'sr' : 'muted'}>
						{announcement.value}
					</span>
					{all.length > 0 && until !== null && !isEvaluationLate.value && (
						<time class="muted" dateTime={until} title={formatUtc(Date.parse(until))}>
							{text.evaluatedUntil(formatClock(Date.parse(until), { seconds: true }))}
						</time>
					)}
					<Button look={all.length === 0 ? 'primary' : undefined} disabled={isLost} onClick={() => goTo(hrefOf('alarms', 'new'))}>
						{text.newAlarm}
					</Button>
					{unacknowledged.length > 1 && (
						<Button
							disabled={isLost}
							onClick={() => {
								acknowledging.value = unacknowledged;
							}}
						>
							{text.acknowledgeCount(unacknowledged.length)}
						</Button>
					)}
				</div>
			</div>
			{lastAct.value.failure !== null && acknowledging.value === null && (
				<Problems failure={lastAct.value.failure} fallback={text.notDone} />
			)}
			{listed === undefined && <p class="muted">{text.unread}</p>}
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
									{text.clear}
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
							‹ {text.back}
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
