import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';

/** Why a file cannot be a background. */
export type BackgroundFault = 'too_large' | 'not_svg';

/** A background that can be stored, or why there is none. */
type CleanBackground = { readonly fault: null; readonly svg: string } | { readonly fault: BackgroundFault };

/** Reads a file that a person chose as background. */
export async function readBackgroundFile(file: File): Promise<CleanBackground> {
	return file.size > maxBackgroundBytes ? { fault: 'too_large' } : cleanBackground(await file.text());
}

/**
 * Takes out of an SVG what a background must not have. What does it is loaded with the first background. A broken file is refused: the cleaning
 * would mend it into another picture.
 */
export async function cleanBackground(sent: string): Promise<CleanBackground> {
	if (!(await isPicture(sent))) return { fault: 'not_svg' };
	const { cleanSvg } = await import('./clean-svg.ts');
	const svg = cleanSvg(sent) ?? '';
	const fault = backgroundFault(svg);
	return fault === null ? { fault, svg } : { fault };
}

/** Returns what keeps a text from being a background, or null. */
export function backgroundFault(svg: string): BackgroundFault | null {
	if (new TextEncoder().encode(svg).length > maxBackgroundBytes) return 'too_large';
	return /<svg[\s>]/i.test(svg) ? null : 'not_svg';
}

/** Returns the address under which an `<img>` shows the picture. Nothing in an SVG runs, or is loaded from elsewhere, in an `<img>`. */
export function backgroundAddress(svg: string): string {
	return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Whether the browser can draw it. */
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
