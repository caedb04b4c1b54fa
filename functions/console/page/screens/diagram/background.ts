import { loadPart } from '#page/core/load.ts';
import type { CleanSvg } from './clean-svg.ts';
import { textOfXml } from './text-of-xml.ts';

/** The largest file that is read. Cleaning it takes about a second; most of a larger one would not be left. */
export const maxFileBytes = 5_000_000;

/** A background that can be stored, or the reason why the file cannot be one. */
type ChosenBackground = CleanSvg | { readonly fault: 'large_file' | 'no_text' | 'no_picture' };

/** Why a file cannot be a background. */
export type BackgroundFault = Exclude<ChosenBackground, { readonly fault: null }>;

/** Reads a file that a person chose as background. */
export async function readBackgroundFile(file: File): Promise<ChosenBackground> {
	if (file.size > maxFileBytes) return { fault: 'large_file' };
	const text = textOfXml(new Uint8Array(await file.arrayBuffer()));
	return text === null ? { fault: 'no_text' } : cleanBackground(text);
}

/**
 * Removes everything from an SVG that a background must not contain. The code for it is loaded with the first background. The browser
 * tries to draw only what is left: the file itself could take it too long.
 */
export async function cleanBackground(chosenSvg: string): Promise<ChosenBackground> {
	const { cleanSvg } = await loadSvgCleaner();
	const clean = cleanSvg(chosenSvg);
	return clean.fault !== null || (await isPicture(clean.svg)) ? clean : { fault: 'no_picture' };
}

/** Loads the code that cleans an SVG. */
export function loadSvgCleaner() {
	return loadPart(() => import('./clean-svg.ts'));
}

/** Returns the address with which an `<img>` shows the picture. In an `<img>`, an SVG runs no scripts and loads nothing from elsewhere. */
export function backgroundAddress(svg: string): string {
	return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Whether the browser can draw the picture. `decode` rejects where it cannot. */
async function isPicture(svg: string): Promise<boolean> {
	const picture = new Image();
	picture.src = backgroundAddress(svg);
	try {
		await picture.decode();
		return true;
	} catch {
		return false;
	}
}
