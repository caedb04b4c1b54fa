import { markedStateOf } from '#page/core/alarm-state.ts';
import { unacknowledgedAlarms } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { hrefOf, route, type ScreenName, screenNames } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { formatClock, formatUtc, formatWeekday, zoneName } from '#page/format/time.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Icon, type IconName } from '#page/parts/icon.tsx';
import { Polling } from './polling.tsx';
import { shellText } from './texts.ts';

/** The symbols of the screens. */
export const screenIcons: Readonly<Record<ScreenName, IconName>> = {
	overview: 'i-overview',
	station: 'i-station',
	trend: 'i-trend',
	alarms: 'i-alarm',
	variables: 'i-list',
	diagram: 'i-diagram',
};

/** The navigation at the left, with clock, state of the polling, and the person. Narrow windows have bars instead. */
export function Rail({ onAccount }: { readonly onAccount: () => void }) {
	const text = shellText();
	return (
		<header class="rail">
			<div class="brand">
				<Icon name="brand" />
				Caudal
			</div>
			<div class="plant">{session.value?.schema}</div>
			<nav class="nav" aria-label={text.navigation}>
				{screenNames.map((screen) => (
					<a key={screen} href={hrefOf(screen)} aria-current={route.value.screen === screen ? 'page' : undefined}>
						<Icon name={screenIcons[screen]} />
						{text.screens[screen]}
						{screen === 'alarms' && <AlarmCount />}
					</a>
				))}
			</nav>
			<div class="rail-foot">
				<Clock />
				<Polling />
				<button type="button" class="user" onClick={onAccount} aria-label={`${session.value?.email} · ${text.account}`}>
					<span>{session.value?.email}</span>
					<Icon name="i-down" />
				</button>
			</div>
		</header>
	);
}

function AlarmCount() {
	const [worst] = unacknowledgedAlarms.value;
	if (worst === undefined) return null;
	return (
		<span class="nav-count">
			<AlarmMark severity={worst.severity} state={markedStateOf(worst)} />
			<span class="sr">{alarmStateText().states.active_unacknowledged}: </span>
			{unacknowledgedAlarms.value.length}
		</span>
	);
}

function Clock() {
	return (
		<time class="clock" dateTime={new Date(now.value).toISOString()} title={formatUtc(now.value)}>
			{formatClock(now.value, { seconds: true })}
			<small>
				{formatWeekday(now.value)} · {zoneName(now.value)}
			</small>
		</time>
	);
}
