import type { Locator } from 'playwright-core';

/** Returns an attribute of every element that a locator finds now. */
export const attributesOf = async (found: Locator, name: string): Promise<readonly (string | null)[]> =>
	Promise.all((await found.all()).map((element) => element.getAttribute(name)));
