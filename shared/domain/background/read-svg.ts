import { parseXml, XmlCdata, XmlComment, XmlDeclaration, XmlElement, XmlError, type XmlNode, XmlText } from '@rgrove/parse-xml';
import { type Problem, problem } from '../validation/problem.ts';
import { pixelsOf } from './bitmap.ts';
import { idOf, readCss } from './css.ts';
import { limitOf, maxDepth } from './limits.ts';
import type { Refused, StyleRule, SvgElement, SvgReference } from './svg-element.ts';
import { isPlainAttribute, referringElements, svgAttributes, svgElements, svgNamespaces, textElements } from './svg-names.ts';

/** A drawing as a background may have it. */
interface ReadSvg {
	/** The text with the line ends of XML, in which the positions of `refused` and `limit` are. */
	readonly text: string;
	readonly root: SvgElement;
	/** What is left out of `root`, in the order of the file. */
	readonly refused: readonly Refused[];
	/** Why `root` is endless or too much to draw; null: it is not. */
	readonly limit: Refused | null;
}

/**
 * Reads an SVG by a strict parser of XML, and leaves out everything but what `svg-names.ts` lists, so that nothing in it runs or is loaded
 * from elsewhere (shared/domain/board/DIAGRAM.md#background). Returns the problem of a text that is not an SVG.
 */
export function readSvg(sent: string): ReadSvg | Problem {
	// The parser does so, too, in a time that grows with the square of their number.
	const text = sent.replaceAll(/\r\n?/g, '\n');
	try {
		const { children } = parseXml(text, {
			includeOffsets: true,
			preserveCdata: true,
			preserveComments: true,
			preserveDocumentType: true,
			preserveXmlDeclaration: true,
		});
		const first = children.find((node) => node instanceof XmlElement);
		if (first?.name !== 'svg' || first.attributes['xmlns'] !== svgNamespaces.get('xmlns')) return notSvg;
		const sieve = new Sieve();
		let root: SvgElement | null = null;
		for (const node of children) {
			if (node === first) root = sieve.element(first, { depth: 0, hasXlink: false });
			else sieve.note(foundIn(node), node);
		}
		if (root === null) return notSvg;
		const { refused, rules, largest } = sieve;
		return { text, root, refused, limit: limitOf(root, rules, largest) };
	} catch (error) {
		return problemOfXml(error);
	}
}

/** Returns the problem of a text that the parser of XML refuses. Throws every other error again. */
export function problemOfXml(error: unknown): Problem {
	// Nesting that is deep enough fills the stack of the parser.
	if (error instanceof RangeError) return tooDeep;
	if (!(error instanceof XmlError)) throw error;
	const { line, column } = error;
	return problem('not_xml', `Is not well-formed XML at line ${line}, column ${column}.`, { line, column });
}

/** Returns the problem of something that a background must not have. */
export function refusal(found: string, line: number, column: number): Problem {
	const message = `Holds ${found} at line ${line}, column ${column}, which a background must not have: remove it.`;
	return problem('not_allowed_in_svg', message, { found, line, column });
}

/** The problem of a text that is XML, but not an SVG. */
export const notSvg = problem('not_svg', 'Must be an SVG: its first element is svg, with xmlns="http://www.w3.org/2000/svg".');
const nesting = `more than ${maxDepth} nested elements`;
const tooDeep = refusal(nesting, 1, 1);

/** What an element inherits from those around it. */
interface Surroundings {
	/** The number of its parents. */
	readonly depth: number;
	/** Whether the prefix of `xlink:href` is declared. Without it, browsers draw nothing of the file. */
	readonly hasXlink: boolean;
}

/** Copies what is allowed of a drawing, and notes the rest. */
class Sieve {
	readonly refused: Refused[] = [];
	/** The rules of all style sheets. */
	readonly rules: StyleRule[] = [];
	/** The largest size in styles and of fonts. */
	largest = 0;

	/** Notes what is not allowed in a node, unless it is null. */
	note(found: string | null, { start }: XmlNode): boolean {
		if (found !== null) this.refused.push({ found, start });
		return found !== null;
	}

	/** Returns what is allowed of an element; null: nothing. */
	element(element: XmlElement, { depth, hasXlink }: Surroundings): SvgElement | null {
		const { name, start } = element;
		if (this.note(svgElements.has(name) ? null : `<${name}>`, element)) return null;
		if (this.note(depth > maxDepth ? nesting : null, element)) return null;
		const within = { depth: depth + 1, hasXlink: hasXlink || 'xmlns:xlink' in element.attributes };
		const references: SvgReference[] = [];
		const attributes: Record<string, string> = {};
		let pixels = 0;
		for (const [attribute, value] of Object.entries(element.attributes)) {
			const read = readAttribute(name, attribute, value, within.hasXlink);
			if (this.note(read.found, element)) continue;
			attributes[attribute] = value;
			for (const reference of read.references ?? []) references.push(reference);
			pixels += read.pixels ?? 0;
			if (/^(?:style|font)/.test(attribute)) this.largest = Math.max(this.largest, read.largest ?? 0);
		}
		const allowed: (SvgElement | string)[] = [];
		for (const child of element.children) {
			const part = this.#content(child, element, within);
			if (part !== null) allowed.push(part);
		}
		const content = name === 'style' ? this.#style(allowed.join(''), element) : allowed;
		return { name, attributes, content, references, pixels, start };
	}

	/** Returns what is allowed of a node in an element: an element or text; null: nothing. */
	#content(node: XmlNode, parent: XmlElement, within: Surroundings): SvgElement | string | null {
		if (node instanceof XmlElement) {
			const isInStyle = this.note(parent.name === 'style' ? 'markup in <style>' : null, node);
			return isInStyle ? null : this.element(node, within);
		}
		this.note(foundIn(node), node);
		if (!(node instanceof XmlText)) return null;
		const isStray = !textElements.has(parent.name) && node.text.trim() !== '';
		return this.note(isStray ? `text in <${parent.name}>` : null, node) ? null : node.text;
	}

	/** Returns a style sheet if everything in it is allowed. */
	#style(css: string, element: XmlElement): readonly string[] {
		const { found, rules, largest } = readCss(css);
		if (this.note(found === null ? null : `${found} in <style>`, element)) return [];
		for (const rule of rules) this.rules.push(rule);
		this.largest = Math.max(this.largest, largest);
		return css === '' ? [] : [css];
	}
}

/** Returns what is not allowed in a node beside elements and text, as a person would look for it in the file; null: nothing. */
function foundIn(node: XmlNode): string | null {
	if (node instanceof XmlCdata) return node.text.includes('<') ? 'markup in CDATA' : null;
	if (node instanceof XmlText) return null;
	// A parser of HTML ends a comment earlier than one of XML, and would take the rest for markup.
	if (node instanceof XmlComment) return /^-?>|</.test(node.content) ? 'markup in a comment' : null;
	// A browser reads the bytes by the encoding that is declared, in which they could mean something else.
	if (node instanceof XmlDeclaration) return /^utf-?8$/i.test(node.encoding ?? 'utf-8') ? null : `the encoding ${node.encoding}`;
	return node.type === 'pi' ? 'a processing instruction' : 'a document type';
}

/** What an attribute holds: something that is not allowed, or references, or an image. */
interface AttributeContent {
	readonly found: string | null;
	readonly references?: readonly SvgReference[];
	readonly pixels?: number;
	readonly largest?: number;
}

const nothing: AttributeContent = { found: null };

function readAttribute(element: string, name: string, value: string, hasXlink: boolean): AttributeContent {
	if (isPlainAttribute(name)) return nothing;
	const sent = `${name}="${value}"`;
	if (svgNamespaces.has(name)) return { found: svgNamespaces.get(name) === value ? null : sent };
	if (name === 'xlink:href' && !hasXlink) return { found: 'xlink:href without xmlns:xlink' };
	if (name === 'href' || name === 'xlink:href') {
		const pixels = element === 'image' ? pixelsOf(value) : null;
		const id = referringElements.has(element) ? idOf(value) : null;
		if (pixels !== null) return { found: null, pixels };
		return id === null ? { found: `${sent} of <${element}>` } : { found: null, references: [{ id, property: 'href' }] };
	}
	if (!svgAttributes.has(name)) return { found: `the attribute ${name}` };
	// Numbers and commands of paths are most of a drawing. Only dashes and fonts among them count.
	if (pathData.test(value) && !/^(?:font|stroke-dasharray)/.test(name)) return nothing;
	const { found, ...read } = readCss(value, name === 'style' ? undefined : name);
	return { ...read, found: found === null ? null : `${found} in ${name}` };
}

/** Everything that the data of a path can hold. None of it is refused as CSS. */
const pathData = /^[\smlhvcsqtaze\d.,+-]*$/i;
