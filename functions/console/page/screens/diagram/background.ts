import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';

/** Why a file cannot be a background. */
export type BackgroundFault = 'too_large' | 'not_svg';

/** Reads a file that a person chose as background. */
export async function readBackgroundFile(
	file: File,
): Promise<{ readonly fault: null; readonly svg: string } | { readonly fault: BackgroundFault }> {
	if (file.size > maxBackgroundBytes) return { fault: 'too_large' };
	const svg = await file.text();
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
