import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { isUnacknowledged, markedStateOf, severityOrder } from '#page/core/alarm-state.ts';
import { acknowledge, alarms, evaluation, isEvaluationLate, openAlarms, raisedAgain } from '#page/core/alarms.ts';
import { currentUptime, uptime } from '#page/core/clock.ts';
import { canWrite } from '#page/core/poll.ts';
import { hrefOf, route } from '#page/core/route.ts';
import { canAcknowledgeSeen, nextSeen, type SeenAlarm } from '#page/core/seen-alarm.ts';
import { may } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { AlarmExcess, AlarmSince, clockOrDay } from '#page/parts/alarm-since.tsx';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { useHold } from '#page/parts/use-hold.ts';
import { shellText } from './texts.ts';

/** The line above every screen except `alarms`: the worst alarm with its one button, and the number of open alarms of each severity. */
export function AlarmLine() {
	return route.value.screen === 'alarms' ? null : <ShownAlarmLine />;
}

/** The line. It keeps the alarm that it shows while the person uses the line, so that nobody acknowledges another one by mistake. */
function ShownAlarmLine() {
	const text = shellText();
	const words = alarmStateText();
	const { isHeld, hold } = useHold((target) => target.matches(':focus-visible'));
	const seen = useSignal(nextSeen(null, { open: openAlarms.value, isHeld: false, nowMs: currentUptime() }));
	useSignalEffect(() => {
		seen.value = nextSeen(seen.peek(), { open: openAlarms.value, isHeld: isHeld.value, nowMs: currentUptime() });
	});
	const announcement = useSignal('');
	const shown = seen.value?.alarm;
	const canAcknowledge = useComputed(
		() => canAcknowledgeSeen(seen.value, uptime.value) && canWrite.value.ok && may('operator'),
	).value;
	const acknowledgeSeen = async (pressed: SeenAlarm | null): Promise<void> => {
		if (!canAcknowledgeSeen(pressed, currentUptime()) || !canWrite.value.ok) return;
		announcement.value = '';
		const result = await acknowledge([pressed.alarm]);
		if (!result.ok) {
			announcement.value = words.notAcknowledged;
			return;
		}
		// Where the alarm was raised again or deleted meanwhile, the line itself shows it.
		const outcome = result.data[0]?.result;
		const isAcknowledged = outcome === 'acknowledged' || outcome === 'already';
		announcement.value = isAcknowledged ? words.acknowledgedNow(pressed.alarm.name) : '';
	};
	useShortcuts(
		canAcknowledge ? [{ key: 'A', label: text.keyLabels.acknowledge, run: () => void acknowledgeSeen(seen.value) }] : [],
	);
	// The line may keep a seen alarm while a worse one is raised. The link beside it leads to the worse one.
	const [worst] = openAlarms.value;
	const newerOccurrence = shown === undefined ? undefined : raisedAgain.value.get(shown.id);
	return (
		<section class="alarm-line" aria-label={text.activeAlarms} {...hold}>
			{shown !== undefined ? (
				<div class="alarm-worst">
					{isUnacknowledged(shown) && may('operator') ? (
						<AcknowledgeButton seen={seen} disabled={!canAcknowledge} onPress={(pressed) => void acknowledgeSeen(pressed)} />
					) : (
						<a class="btn small" href={hrefOf('alarms', shown.id)}>
							{commonText().show}
						</a>
					)}
					<AlarmMark severity={shown.severity} state={markedStateOf(shown)} label={words.states[markedStateOf(shown)]} />
					<b>{shown.name}</b>
					<AlarmExcess alarm={shown} />
					{newerOccurrence === undefined ? <AlarmSince since={shown.since} /> : <b>{words.raisedAgain(newerOccurrence)}</b>}
				</div>
			) : (
				!isEvaluationLate.value && <p class="muted">{alarms.value === undefined ? commonText().alarmsUnread : text.noAlarms}</p>
			)}
			<span class="alarm-worse">
				{worst !== undefined && worst.id !== shown?.id && (
					<a href={hrefOf('alarms', worst.id)}>
						<AlarmMark severity={worst.severity} state={markedStateOf(worst)} small /> {text.worseAlarm(worst.name)}
					</a>
				)}
			</span>
			{isEvaluationLate.value && (
				<a class="strong" href={hrefOf('alarms')}>
					{lateText()}
				</a>
			)}
			<span role="status" class={announcement.value === words.notAcknowledged ? 'fault' : 'sr'}>
				{announcement.value}
			</span>
			<AlarmCounts />
		</section>
	);
}

/** Acknowledges the alarm that the line showed when the press began. The line may show another alarm when the finger is lifted. */
function AcknowledgeButton(props: {
	readonly seen: ReadonlySignal<SeenAlarm | null>;
	readonly disabled: boolean;
	readonly onPress: (pressed: SeenAlarm | null) => void;
}) {
	const pressed = useRef<SeenAlarm | null>(null);
	return (
		<Button
			small
			aria-disabled={props.disabled}
			onPointerDown={() => {
				pressed.current = props.seen.value;
			}}
			// A click by the keyboard has a `detail` of 0 and no press before it.
			onClick={({ detail }) => props.onPress(detail === 0 ? props.seen.value : pressed.current)}
		>
			{alarmStateText().acknowledge}
		</Button>
	);
}

/** Returns since when alarms are not evaluated, in words. The day is named unless it is today. */
export function lateText(): string {
	const { lateSince, neverEvaluated } = alarmStateText();
	const until = evaluation.value?.until ?? null;
	return until === null ? neverEvaluated : lateSince(clockOrDay(Date.parse(until)));
}

/** The number of open alarms by severity, and the number of shelved alarms. Each mark shows the worst state of its severity. */
export function AlarmCounts() {
	const { severities, states } = alarmStateText();
	const shelved = (alarms.value ?? []).filter((alarm) => markedStateOf(alarm) === 'shelved').length;
	return (
		<ul class="alarm-counts">
			{severityOrder.map((severity) => {
				const ofSeverity = openAlarms.value.filter((alarm) => alarm.severity === severity);
				const [worst] = ofSeverity;
				return (
					<li key={severity} class={ofSeverity.length === 0 ? 'zero' : undefined} title={severities[severity]}>
						{/* Without alarms the mark is the quietest one, and the class greys it out. */}
						<AlarmMark severity={severity} state={worst === undefined ? 'active_acknowledged' : markedStateOf(worst)} />
						<span class="sr">{severities[severity]}: </span>
						{ofSeverity.length}
					</li>
				);
			})}
			<li class={shelved === 0 ? 'zero' : undefined} title={states.shelved}>
				<Icon name="a-shelved" />
				<span class="sr">{states.shelved}: </span>
				{shelved}
			</li>
		</ul>
	);
}
