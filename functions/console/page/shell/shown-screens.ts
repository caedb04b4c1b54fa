import { type ScreenName, screenNames } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';

/** Returns the screens that are drawn in the navigation: what only administrators may see is drawn for them alone. */
export function shownScreens(): readonly ScreenName[] {
	return screenNames.filter((screen) => screen !== 'access' || may('administrator'));
}
