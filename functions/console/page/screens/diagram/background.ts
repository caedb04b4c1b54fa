import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';

/** Why a file cannot be a background. */
export type BackgroundFault = 'too_large' | 'not_svg';

/** A background that can be stored, or the reason why the file cannot be one. */
type CleanBackground = { readonly fault: null; readonly svg: string } | { readonly fault: BackgroundFault };

/** Reads a file that a person chose as background. */
export async function readBackgroundFile(file: File): Promise<CleanBackground> {
	return file.size > maxBackgroundBytes ? { fault: 'too_large' } : cleanBackground(await file.text());
}

/**
 * Removes everything from an SVG that a background must not contain. The code for it is loaded with the first background. A broken file
 * is refused, because the cleaning would turn it into another picture.
 */
export async function cleanBackground(chosenSvg: string): Promise<CleanBackground> {
	if (!(await isPicture(chosenSvg))) return { fault: 'not_svg' };
	const { cleanSvg } = await import('./clean-svg.ts');
	// Where no picture is left, the empty text fails the check below.
	const svg = cleanSvg(chosenSvg) ?? '';
	const fault = backgroundFault(svg);
	return fault === null ? { fault, svg } : { fault };
}

/** Returns the reason why a text cannot be a background, or null. */
export function backgroundFault(svg: string): BackgroundFault | null {
	if (new TextEncoder().encode(svg).length > maxBackgroundBytes) return 'too_large';
	return /<svg[\s>]/i.test(svg) ? null : 'not_svg';
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
