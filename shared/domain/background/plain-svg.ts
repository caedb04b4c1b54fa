import { parseXml, XmlElement, XmlProcessingInstruction, XmlText } from '@rgrove/parse-xml';
import type { Problem } from '../validation/problem.ts';
import { pixelsOf } from './bitmap.ts';
import { idOf } from './css.ts';
import { maxDepth } from './limits.ts';
import {
	definitionsIn,
	definitionsInRules,
	type Lose,
	type LostKind,
	plainDeclarations,
	plainSheet,
	plainValue,
	type VariableValue,
	variablesOf,
} from './plain-css.ts';
import { notSvg, problemOfXml } from './read-svg.ts';
import { isPlainAttribute, referringElements, svgAttributes, svgElements, svgNamespaces, textElements } from './svg-names.ts';

/** How many things of each kind a drawing has lost, in the order in which they were found. */
export type Lost = ReadonlyMap<LostKind, number>;

/** An element that is written into a background. */
export interface PlainElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly content: readonly (PlainElement | string)[];
}

/** A drawing in the form that a background has. */
interface PlainSvg {
	readonly root: PlainElement;
	/** What the file draws and `root` does not. */
	readonly lost: Lost;
}

/**
 * Takes from an SVG the elements and attributes that a background may have. Prefixes of the namespace are taken off, links and `switch`
 * become groups, and variables of CSS get their values (shared/domain/board/DIAGRAM.md#files-of-drawing-programs). Of attributes, only
 * `style` and addresses are judged by their values: `readSvg` judges the rest. Returns the problem of a text that is not an SVG.
 */
export function plainSvg(file: string): PlainSvg | Problem {
	const entities = new Map([...file.matchAll(entity)].map(([, name, value]) => [`&${name};`, value]));
	const lost = new Map<LostKind, number>();
	const lose = (kind: LostKind): void => void lost.set(kind, (lost.get(kind) ?? 0) + 1);
	try {
		// The parser replaces line ends, too, in a time that grows with the square of their number.
		const { children } = parseXml(file.replaceAll(/\r\n?/g, '\n'), {
			resolveUndefinedEntity: (reference) => entities.get(reference),
		});
		for (const child of children)
			if (child instanceof XmlProcessingInstruction && child.name === 'xml-stylesheet') lose('styles');
		const root = children.find((child) => child instanceof XmlElement);
		if (root === undefined || localName(root.name, namespacesIn(root, noName)) !== 'svg') return notSvg;
		const inRules = variablesOf(definitionsInRules(sheetsIn(root)), noName);
		const ofSheets = variablesOf(new Map(definitionsIn(root.attributes['style'] ?? '')), inRules);
		const around = { depth: 0, isInText: false, namespaceOf: noName, variable: inRules };
		const plain = plainElement(root, around, { lose, ofSheets });
		return plain === null ? notSvg : { root: plain, lost };
	} catch (error) {
		return problemOfXml(error);
	}
}

/** An entity that the file itself defines, as Illustrator does for the names of namespaces. It cannot hold markup. */
const entity = /<!ENTITY\s+([\w.-]+)\s+"([^"'<>&%]{1,200})"\s*>/g;

const noName = (): undefined => undefined;

/** What an element has from those around it. */
interface PlainSurroundings {
	/** The number of its parents. */
	readonly depth: number;
	readonly isInText: boolean;
	/** Returns the address of the namespace of a prefix. An empty prefix is that of the default namespace. */
	readonly namespaceOf: (prefix: string) => string | undefined;
	readonly variable: VariableValue;
}

/** What all elements share: the count of what is lost, and the variables of style sheets. */
interface Shared {
	readonly lose: Lose;
	readonly ofSheets: VariableValue;
}

/** The elements that a background cannot have, by what they draw; null: nothing. Those that are not listed are of the kind `others`. */
const lostElements: ReadonlyMap<string, LostKind | null> = new Map([
	...(['metadata', 'view', 'cursor', 'color-profile'] as const).map((name) => [name, null] as const),
	...(['animate', 'animateColor', 'animateMotion', 'animateTransform', 'set'] as const).map(
		(name) => [name, 'animations'] as const,
	),
	...([
		['foreignObject', 'labels'],
		['font', 'fonts'],
		['font-face', 'fonts'],
		['filter', 'effects'],
		['script', 'scripts'],
	] as const),
]);

/** Returns what a background may have of an element; null: nothing. */
function plainElement(element: XmlElement, around: PlainSurroundings, shared: Shared): PlainElement | null {
	const { lose } = shared;
	const namespaceOf = namespacesIn(element, around.namespaceOf);
	const name = localName(element.name, namespaceOf);
	// Browsers draw nothing of the elements of drawing programs.
	if (name === null) return null;
	const isGroup = name === 'a' || name === 'switch';
	const lost = around.depth > maxDepth ? 'others' : lostElements.get(name);
	if (lost !== undefined || !(isGroup || svgElements.has(name))) {
		if (lost !== null) lose(lost ?? 'others');
		return null;
	}
	if (name === 'a') lose('links');
	if (name === 'style') return plainStyle(element, shared);
	const style = element.attributes['style'] ?? '';
	const variable = style.includes('--') ? variablesOf(new Map(definitionsIn(style)), around.variable) : around.variable;
	const within = { depth: around.depth + 1, isInText: around.isInText || name === 'text', namespaceOf, variable };
	const attributes = plainAttributesOf(element, name, within, lose);
	if (name === 'image' && attributes['href'] === undefined && attributes['xlink:href'] === undefined) {
		lose('images');
		return null;
	}
	const written = isGroup ? (around.isInText ? 'tspan' : 'g') : name;
	const children = name === 'switch' ? chosenIn(element, namespaceOf, lose) : element.children;
	const content: (PlainElement | string)[] = [];
	for (const child of children) {
		const isText = child instanceof XmlText && textElements.has(written);
		const plain = child instanceof XmlElement ? plainElement(child, within, shared) : isText ? child.text : null;
		if (plain !== null) content.push(plain);
	}
	return { name: written, attributes, content };
}

function plainStyle(element: XmlElement, { lose, ofSheets }: Shared): PlainElement | null {
	const { media = 'all', type = 'text/css' } = element.attributes;
	const isSheet = /^(?:all|screen|)$/i.test(media.trim()) && /^(?:text\/css|)$/i.test(type.trim());
	if (!isSheet) lose('styles');
	const css = isSheet ? plainSheet(sheetOf(element), ofSheets, lose) : '';
	return css === '' ? null : { name: 'style', attributes: {}, content: [css] };
}

/** Returns the attributes that a background may have. Values that are lists of declarations or addresses are judged. */
function plainAttributesOf(element: XmlElement, name: string, { depth, namespaceOf, variable }: PlainSurroundings, lose: Lose) {
	const attributes: Record<string, string> = depth === 1 ? Object.fromEntries(svgNamespaces) : {};
	for (const [written, value] of Object.entries(element.attributes)) {
		const [prefix, local] = partsOf(written);
		const isXlink = prefix !== '' && namespaceOf(prefix) === svgNamespaces.get('xmlns:xlink');
		const attribute = isXlink ? `xlink:${local}` : written;
		if (attribute === 'href' || attribute === 'xlink:href') {
			if (isAddress(name, value)) attributes[attribute] = value;
			// An image is lost as a whole.
			else if (referringElements.has(name)) lose('others');
		} else if (attribute === 'style') {
			const declarations = plainDeclarations(value, variable, lose);
			if (declarations !== '') attributes[attribute] = declarations;
		} else if (isPlainAttribute(attribute)) attributes[attribute] = value;
		else if (svgAttributes.has(attribute)) attributes[attribute] = plainValue(value, variable);
		else if (attribute === 'filter') lose('effects');
		else if (/^on[a-z]+$/.test(attribute)) lose('scripts');
	}
	return attributes;
}

function isAddress(element: string, href: string): boolean {
	return element === 'image' ? pixelsOf(href) !== null : referringElements.has(element) && idOf(href) !== null;
}

/**
 * Returns the alternative of a `switch` that is drawn: the first that is SVG, for every language if there is one. Drawing programs write it
 * behind a label in HTML, which is lost if the alternative says something else.
 */
function chosenIn({ children }: XmlElement, namespaceOf: PlainSurroundings['namespaceOf'], lose: Lose): readonly XmlElement[] {
	const alternatives = children.flatMap((child) => (child instanceof XmlElement ? [child] : []));
	const nameOf = ({ name }: XmlElement): string => localName(name, namespaceOf) ?? '';
	const possible = alternatives.filter(({ attributes }) => (attributes['requiredExtensions'] ?? '') === '');
	const drawn = possible.filter((each) => svgElements.has(nameOf(each)) || /^(?:a|switch)$/.test(nameOf(each)));
	const chosen = drawn.find(({ attributes }) => attributes['systemLanguage'] === undefined) ?? drawn[0];
	const label = possible.find((each) => nameOf(each) === 'foreignObject');
	const wordsOf = ({ text }: XmlElement): string => text.replaceAll(/\s+/g, '');
	const isSaid = (words: string): boolean =>
		chosen !== undefined && (words === '' || nameOf(chosen) === 'image' || words === wordsOf(chosen));
	if (label !== undefined && !isSaid(wordsOf(label))) lose('labels');
	return chosen === undefined ? [] : [chosen];
}

/** Returns the name of an element without its prefix; null: it is not of the namespace of SVG. */
function localName(name: string, namespaceOf: PlainSurroundings['namespaceOf']): string | null {
	const [prefix, local] = partsOf(name);
	return namespaceOf(prefix) === svgNamespaces.get('xmlns') ? local : null;
}

/** Returns the prefix of a name, which may be empty, and the rest. */
function partsOf(name: string): readonly [prefix: string, local: string] {
	const colon = name.indexOf(':');
	return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function namespacesIn({ attributes }: XmlElement, outer: PlainSurroundings['namespaceOf']): PlainSurroundings['namespaceOf'] {
	let declared: Map<string, string> | null = null;
	for (const name in attributes) {
		if (!name.startsWith('xmlns')) continue;
		declared ??= new Map();
		declared.set(name.slice('xmlns:'.length), attributes[name] ?? '');
	}
	return declared === null ? outer : (prefix) => declared.get(prefix) ?? outer(prefix);
}

/** Returns all style sheets in an element. */
function sheetsIn(element: XmlElement): readonly string[] {
	return element.children.flatMap((child) => {
		if (!(child instanceof XmlElement)) return [];
		return /^(?:\w+:)?style$/.test(child.name) ? [sheetOf(child)] : sheetsIn(child);
	});
}

function sheetOf({ children }: XmlElement): string {
	return children.map((child) => (child instanceof XmlText ? child.text : '')).join('');
}
