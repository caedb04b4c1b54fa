import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects that an act left the focus on something that a person can go on from: not the body, and nothing removed, disabled or inert. */
export const expectFocus = (page: Page): Promise<void> => expect.poll(() => page.evaluate<string>(focusFault)).toBe('');

/** Says what is wrong with the focus; empty where nothing is. Runs in the page. */
const focusFault = `(() => {
	const focused = document.activeElement;
	if (focused === null || focused === document.body || focused === document.documentElement) return 'nothing has the focus';
	return focused.matches(':disabled, [inert] *') ? 'what has the focus is disabled: ' + focused.outerHTML.slice(0, 200) : '';
})()`;
