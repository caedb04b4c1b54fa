import type { ComponentChildren } from 'preact';
import { markedStateOf } from '#page/core/alarm-state.ts';
import { unacknowledgedAlarms } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { connection, succeededAt } from '#page/core/poll.ts';
import { hrefOf, route, type ScreenName } from '#page/core/route.ts';
import { hasSeveralPlants, personName, session } from '#page/core/session.ts';
import { formatClock, formatUtc, formatWeekday, zoneName } from '#page/format/time.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Button } from '#page/parts/button.tsx';
import { Icon, type IconName } from '#page/parts/icon.tsx';
import { AlarmCounts } from './alarm-line.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { Polling } from './polling.tsx';
import { shownScreens, tabs } from './shown-screens.ts';
import { shellText } from './texts.ts';

/** The symbols of the screens. */
const screenIcons: Readonly<Record<ScreenName, IconName>> = {
	overview: 'i-overview',
	station: 'i-station',
	trend: 'i-trend',
	alarms: 'i-alarm',
	variables: 'i-list',
	diagram: 'i-diagram',
	report: 'i-report',
	changes: 'i-changes',
	access: 'i-access',
};

/** The navigation on the left, with the clock, the state of the polling, and the person. Narrow windows have bars above and below instead. */
export function Rail({ onAccount }: { readonly onAccount: () => void }) {
	const text = shellText();
	return (
		<header class="rail">
			<Brand />
			{hasSeveralPlants.value ? <PlantSwitch /> : <Plant />}
			<nav class="nav" aria-label={text.navigation}>
				{shownScreens().map((screen) => (
					<ScreenLink key={screen} screen={screen}>
						{screen === 'alarms' && <AlarmCount />}
					</ScreenLink>
				))}
			</nav>
			<div class="rail-foot">
				<Clock />
				<Polling />
				<button type="button" class="user" onClick={onAccount} aria-label={`${personName.value} · ${text.account}`}>
					<span>{personName.value}</span>
					<Icon name="i-down" />
				</button>
			</div>
		</header>
	);
}

/** The name of the plant. */
function Plant() {
	return <div class="plant">{session.value?.schema}</div>;
}

const PlantSwitch = lazyScreen(async () => (await import('./preferences.tsx')).PlantSwitch, Plant);

/** The symbol and the name of the console. */
function Brand() {
	return (
		<div class="brand">
			<Icon name="brand" />
			Caudal
		</div>
	);
}

/** A link to a screen, with its symbol. */
function ScreenLink({ screen, children }: { readonly screen: ScreenName; readonly children?: ComponentChildren }) {
	return (
		<a href={hrefOf(screen)} aria-current={route.value.screen === screen ? 'page' : undefined}>
			<Icon name={screenIcons[screen]} />
			{shellText().screens[screen]}
			{children}
		</a>
	);
}

/** The number of alarms that nobody has acknowledged, with the mark of the worst one. */
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

/** The clock: the present time with seconds, the day and the zone. */
export function Clock() {
	// The formats of times take long to create, so the first values are drawn before the clock.
	if (succeededAt.value === null && connection.value === 'starting')
		return (
			<span class="clock">
				&nbsp;<small>&nbsp;</small>
			</span>
		);
	return (
		<time class="clock" dateTime={new Date(now.value).toISOString()} title={formatUtc(now.value)}>
			{formatClock(now.value, { seconds: true })}
			<small>
				{formatWeekday(now.value)} · {zoneName(now.value)}
			</small>
		</time>
	);
}

/** The bar at the top of a narrow window. */
export function TopBar({ onAccount }: { readonly onAccount: () => void }) {
	return (
		<header class="topbar">
			<Brand />
			<AlarmCounts />
			<Button look="quiet" icon="i-menu" onClick={onAccount} aria-label={shellText().account} />
		</header>
	);
}

/** The navigation at the bottom of a narrow window. */
export function Tabs({ onMore }: { readonly onMore: () => void }) {
	const text = shellText();
	return (
		<nav class="tabs" aria-label={text.navigation}>
			{tabs.map((screen) => (
				<ScreenLink key={screen} screen={screen} />
			))}
			<button type="button" onClick={onMore}>
				<Icon name="i-menu" />
				{text.more}
			</button>
		</nav>
	);
}
