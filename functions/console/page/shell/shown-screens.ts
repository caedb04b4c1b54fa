import { type ScreenName, screenNames } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';

/** Returns the screens that the navigation shows to the signed-in person. Screens for administrators are shown only to them. */
export function shownScreens(): readonly ScreenName[] {
	return screenNames.filter((screen) => screen !== 'access' || may('administrator'));
}

/** The screens that have a tab in a narrow window. The last tab, "More", leads to the others. */
export const tabs = ['overview', 'station', 'trend', 'alarms'] as const;
