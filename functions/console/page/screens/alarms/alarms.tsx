import { useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { alarms, type ListedAlarm } from '#page/core/alarms.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { connection } from '#page/core/poll.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { noteValues } from '#page/format/decimals.ts';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { shellText } from '#page/shell/texts.ts';
import { AlarmDetail } from './alarm-detail.tsx';
import { type AlarmDraft, alarmDraftOf, newAlarmDraft } from './alarm-draft.ts';
import { AlarmEditor } from './alarm-editor.tsx';
import { AlarmList } from './alarm-list.tsx';
import { alarmPlaceOf } from './alarm-route.ts';
import { type AlarmGroup, alarmGroups, alarmRows, watchedBit } from './alarm-rows.ts';
import { alarmText } from './texts.ts';

/** The screen `alarms`: the list left, the chosen alarm or its editor right. */
export function Alarms() {
	const text = alarmText();
	useDefinitions('variables');
	const filter = useSignal<AlarmGroup | null>(null);
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
			if (watchedBit(alarm) === null) noteValues(alarm.varId, [alarm.value, alarm.threshold]);
	});
	const listed = alarms.value;
	const known = variables.rows.value;
	const all = useMemo(() => (listed === undefined ? [] : alarmRows(listed, known)), [listed, known]);
	const rows = filter.value === null ? all : all.filter(({ group }) => group === filter.value);
	const place = alarmPlaceOf(route.value.item);
	const chosen = place.kind === 'list' ? rows[0] : all.find(({ alarm }) => alarm.id === place.id);
	// What is typed stays when somebody else deletes the alarm meanwhile.
	const begun = useRef<{ readonly id: number; readonly stored: Versioned<AlarmDraft> } | null>(null);
	if (place.kind !== 'edit') begun.current = null;
	else if (begun.current?.id !== place.id) {
		const stored = place.id === 0 ? newAlarm : chosen === undefined ? null : storedDraftOf(chosen.alarm);
		begun.current = stored === null ? null : { id: place.id, stored };
	}
	const goToList = (said: string): void => {
		announcement.value = said;
		focusNext.current = listStart;
		goTo(hrefOf('alarms'));
	};
	return (
		<div ref={root}>
			<div class="head">
				<h1>{shellText().screens.alarms}</h1>
				{all.length > 0 && (
					<fieldset class="chips">
						<legend class="sr">{text.filters}</legend>
						{[null, ...alarmGroups].map((group) => (
							<Chip
								key={group}
								count={group === null ? all.length : all.filter((row) => row.group === group).length}
								word={text.groups[group ?? 'all']}
								pressed={filter.value === group}
								onToggle={() => {
									filter.value = group;
								}}
							/>
						))}
					</fieldset>
				)}
				<div class="actions">
					<span role="status" class={announcement.value === '' ? 'sr' : 'muted'}>
						{announcement.value}
					</span>
					<Button
						look={all.length === 0 && place.kind === 'list' ? 'primary' : undefined}
						disabled={connection.value === 'lost'}
						onClick={() => goTo(hrefOf('alarms', 'new'))}
					>
						{text.newAlarm}
					</Button>
				</div>
			</div>
			{listed === undefined && <p class="muted">{text.unread}</p>}
			<div class={classNames('alarms', place.kind !== 'list' && 'chosen')}>
				{listed !== undefined &&
					(all.length === 0 ? (
						<div class="alarm-list">
							<EmptyState icon="i-alarm" title={text.empty}>
								<p>{text.emptyHint}</p>
							</EmptyState>
						</div>
					) : rows.length === 0 ? (
						<EmptyState icon="i-alarm" title={text.nothing}>
							<Button
								onClick={() => {
									filter.value = null;
								}}
							>
								{text.clear}
							</Button>
						</EmptyState>
					) : (
						<AlarmList rows={rows} selected={chosen?.alarm.id ?? null} />
					))}
				<div class={classNames('alarm-side', place.kind === 'list' && 'only-wide')}>
					{place.kind !== 'list' && (
						<a class="btn quiet only-narrow" href={hrefOf('alarms')}>
							‹ {text.back}
						</a>
					)}
					{begun.current !== null ? (
						<AlarmEditor
							key={begun.current.id}
							stored={begun.current.stored}
							onDone={(id, saved) => {
								announcement.value = saved ? text.saved : '';
								focusNext.current = id === 0 ? listStart : ['[data-title]'];
								goTo(hrefOf('alarms', id === 0 ? null : id), { replace: true });
							}}
						/>
					) : chosen !== undefined ? (
						<AlarmDetail key={chosen.alarm.id} row={chosen} onDeleted={(name) => goToList(text.deleted(name))} />
					) : (
						listed !== undefined && place.kind !== 'list' && <p class="panel muted">{text.gone}</p>
					)}
				</div>
			</div>
		</div>
	);
}

/** Where the list begins: a row, a card, or the button of an empty list. */
const listStart = ['tr[tabindex="0"]', 'a.alarm-card-head', '.actions .btn'];

const newAlarm: Versioned<AlarmDraft> = { content: newAlarmDraft, version: null };

function storedDraftOf(alarm: ListedAlarm): Versioned<AlarmDraft> {
	return { content: alarmDraftOf(alarm), version: alarm.version };
}
