import { hrefOf, route } from '#page/core/route.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { AlarmCounts } from './alarm-line.tsx';
import { screenIcons } from './rail.tsx';
import { shellText } from './texts.ts';

/** The bar above narrow screens. */
export function TopBar({ onAccount }: { readonly onAccount: () => void }) {
	return (
		<header class="topbar">
			<div class="brand">
				<Icon name="brand" />
				Caudal
			</div>
			<AlarmCounts />
			<Button look="quiet" icon="i-menu" onClick={onAccount} aria-label={shellText().account} />
		</header>
	);
}

/** The screens that have a tab below narrow screens. The others are behind the last one. */
const tabs = ['overview', 'station', 'trend', 'alarms'] as const;

/** The navigation below narrow screens. */
export function Tabs({ onMore }: { readonly onMore: () => void }) {
	const text = shellText();
	return (
		<nav class="tabs" aria-label={text.navigation}>
			{tabs.map((screen) => (
				<a key={screen} href={hrefOf(screen)} aria-current={route.value.screen === screen ? 'page' : undefined}>
					<Icon name={screenIcons[screen]} />
					{text.screens[screen]}
				</a>
			))}
			<button type="button" onClick={onMore}>
				<Icon name="i-menu" />
				{text.more}
			</button>
		</nav>
	);
}
