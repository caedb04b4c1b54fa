/** How long to wait before each further attempt to load a part, in milliseconds. */
const waitsMs: readonly number[] = [1000, 4000];

/**
 * Loads a part of the page, such as a module that is imported dynamically. A failure is tried again twice within five seconds, because a
 * network may lose one file. Rejects when every attempt fails.
 * @example const { startSound } = await loadPart(() => import('#page/core/alarm-sound.ts'));
 */
export async function loadPart<Part>(load: () => Promise<Part>, [waitMs, ...laterMs] = waitsMs): Promise<Part> {
	try {
		return await load();
	} catch (error) {
		if (waitMs === undefined) throw error;
		await new Promise((resolve) => setTimeout(resolve, waitMs));
		return loadPart(load, laterMs);
	}
}
