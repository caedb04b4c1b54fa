import { type Lost, type PlainElement, plainSvg } from '#domain/background/plain-svg.ts';
import { readSvg } from '#domain/background/read-svg.ts';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import type { Problem } from '#domain/validation/problem.ts';
import { svgElement, svgText } from './export/svg-text.ts';

/** A picture as the service accepts it, with what the file loses, or the reason why there is none. */
export type CleanSvg =
	| { readonly fault: null; readonly svg: string; readonly lost: Lost }
	/** It is not an SVG, or takes too long to draw. */
	| { readonly fault: 'not_svg' | 'endless' }
	| { readonly fault: 'not_xml'; readonly line: number; readonly column: number }
	/** What is left of it has so many bytes. */
	| { readonly fault: 'too_large'; readonly bytes: number };

/**
 * Removes everything from an SVG that a background must not contain: scripts, event handlers, external addresses, and the notes of
 * drawing programs. The result is judged by the code of the service (shared/domain/board/DIAGRAM.md#background).
 */
export function cleanSvg(file: string): CleanSvg {
	const plain = plainSvg(file);
	if ('code' in plain) return faultOf(plain);
	const lost = new Map(plain.lost);
	let svg = textOf(plain.root);
	// The text of a large file is not judged, which could take long. Values of attributes that are refused are hardly half of it.
	if (svg.length > 2 * maxBackgroundBytes) return { fault: 'too_large', bytes: bytesOf(svg) };
	let read = readSvg(svg);
	if (!('code' in read) && read.refused.length > 0) {
		// What is left to refuse are values of attributes.
		lost.set('styles', (lost.get('styles') ?? 0) + read.refused.length);
		svg = textOf(read.root);
		read = readSvg(svg);
	}
	if (bytesOf(svg) > maxBackgroundBytes) return { fault: 'too_large', bytes: bytesOf(svg) };
	return isAccepted(read) ? { fault: null, svg, lost } : { fault: 'endless' };
}

/** Returns a stored background as it is shown: one that was stored before a rule existed is cleaned. */
export function shownSvg(stored: string): CleanSvg {
	return isAccepted(readSvg(stored)) ? { fault: null, svg: stored, lost: new Map() } : cleanSvg(stored);
}

function bytesOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

function isAccepted(read: ReturnType<typeof readSvg>): boolean {
	return !('code' in read) && read.refused.length === 0 && read.limit === null;
}

function faultOf({ code, params: { line, column } }: Problem): CleanSvg {
	if (typeof line === 'number' && typeof column === 'number' && code === 'not_xml') return { fault: code, line, column };
	return { fault: code === 'not_svg' ? code : 'endless' };
}

function textOf({ name, attributes, content }: PlainElement): string {
	const inside = content.map((child) => (typeof child === 'string' ? svgText(child) : textOf(child)));
	return svgElement(name, attributes, inside);
}
