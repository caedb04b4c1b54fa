/** The most bytes of a background. A browser keeps some 5 MB for a site, and a diagram's is one of several. */
export const maxBackgroundBytes = 1_000_000;

/** Why a file cannot be a background. */
export type BackgroundFault = 'too_large' | 'not_svg';

/** Returns the background of a diagram that this browser keeps, as SVG; null without one. */
export function readBackground(schema: string, diagram: number): string | null {
	try {
		return localStorage.getItem(keyOf(schema, diagram));
	} catch {
		return null;
	}
}

/** Keeps the background of a diagram in this browser; null removes it. Returns false where the browser keeps nothing more. */
export function keepBackground(schema: string, diagram: number, svg: string | null): boolean {
	try {
		if (svg === null) localStorage.removeItem(keyOf(schema, diagram));
		else localStorage.setItem(keyOf(schema, diagram), svg);
		return true;
	} catch {
		return false;
	}
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

function keyOf(schema: string, diagram: number): string {
	return `caudal.background.${schema}.${diagram}`;
}
