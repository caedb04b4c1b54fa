import { parseXml, XmlCdata, XmlComment, XmlDeclaration, XmlElement, XmlError, type XmlNode, XmlText } from '@rgrove/parse-xml';
import { svgAttributes, svgElements, svgNamespaces, textElements } from '#domain/board/svg-names.ts';
import { foundInCalls, foundInStyle, isHarmlessLink, unquoted } from '#domain/board/svg-rules.ts';
import { sentText } from '#domain/validation/parse.ts';
import { type Problem, problem } from '#domain/validation/problem.ts';

/** The most elements that are drawn when every reference is followed. Elements that refer to each other could be billions. */
const maxDrawnElements = 100_000;

/** How deep elements, and the references among them, may be nested. */
const maxDepth = 100;

/**
 * Returns why an SVG cannot be a background, or null. The SVG is read by a strict parser of XML, and may have only what
 * `shared/domain/board/svg-names.ts` lists, so that nothing in it runs, is loaded from elsewhere, or is endless (shared/domain/board/DIAGRAM.md#background).
 */
export function svgProblem(svg: string): Problem | null {
	try {
		const { children } = parseXml(svg, {
			preserveCdata: true,
			preserveComments: true,
			preserveDocumentType: true,
			preserveXmlDeclaration: true,
		});
		const root = children.find((node) => node instanceof XmlElement);
		if (root?.name !== 'svg' || root.attributes['xmlns'] !== svgNamespaces.get('xmlns'))
			return problem('not_svg', 'Must be an SVG: its first element is svg, with xmlns="http://www.w3.org/2000/svg".');
		const found = firstOf(children, (node) => foundIn(node)) ?? badReferenceIn(root);
		if (found === null) return null;
		const message = `Holds ${sentText(found)}, which a background must not have: remove it.`;
		return problem('not_allowed_in_svg', message, { found: sentText(found) });
	} catch (error) {
		// Nesting that is deep enough fills the stack of the parser.
		if (error instanceof RangeError) return tooDeep;
		if (!(error instanceof XmlError)) throw error;
		const { line, column } = error;
		return problem('not_xml', `Is not well-formed XML at line ${line}, column ${column}.`, { line, column });
	}
}

const nesting = `more than ${maxDepth} nested elements`;
const tooDeep = problem('not_allowed_in_svg', `Holds ${nesting}, which a background must not have: remove it.`, {
	found: nesting,
});

/** Returns what `find` finds first; null: nothing in any item. */
function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
	for (const item of items) {
		const found = find(item);
		if (found !== null) return found;
	}
	return null;
}

/** Returns the first thing in a node that is not allowed, as a person would look for it in the file. `depth`: number of its parents. */
function foundIn(node: XmlNode, depth = 0): string | null {
	if (node instanceof XmlElement) return foundInElement(node, depth);
	if (node instanceof XmlCdata) return node.text.includes('<') ? 'markup in CDATA' : null;
	if (node instanceof XmlText) return null;
	// A parser of HTML ends a comment earlier than one of XML, and would take the rest for markup.
	if (node instanceof XmlComment) return /^-?>|</.test(node.content) ? 'markup in a comment' : null;
	// A browser reads the bytes by the encoding that is declared, in which they could mean something else.
	if (node instanceof XmlDeclaration) return /^utf-?8$/i.test(node.encoding ?? 'utf-8') ? null : `the encoding ${node.encoding}`;
	return node.type === 'pi' ? 'a processing instruction' : 'a document type';
}

/** Returns the first thing in an element, its attributes or its children that is not allowed; null: nothing. `depth`: number of its parents. */
function foundInElement(element: XmlElement, depth: number): string | null {
	const { name, attributes, children } = element;
	if (!svgElements.has(name)) return `<${name}>`;
	if (depth > maxDepth) return nesting;
	const inAttributes = firstOf(Object.entries(attributes), ([attribute, value]) => foundInAttribute(name, attribute, value));
	if (inAttributes !== null) return inAttributes;
	const isText = (node: XmlNode): boolean => node instanceof XmlText && node.text.trim() !== '';
	if (!textElements.has(name) && children.some(isText)) return `text in <${name}>`;
	if (name === 'style') {
		const inStyle = element.children.some((child) => child instanceof XmlElement) ? 'markup' : foundInStyle(element.text);
		if (inStyle !== null) return `${inStyle} in <style>`;
	}
	return firstOf(children, (child) => foundIn(child, depth + 1));
}

function foundInAttribute(element: string, name: string, value: string): string | null {
	const sent = `${name}="${value}"`;
	if (svgNamespaces.has(name)) return svgNamespaces.get(name) === value ? null : sent;
	if (name === 'href' || name === 'xlink:href') return isHarmlessLink(element, value) ? null : `${sent} of <${element}>`;
	// Attributes whose names begin with data- mean nothing to a browser.
	if (!svgAttributes.has(name) && !/^data-[a-z\d-]+$/.test(name)) return `the attribute ${name}`;
	const found = name === 'style' ? foundInStyle(value) : foundInCalls(value);
	return found === null ? null : `${found} in ${name}`;
}

/** Follows all references of a drawing. Returns a text about those that never end or draw too much; null: none does. */
function badReferenceIn(root: XmlElement): string | null {
	const byId = elementsById(root);
	const drawnCounts = new Map<XmlElement, number>();
	/** The elements that are being counted: each is drawn by the one before it. */
	const path = new Set<XmlElement>();
	let found: string | null = null;
	/** Returns how many elements are drawn for one: itself, those in it, and those that it refers to. Stops once something is found. */
	const countDrawn = (element: XmlElement): number => {
		const counted = drawnCounts.get(element);
		if (counted !== undefined) return counted;
		if (found !== null) return 0;
		if (path.has(element) || path.size > maxDepth) {
			found = 'elements that refer to each other without end';
			return 0;
		}
		path.add(element);
		const ids = referencesOf(element);
		// The rules of a style can apply to every element, and what they refer to is drawn each time. Only gradients draw no elements.
		if (element.name === 'style') found = firstOf(ids, (id) => (isGradient(byId.get(id)) ? null : `url(#${id}) in <style>`));
		const referred = ids.map((id) => byId.get(id));
		const drawn = [...element.children, ...referred].filter((each) => each instanceof XmlElement);
		// 1 is the element itself.
		const count = drawn.reduce((total, each) => total + countDrawn(each), 1);
		path.delete(element);
		drawnCounts.set(element, count);
		return count;
	};
	if (countDrawn(root) <= maxDrawnElements) return found;
	return found ?? `references to more than ${maxDrawnElements.toLocaleString('en')} elements`;
}

/** Returns the elements of a drawing by id. Of several with one id, browsers refer to the first. */
function elementsById(root: XmlElement): ReadonlyMap<string, XmlElement> {
	const byId = new Map<string, XmlElement>();
	const register = (element: XmlElement): void => {
		const { id } = element.attributes;
		if (id !== undefined && !byId.has(id)) byId.set(id, element);
		for (const child of element.children) if (child instanceof XmlElement) register(child);
	};
	register(root);
	return byId;
}

const isGradient = (element: XmlElement | undefined): boolean => element?.name.endsWith('Gradient') === true;

/** A call of `url` in CSS, with its argument. */
const urlCall = /url\s*\(([^)]*)/gi;

/** Returns the ids to which the attributes of an element refer, or the text of a style. */
function referencesOf({ name, attributes, children }: XmlElement): readonly string[] {
	const texts = [
		...Object.values(attributes),
		...(name === 'style' ? children.map((child) => ('text' in child ? child.text : '')) : []),
	];
	const called = texts.flatMap((text) => [...text.matchAll(urlCall)].map(([, argument = '']) => unquoted(argument)));
	const linked = [attributes['href'], attributes['xlink:href']].flatMap((address) => address ?? []);
	return [...called, ...linked].filter((each) => each.startsWith('#')).map((each) => each.slice(1));
}
