import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';

/** Why a file cannot be a background. */
export type BackgroundFault = 'too_large' | 'not_svg';

/** A background that can be stored, or why there is none. */
type CleanBackground = { readonly fault: null; readonly svg: string } | { readonly fault: BackgroundFault };

/** The largest file that is read, in bytes: programs note much in their files that is taken out. */
const maxFileBytes = 2_000_000;

/** Reads a file that a person chose as background. */
export async function readBackgroundFile(file: File): Promise<CleanBackground> {
	return file.size > maxFileBytes ? { fault: 'too_large' } : cleanBackground(await file.text());
}

/** Takes out of an SVG what a background must not have. What does it is loaded with the first background. */
export async function cleanBackground(sent: string): Promise<CleanBackground> {
	const { cleanSvg } = await import('./clean-svg.ts');
	const svg = cleanSvg(sent) ?? '';
	const fault = backgroundFault(svg);
	if (fault !== null) return { fault };
	return (await isPicture(svg)) ? { fault: null, svg } : { fault: 'not_svg' };
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
