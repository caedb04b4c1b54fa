import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { openAlarms } from '#page/core/alarms.ts';
import { toggleMute } from '#page/core/attention.ts';
import { now } from '#page/core/clock.ts';
import { pollNow, showsOutdated, succeededAt, togglePause } from '#page/core/poll.ts';
import { soundOn } from '#page/core/preferences.ts';
import { goTo, hrefOf, isWall, type ScreenName, toggleWall } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { isForeignZone, viewZone } from '#page/core/time-zone.ts';
import { formatDated, zoneName } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { AlarmAnnouncer } from '#page/parts/alarm-announcer.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Dialog } from '#page/parts/dialog.tsx';
import { AlarmLine } from './alarm-line.tsx';
import { AttentionBands } from './attention-bands.tsx';
import { ConnectionBand, SessionBand } from './connection-band.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { Rail, Tabs, TopBar } from './rail.tsx';
import { shownScreens } from './shown-screens.ts';
import { shellText } from './texts.ts';

const Help = lazyScreen(async () => (await import('./help.tsx')).Help);
const loadPreferences = async () => (await import('./preferences.tsx')).Preferences;
const Preferences = lazyScreen(loadPreferences);
const WallHead = lazyScreen(async () => (await import('./wall.tsx')).WallHead);

/** The digit key that opens each screen. */
const screenDigits: Readonly<Record<ScreenName, string>> = {
	overview: '1',
	station: '2',
	trend: '3',
	alarms: '4',
	variables: '5',
	diagram: '6',
	report: '7',
	changes: '8',
	access: '9',
};

/** The frame around every screen: the navigation, the line of the worst alarm, and the state of the connection. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
	const text = shellText();
	const dialog = useSignal<'help' | 'preferences' | null>(null);
	const openPreferences = (): void => {
		dialog.value = 'preferences';
	};
	const close = (): void => {
		dialog.value = null;
	};
	// Signing out must be possible without a connection, too.
	useEffect(() => succeededAt.subscribe((at) => void (at !== null && loadPreferences().catch(() => undefined))), []);
	// Keys without `onWall` do nothing in the wall view (functions/console/page/shell/README.md#the-wall).
	useShortcuts([
		...shownScreens().map((screen) => ({
			key: screenDigits[screen],
			label: text.screens[screen],
			run: () => goTo(hrefOf(screen)),
			onWall: true,
		})),
		{ key: '/', label: text.keyLabels.search, run: focusSearch },
		{ key: 'a', label: text.keyLabels.worst, run: () => goTo(hrefOf('alarms', openAlarms.value[0]?.id)) },
		{ key: 'p', label: text.keyLabels.pause, run: togglePause },
		{ key: 'm', label: text.keyLabels.mute, run: () => soundOn.value && toggleMute(), onWall: true },
		{ key: 'r', label: text.keyLabels.read, run: pollNow, onWall: true },
		{ key: 'w', label: text.keyLabels.wall, run: toggleWall, onWall: true },
		...(isWall.value ? [{ key: 'Escape', label: text.keyLabels.leaveWall, run: toggleWall, onWall: true }] : []),
		{
			key: '?',
			label: text.keyLabels.help,
			run: () => {
				dialog.value = 'help';
			},
		},
	]);
	return (
		<div class={classNames('app', showsOutdated.value && 'lost', isWall.value && 'wall')}>
			{isWall.value ? (
				<WallHead />
			) : (
				<>
					<button type="button" class="skip btn" onClick={focusContent}>
						{text.skip}
					</button>
					<Rail onAccount={openPreferences} />
					<TopBar onAccount={openPreferences} />
				</>
			)}
			<div class="page">
				<ConnectionBand />
				<SessionBand />
				<AlarmLine />
				<main id="content" class="content" tabIndex={-1}>
					{succeededAt.value !== null && <PrintHead />}
					{isForeignZone() && <p class="only-narrow muted">{text.timesIn(viewZone().name)}</p>}
					{children}
				</main>
				<AttentionBands />
			</div>
			<AlarmAnnouncer />
			{!isWall.value && <Tabs onMore={openPreferences} />}
			{dialog.value === 'help' && <Help onClose={close} />}
			{dialog.value === 'preferences' && (
				<Dialog title={text.account} onClose={close} closeLabel={commonText().close} small>
					<Preferences
						onClose={close}
						onHelp={() => {
							dialog.value = 'help';
						}}
					/>
				</Dialog>
			)}
		</div>
	);
}

/** The head of a printed page: the plant, and the time of printing. */
function PrintHead() {
	return (
		<p class="print-head">
			{session.value?.schema} · {shellText().printed(formatDated(now.value), zoneName(now.value))}
		</p>
	);
}

/** Moves the focus to the content. A link to `#content` cannot do this, because the hash of the address names the screen. */
function focusContent(): void {
	document.getElementById('content')?.focus();
}

/** Moves the focus to the search of the screen, or to its list of variables to choose from. */
function focusSearch(): void {
	document.querySelector<HTMLElement>('#content input[name=search], #content [role=combobox]')?.focus();
}
