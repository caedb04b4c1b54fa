import { useSignal } from '@preact/signals';
import { compareAlarms, isUnacknowledged, markedStateOf } from '#page/core/alarm-state.ts';
import { acknowledge, alarms, evaluation, isEvaluationLate, openAlarms, raisedAgain } from '#page/core/alarms.ts';
import { connection } from '#page/core/poll.ts';
import { hrefOf, route } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { formatClock } from '#page/format/time.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { AlarmExcess, AlarmSince } from '#page/parts/alarm-since.tsx';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { shellText } from './texts.ts';

/** The line above every screen but Alarms: the worst alarm with its one button, and how many there are of each severity. */
export function AlarmLine() {
	const text = shellText();
	const words = alarmStateText();
	const said = useSignal('');
	const isHere = route.value.screen !== 'alarms';
	const [worst] = openAlarms.value;
	const canAcknowledge = worst !== undefined && isUnacknowledged(worst) && connection.value !== 'lost';
	const confirm = async (): Promise<void> => {
		if (!canAcknowledge) return;
		said.value = '';
		const result = await acknowledge([worst]);
		said.value = !result.ok ? words.notAcknowledged : result.data[0]?.result === 'newer' ? '' : words.acknowledgedNow(worst.name);
	};
	useShortcuts(isHere && canAcknowledge ? [{ key: 'A', label: text.keyLabels.acknowledge, run: () => void confirm() }] : []);
	if (!isHere) return null;
	const again = worst === undefined ? undefined : raisedAgain.value.get(worst.id);
	return (
		<section class="alarm-line" aria-label={text.activeAlarms}>
			{isEvaluationLate.value && (
				<a class="alarm-late" href={hrefOf('alarms')}>
					{lateText()}
				</a>
			)}
			{worst !== undefined ? (
				<div class="alarm-worst">
					<AlarmMark severity={worst.severity} state={markedStateOf(worst)} label={words.states[markedStateOf(worst)]} />
					<b>{worst.name}</b>
					<AlarmExcess alarm={worst} />
					{again === undefined ? <AlarmSince since={worst.since} /> : <b>{words.raisedAgain(again)}</b>}
					{isUnacknowledged(worst) ? (
						<Button small disabled={!canAcknowledge} onClick={() => void confirm()}>
							{words.acknowledge}
						</Button>
					) : (
						<a class="btn small" href={hrefOf('alarms', worst.id)}>
							{text.show}
						</a>
					)}
				</div>
			) : (
				!isEvaluationLate.value && <p class="muted">{alarms.value === undefined ? text.alarmsUnknown : text.noAlarms}</p>
			)}
			<span role="status" class={said.value === words.notAcknowledged ? 'fault' : 'sr'}>
				{said.value}
			</span>
			<AlarmCounts />
		</section>
	);
}

/** Returns since when alarms are not evaluated, in words. */
export function lateText(): string {
	const { lateSince, neverEvaluated } = alarmStateText();
	const until = evaluation.value?.until ?? null;
	return until === null ? neverEvaluated : lateSince(formatClock(Date.parse(until)));
}

/** How many alarms are open, by severity, and how many are shelved. The mark has the worst state of its severity. */
export function AlarmCounts() {
	const { severities, states } = alarmStateText();
	const shelved = (alarms.value ?? []).filter((alarm) => markedStateOf(alarm) === 'shelved').length;
	return (
		<ul class="alarm-counts">
			{(['critical', 'warning', 'info'] as const).map((severity) => {
				const found = openAlarms.value.filter((alarm) => alarm.severity === severity).toSorted(compareAlarms);
				const [worst] = found;
				return (
					<li key={severity} class={found.length === 0 ? 'zero' : undefined} title={severities[severity]}>
						<AlarmMark severity={severity} state={worst === undefined ? 'active_acknowledged' : markedStateOf(worst)} />
						<span class="sr">{severities[severity]}: </span>
						{found.length}
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
